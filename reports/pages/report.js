"use strict";
(() => {
  const root = document.documentElement;
  const search = document.getElementById("q");
  const shown = document.getElementById("shown");
  const entries = [...document.querySelectorAll("main details[data-word]")];
  const texts = entries.map((entry) => entry.textContent.toLowerCase());
  const words = [...document.querySelectorAll("button[data-word]")];

  function filter() {
    const wanted = search.value.toLowerCase().split(/\s+/).filter(Boolean);
    const on = new Set(words.filter((b) => b.getAttribute("aria-pressed") === "true").map((b) => b.dataset.word));
    let count = 0;
    entries.forEach((entry, k) => {
      const fits = on.has(entry.dataset.word) && wanted.every((w) => texts[k].includes(w));
      entry.hidden = !fits;
      if (fits) count += 1;
    });
    for (const section of document.querySelectorAll("main section")) {
      section.hidden = !section.querySelector("details[data-word]:not([hidden])");
    }
    shown.textContent = `${count} of ${entries.length} shown`;
  }

  search.addEventListener("input", filter);
  document.getElementById("filter").addEventListener("submit", (event) => event.preventDefault());
  for (const button of words) {
    button.addEventListener("click", () => {
      button.setAttribute("aria-pressed", String(button.getAttribute("aria-pressed") !== "true"));
      filter();
    });
  }
  const open = document.getElementById("open");
  open.addEventListener("click", () => {
    const all = entries.filter((entry) => !entry.hidden);
    const opening = all.some((entry) => !entry.open);
    for (const entry of all) entry.open = opening;
    open.textContent = opening ? "Close all" : "Open all";
  });
  document.getElementById("theme").addEventListener("click", () => {
    const dark = root.dataset.theme ? root.dataset.theme === "dark" : matchMedia("(prefers-color-scheme: dark)").matches;
    root.dataset.theme = dark ? "light" : "dark";
  });
  addEventListener("keydown", (event) => {
    if (event.key === "/" && document.activeElement !== search) {
      event.preventDefault();
      search.focus();
    } else if (event.key === "Escape" && document.activeElement === search) {
      search.value = "";
      filter();
    }
  });
  let opened = [];
  addEventListener("beforeprint", () => {
    opened = [...document.querySelectorAll("details:not([open])")].filter((d) => !d.hidden);
    for (const entry of opened) entry.open = true;
  });
  addEventListener("afterprint", () => {
    for (const entry of opened) entry.open = false;
    opened = [];
  });
  filter();
})();
