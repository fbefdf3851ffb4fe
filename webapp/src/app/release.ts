/** A page as fresh as this would not be mended by loading it once more. */
const fresh = 10_000;

/**
 * Loads the page anew where a part of the app cannot be fetched any more, since another release is served by now: what
 * is typed is kept in the browser. Where the server does not answer at all, the page stays as it is.
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
