"use strict";
(() => {
  document.documentElement.classList.add("scripted");
  const form = document.querySelector("form.filter");
  if (!form) return;
  const rows = [...document.querySelectorAll("#stores tbody tr")].map((row) => ({
    row, state: row.dataset.state, text: row.textContent.toLowerCase(),
  }));
  const output = form.querySelector("output");
  const apply = () => {
    const state = form.elements.state.value;
    const words = form.elements.text.value.toLowerCase().split(/\s+/).filter(Boolean);
    let shown = 0;
    for (const { row, state: own, text } of rows) {
      const fits = (!state || own === state) && words.every((word) => text.includes(word));
      row.hidden = !fits;
      if (fits) shown += 1;
    }
    output.textContent = shown + " of " + rows.length + " shown";
  };
  form.addEventListener("input", apply);
  form.addEventListener("submit", (event) => event.preventDefault());
  apply();
})();
