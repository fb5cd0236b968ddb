"use strict";
// Says how many documents are read and analysed, as long as there are more to come.
const progress = document.getElementById("progress");
async function ask() {
  let found;
  try { found = await (await fetch("/api/progress")).json(); } catch { return; }
  const all = found.complete && found.analysed === found.documents;
  progress.textContent = `${found.documents.toLocaleString("en")} documents${
    found.complete ? "" : " so far"}${all ? "" : `, ${found.analysed.toLocaleString("en")} analysed`}`;
  if (!all) setTimeout(ask, 2000);
}
ask();
