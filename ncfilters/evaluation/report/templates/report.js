"use strict";
const unfold = () => {
  const at = document.getElementById(location.hash.slice(1));
  if (at && at.localName === "details") { at.open = true; at.scrollIntoView(); }
};
addEventListener("hashchange", unfold);
unfold();
for (const table of document.querySelectorAll("table.pages")) {
  const body = table.tBodies[0], rows = [...body.rows];
  const value = (row, at) => row.cells[at].dataset.value ?? row.cells[at].textContent;
  [...table.tHead.rows[0].cells].forEach((head, at) => {
    const button = document.createElement("button");
    button.append(...head.childNodes);
    head.append(button);
    const numbers = rows.every(row => !isNaN(value(row, at)));
    const compare = (a, b) => numbers ? a - b : a.localeCompare(b, undefined, { numeric: true });
    button.onclick = () => {
      const sign = head.getAttribute("aria-sort") === "ascending" ? -1 : 1;
      for (const other of table.tHead.rows[0].cells) other.removeAttribute("aria-sort");
      head.setAttribute("aria-sort", sign > 0 ? "ascending" : "descending");
      rows.sort((a, b) => {
        const one = value(a, at), other = value(b, at);
        return one === "" || other === "" ? (one === "") - (other === "") : sign * compare(one, other);
      });
      body.append(...rows);
    };
  });
  const label = document.createElement("label"), input = document.createElement("input");
  input.type = "search";
  label.append("Only pages with: ", input);
  input.oninput = () => {
    const wanted = input.value.toLowerCase();
    for (const row of rows) row.hidden = !row.textContent.toLowerCase().includes(wanted);
  };
  table.before(label);
}
