"use strict";
// The colours: as the system, light, or dark.
(() => {
  const names = ["auto", "light", "dark"];
  let at = 0;
  try { at = Math.max(0, names.indexOf(localStorage.getItem("nc-theme"))); } catch { /* no storage */ }
  const apply = () => {
    const root = document.documentElement;
    if (at) root.dataset.theme = names[at]; else delete root.dataset.theme;
    document.getElementById("theme")?.setAttribute("aria-label", `Colours: ${["as the system", "light", "dark"][at]}`);
  };
  apply();
  document.addEventListener("DOMContentLoaded", () => {
    apply();
    document.getElementById("theme").addEventListener("click", () => {
      at = (at + 1) % names.length;
      try { localStorage.setItem("nc-theme", names[at]); } catch { /* no storage */ }
      apply();
    });
  });
})();
