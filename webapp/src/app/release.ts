/** If the page was loaded less than this long ago, loading it again would not help. */
const fresh = 10_000;

/**
 * Reloads the page if a part of the app cannot be fetched because a newer release is now served. Typed text is kept in
 * the browser. If the server does not answer at all, the page stays as it is.
 */
export function followReleases(reload: () => void): void {
  window.addEventListener("vite:preloadError", () => {
    if (performance.now() < fresh) return;
    fetch(window.location.href, { method: "HEAD" })
      .then(({ ok }) => {
        if (ok) reload();
      })
      .catch(() => undefined);
  });
}
