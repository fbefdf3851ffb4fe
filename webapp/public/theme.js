// Sets the theme before the first paint. src/lib/theme takes over once the app runs.
(function () {
  var choice = null;
  try {
    choice = localStorage.getItem("munshi.theme");
  } catch (error) {
    // Storage may be closed to us; the system's setting is a good answer then.
  }
  var dark = choice === "dark" || (choice !== "light" && matchMedia("(prefers-color-scheme: dark)").matches);
  document.documentElement.dataset.theme = dark ? "dark" : "light";
})();
