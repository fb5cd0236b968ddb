"use strict";
// The view of a document: settings, the page with its marks, the list of segments, texts, labels.
const data = JSON.parse(document.getElementById("data").textContent);
const $ = (id) => document.getElementById(id);
const frame = $("page");
const list = $("segments");
const state = {
  segments: [], b: null, reasons: {}, selected: -1, turned: -1, errors: new Map(), labels: null, request: 0, marks: [], first: true,
};
const BITS_AT_FULL = 10; // the score at which a colour and a bar are full

// ---- settings

function settingsOf(side) {
  const field = $(`settings-${side}`);
  const out = {};
  for (const name of ["model", "policy", "favour", "decide", "threshold"]) out[name] = field.querySelector(`[name="${name}"]`).value;
  for (const kind of ["with", "without"]) {
    out[kind] = [...field.querySelectorAll("[name^='role-']")].filter((one) => one.value === kind)
      .map((one) => one.name.slice(5)).join(",");
  }
  // a threshold and an operating point need a method that has them
  if (out.threshold !== "" && !["auto", "threshold", "justext"].includes(out.decide)) out.threshold = "";
  if (out.decide === "justext") out.favour = "balance";
  return out;
}

function query(side) {
  const form = $("form").value;
  const all = { ...settingsOf(side), form: form === "rendered" ? "markdown" : form };
  return new URLSearchParams(Object.entries(all).filter(([, value]) => value !== "")).toString();
}

async function get(path) {
  const response = await fetch(path);
  const type = response.headers.get("content-type") || "";
  const body = type.includes("json") ? await response.json() : await response.text();
  if (!response.ok) throw new Error(body.error || body);
  return body;
}

function say(text, bad = false) {
  $("status").textContent = text;
  $("status").classList.toggle("bad", bad);
}

const comparing = () => $("compare").getAttribute("aria-pressed") === "true";

async function redraw() {
  const number = ++state.request;
  const start = performance.now();
  try {
    let a, b = null;
    if (data.view) {
      a = { ...data.view, text: data.texts[$("form").value] };
    } else {
      const sides = comparing() ? ["a", "b"] : ["a"];
      [a, b = null] = await Promise.all(sides.map((side) => get(`/api/d/${data.key}?${query(side)}`)));
    }
    if (number !== state.request) return; // a later one is under way
    const first = !state.segments.length;
    state.segments = a.segments;
    state.b = b;
    state.view = a;
    if (state.labels === null) state.labels = data.labels && data.labels.length === a.segments.length ? [...data.labels] : [];
    if (first) buildList();
    findErrors();
    paintList();
    paintPage();
    paintFacts();
    paintText();
    if (state.selected >= 0) paintDetail();
    refreshPanel();
    remember();
    const rest = performance.now() - start;
    document.documentElement.dataset.drawn = String(number);
    document.documentElement.dataset.ms = rest.toFixed(0);
    say(data.view ? "" : `drawn in ${rest.toFixed(0)} ms, decided in ${a.ms} ms`);
  } catch (error) {
    if (number === state.request) say(error.message, true);
  }
}

function findErrors() {
  state.errors.clear();
  const gold = state.view.gold;
  for (const kind of ["missed", "wrong"]) for (const at of (gold && gold[kind]) || []) state.errors.set(at, kind);
  for (const key of document.querySelectorAll(".key.missed, .key.wrong")) key.hidden = !gold;
  document.querySelector(".key.differs").hidden = !state.b;
}

const isKept = (at) => state.labels[at] ?? state.segments[at].keep;
const differs = (at) => Boolean(state.b && state.b.segments[at] && state.b.segments[at].keep !== state.segments[at].keep);
const TYPES = { p: "paragraph", h: "heading", l: "list item" };
const typeOf = (segment) => TYPES[segment.type] || segment.type;
const strength = (segment) => Math.min(Math.abs(segment.score ?? 0) / BITS_AT_FULL, 1);

// ---- the list

function element(name, className, text) {
  const out = document.createElement(name);
  if (className) out.className = className;
  if (text !== undefined) out.textContent = text;
  return out;
}

function buildList() {
  const rows = state.segments.map((segment, at) => {
    const row = element("li");
    row.id = `s${at}`;
    row.setAttribute("role", "option");
    row.dataset.at = at;
    const score = element("span", "score");
    score.append(element("span"), element("i"));
    row.append(element("span", "vh"), score, element("span", "kind"), element("span", "words", segment.text));
    return row;
  });
  list.replaceChildren(...rows);
}

function paintList() {
  const shown = $("shown").value;
  const wanted = $("find").value.trim().toLowerCase();
  let visible = 0;
  for (const row of list.children) {
    const at = Number(row.dataset.at);
    const segment = state.segments[at];
    const kept = isKept(at);
    const error = state.errors.get(at);
    row.className = `${kept ? "kept" : "dropped"}${differs(at) ? " differs" : ""}${error ? ` ${error}` : ""}${
      state.labels[at] !== undefined && state.labels[at] !== segment.keep ? " labelled" : ""}`;
    row.setAttribute("aria-selected", String(at === state.selected));
    row.querySelector(".vh").textContent = kept ? "kept" : "dropped";
    row.querySelector(".score span").textContent = segment.score === undefined ? "" : segment.score.toFixed(1);
    const bar = row.querySelector("i");
    const width = 50 * strength(segment);
    bar.style.width = `${width}%`;
    bar.style.left = segment.score < 0 ? `${50 - width}%` : "50%";
    row.querySelector(".kind").textContent = ["text", "boilerplate", undefined].includes(segment.role) ? typeOf(segment) : `${typeOf(segment)}, ${segment.role}`;
    const matches = !wanted || segment.text.toLowerCase().includes(wanted) || (segment.path || "").toLowerCase().includes(wanted);
    row.hidden = !matches || !(shown === "all" || (shown === "kept" && kept) || (shown === "dropped" && !kept) ||
      (shown === "doubtful" && Math.abs(segment.score) < 3) || (shown === "differs" && differs(at)) || (shown === "errors" && error));
    visible += !row.hidden;
  }
  list.setAttribute("aria-label", `Segments, ${visible} shown`);
}

function paintFacts() {
  const view = state.view;
  const name = document.querySelector(".heading h1");
  if (view.title && name.textContent !== view.title) { // better than an id such as urn:uuid:…
    name.title = name.textContent;
    name.textContent = view.title;
  }
  const parts = [`${state.segments.filter((_, at) => isKept(at)).length} of ${state.segments.length} segments kept`];
  if (view.lang) parts.push(`language ${view.lang}`);
  const types = Object.entries(view.types || {}).sort((x, y) => y[1] - x[1]);
  if (types.length) parts.push(`${types[0][0]} (${Math.round(100 * types[0][1])} %)`);
  if (view.quality !== null && view.quality !== undefined) parts.push(`quality ${view.quality.toFixed(2)}`);
  if (view.gold && view.gold.f !== undefined) parts.push(`precision ${view.gold.precision} recall ${view.gold.recall} F ${view.gold.f}`);
  if (state.b) {
    parts.push(`${state.segments.filter((_, at) => differs(at)).length} decided differently`);
    if (state.b.gold && state.b.gold.f !== undefined) parts.push(`compared: F ${state.b.gold.f}`);
  }
  if (view.models && view.models.length) parts.push(`model ${view.models[0].split("@")[0]}`);
  $("facts").textContent = parts.join(" · ");
}

// ---- the page

function paintPage() {
  const page = frame.contentDocument;
  if (!page || !state.segments.length) return;
  for (const mark of page.querySelectorAll("[data-nc]")) {
    const at = Number(mark.dataset.nc);
    const segment = state.segments[at];
    if (!segment) continue;
    mark.dataset.keep = isKept(at) ? "1" : "0";
    mark.style.setProperty("--nc-line", (0.35 + 0.65 * strength(segment)).toFixed(2));
    mark.style.setProperty("--nc-fill", (0.06 + 0.28 * strength(segment)).toFixed(2));
    mark.toggleAttribute("data-error", state.errors.has(at));
    mark.toggleAttribute("data-differs", differs(at));
    mark.classList.toggle("nc-selected", at === state.selected);
  }
}

// A click with Shift turns a range of segments while labelling, and selects no text.
const keepSelection = (event) => { if (event.shiftKey && labelling()) event.preventDefault(); };

const markOf = (event) => (event.target.closest ? event.target.closest("[data-nc]") : null);

function prepareFrame() {
  const page = frame.contentDocument;
  if (!page || !page.body || page.documentElement.dataset.prepared) return;
  page.documentElement.dataset.prepared = "1";
  page.addEventListener("mouseover", (event) => {
    const mark = markOf(event);
    hover(mark ? Number(mark.dataset.nc) : -1, event);
  });
  page.addEventListener("mouseleave", () => hover(-1));
  page.addEventListener("click", (event) => {
    event.preventDefault(); // links lead nowhere
    const mark = markOf(event);
    if (!mark) return;
    const at = Number(mark.dataset.nc);
    select(at, { page: false });
    if (labelling()) (event.shiftKey ? turnRange : turn)(at);
  });
  page.addEventListener("mousedown", keepSelection);
  page.addEventListener("submit", (event) => event.preventDefault());
  page.addEventListener("keydown", keys);
  paintPage();
  document.documentElement.dataset.framed = "1";
}

let hovered = -1;
function hover(at, event) {
  const page = frame.contentDocument;
  if (at !== hovered) {
    for (const mark of page.querySelectorAll(".nc-hover")) mark.classList.remove("nc-hover");
    list.querySelector(".hovered")?.classList.remove("hovered");
    hovered = at;
    if (at >= 0) {
      for (const mark of page.querySelectorAll(`[data-nc="${at}"]`)) mark.classList.add("nc-hover");
      $(`s${at}`)?.classList.add("hovered");
      loadReasons();
    }
  }
  const tip = $("tip");
  tip.hidden = at < 0 || !event;
  if (tip.hidden || !state.segments[at]) return;
  tip.replaceChildren(...details(at, true));
  const pane = frame.parentElement.getBoundingClientRect();
  const box = frame.getBoundingClientRect();
  const x = event.clientX + box.left - pane.left;
  const y = event.clientY + box.top - pane.top;
  tip.style.left = `${Math.max(0, Math.min(x + 14, pane.width - tip.offsetWidth - 6))}px`;
  tip.style.top = `${y + 18 + tip.offsetHeight > pane.height ? Math.max(0, y - tip.offsetHeight - 12) : y + 18}px`;
}

// ---- a segment

async function loadReasons() {
  if (data.view) return;
  const model = settingsOf("a").model;
  if (model in state.reasons) return;
  state.reasons[model] = null;
  try {
    state.reasons[model] = (await get(`/api/reasons/${data.key}?model=${encodeURIComponent(model)}`)).reasons;
  } catch {
    state.reasons[model] = [];
  }
  if (state.selected >= 0) paintDetail();
  if (hovered >= 0 && !$("tip").hidden) $("tip").replaceChildren(...details(hovered, true));
}

function reasonsOf(at) {
  const all = data.view ? data.reasons : state.reasons[settingsOf("a").model];
  return (all && all[at]) || null;
}

function details(at, short) {
  const segment = state.segments[at];
  const out = [];
  out.push(element("strong", "", isKept(at) ? "kept" : "dropped"));
  out.push(document.createTextNode(` ${segment.text.slice(0, short ? 160 : 400)}${segment.text.length > (short ? 160 : 400) ? "…" : ""}`));
  const facts = element("dl");
  const add = (name, value) => {
    if (value === undefined || value === null || value === "") return;
    facts.append(element("dt", "", name), element("dd", "", String(value)));
  };
  add("score", segment.score === undefined ? "" : `${segment.score.toFixed(2)} bits`);
  add("type", typeOf(segment));
  if (state.labels[at] === undefined) {
    add(segment.keep ? "kept" : "dropped", `${segment.reason}${segment.option ? `; ${segment.option} keeps it` : ""}`);
  }
  add("role", segment.role);
  add("class", segment.class);
  add("rule", segment.rule);
  add("hidden", segment.hidden);
  add("origin", segment.origin);
  add("perplexity", segment.perplexity);
  if (segment.links) add("links", `${Math.round((100 * segment.links) / Math.max(1, segment.text.length))} % of the characters`);
  if (state.errors.has(at)) add("gold", state.errors.get(at) === "missed" ? "missed" : "kept wrongly");
  if (differs(at)) add("compared", `${state.b.segments[at].keep ? "kept" : "dropped"}, ${state.b.segments[at].score.toFixed(2)} bits`);
  const reasons = reasonsOf(at);
  if (reasons) {
    for (const [side, name] of [["for", "for it"], ["against", "against"]]) {
      add(name, (reasons[side] || []).slice(0, short ? 2 : 4).map(([what, bits]) => `${what} ${bits > 0 ? "+" : ""}${bits}`).join(", "));
    }
  }
  add("path", segment.path);
  add("selector", segment.selector);
  out.push(facts);
  return out;
}

function paintDetail() {
  $("detail").hidden = state.selected < 0;
  if (state.selected < 0) return;
  $("detail").replaceChildren(...details(state.selected, false));
  $(`s${state.selected}`)?.scrollIntoView({ block: "nearest" }); // the detail takes room
}

function select(at, scroll = {}) {
  if (at < 0 || at >= state.segments.length) return;
  const page = frame.contentDocument;
  $(`s${state.selected}`)?.setAttribute("aria-selected", "false");
  for (const mark of page?.querySelectorAll(".nc-selected") ?? []) mark.classList.remove("nc-selected");
  state.selected = at;
  const row = $(`s${at}`);
  row.setAttribute("aria-selected", "true");
  list.setAttribute("aria-activedescendant", row.id);
  if (row.hidden) row.hidden = false;
  paintDetail();
  const marks = page ? [...page.querySelectorAll(`[data-nc="${at}"]`)] : [];
  for (const mark of marks) mark.classList.add("nc-selected");
  if (scroll.page !== false && marks.length) marks[0].scrollIntoView({ block: "center" });
  loadReasons();
}

function step(by) {
  const rows = [...list.children].filter((row) => !row.hidden);
  if (!rows.length) return;
  const at = rows.findIndex((row) => Number(row.dataset.at) === state.selected);
  select(Number(rows[Math.max(0, Math.min(rows.length - 1, at < 0 ? 0 : at + by))].dataset.at));
}

function nextError() {
  const isOne = (at) => (state.errors.size ? state.errors.has(at) : Math.abs(state.segments[at].score ?? 9) < 3);
  const count = state.segments.length;
  for (let by = 1; by <= count; by++) {
    const at = (state.selected + by + count) % count;
    if (isOne(at)) return select(at);
  }
}

// ---- texts

function paintText() {
  const form = $("form").value;
  const rendered = form === "rendered";
  $("rendered").hidden = !rendered;
  document.querySelector(".texts").hidden = rendered;
  $("copy").hidden = rendered;
  if (rendered) {
    $("rendered").src = `/rendered/${data.key}?${query("a")}`;
    return;
  }
  $("text-b").hidden = !state.b;
  fillText($("text"), state.view.text, state.b && state.b.text);
  fillText($("text-b"), state.b ? state.b.text : "", state.view.text);
}

// A text, with marks on the lines that the other one lacks.
function fillText(into, text, other) {
  if (other === null) {
    into.textContent = text;
    return;
  }
  const known = new Set(other.split("\n"));
  const lines = text.split("\n").map((line) => (known.has(line) ? line : element("mark", "", line)));
  into.replaceChildren(...lines.flatMap((line, at) => (at ? ["\n", line] : [line])));
}

function refreshPanel() {
  const open = document.querySelector("[role=tab][aria-selected=true]").id.slice(4);
  if (open === "record" && !data.view) get(`/api/record/${data.key}?${query("a")}`).then((text) => { $("record").textContent = text; }, (error) => say(error.message, true));
  if (open === "record" && data.view) $("record").textContent = data.record;
  if (open === "gold") paintGold();
}

async function paintGold() {
  const gold = state.view.gold;
  if (!gold || gold.error) {
    $("gold-figures").textContent = gold ? gold.error : "This page has no gold text.";
    return;
  }
  const figures = element("p", "figures");
  for (const [name, value] of [["precision", gold.precision], ["recall", gold.recall], ["F", gold.f]]) {
    const one = element("span", "", name);
    one.prepend(element("b", "", String(value)));
    figures.append(one);
  }
  const counts = element("p", "", `${gold.missed.length} segments missed, ${gold.wrong.length} kept wrongly. Figures are by bags of words; the gold is for the content policy ${gold.policy}.`);
  $("gold-figures").replaceChildren(figures, counts);
  const runs = data.view ? data.runs : (await get(`/api/gold/${data.key}?${query("a")}`)).runs;
  const out = [];
  for (const [kind, text] of runs) {
    const one = kind === "equal" ? element("span") : element(kind === "wrong" ? "del" : "ins");
    const words = text.split(" ");
    one.textContent = kind === "equal" && words.length > 60 ? `${words.slice(0, 25).join(" ")} … ${words.slice(-25).join(" ")}` : text;
    if (kind !== "equal") one.title = kind === "wrong" ? "kept wrongly" : "missed";
    out.push(one, document.createTextNode(" "));
  }
  $("gold-runs").replaceChildren(...out);
}

// ---- labels

const labelling = () => Boolean($("labelling")?.checked);
let saving = 0;

function turn(at) {
  if (!labelling()) return say("Check “label by clicks” to change decisions (l).");
  if (!state.labels.length) state.labels = state.segments.map((segment) => segment.keep);
  state.labels[at] = !state.labels[at];
  state.turned = at;
  labelled();
}

// Gives all segments between the one that was turned last and this one its decision.
function turnRange(at) {
  if (!labelling() || state.turned < 0) return turn(at);
  const [first, last] = [Math.min(at, state.turned), Math.max(at, state.turned)];
  state.labels.fill(state.labels[state.turned], first, last + 1);
  labelled();
}

function labelled() {
  paintList();
  paintPage();
  paintFacts();
  if (state.selected >= 0) paintDetail();
  clearTimeout(saving);
  saving = setTimeout(save, 400);
  say("…");
}

function accept() {
  if (!labelling()) return;
  if (!state.labels.length) state.labels = state.segments.map((segment) => segment.keep);
  save();
}

async function save() {
  clearTimeout(saving);
  saving = 0;
  try {
    const response = await fetch(`/api/label/${data.key}`, {
      method: "POST", keepalive: true,
      headers: { "X-NC-Token": data.token, "Content-Type": "application/json" },
      body: JSON.stringify({ keep: state.labels, settings: settingsOf("a") }),
    });
    const body = await response.json().catch(() => ({ error: "The token is wrong: load the page again." }));
    if (!response.ok) throw new Error(body.error);
    document.documentElement.dataset.saved = String(body.saved);
    say(`saved: ${body.saved} page${body.saved === 1 ? "" : "s"} in ${body.file}`);
  } catch (error) {
    say(`not saved: ${error.message}`, true);
  }
}

async function train() {
  const button = $("train");
  button.disabled = true;
  say("training…");
  try {
    const response = await fetch("/api/train", { method: "POST", headers: { "X-NC-Token": data.token } });
    const body = await response.json();
    if (!response.ok) throw new Error(body.error);
    // the page under the model before and the new one, side by side
    for (const side of ["a", "b"]) {
      const select = $(`settings-${side}`).querySelector("[name=model]");
      if (![...select.options].some((one) => one.value === body.model)) select.add(new Option(body.model.split("/").pop(), body.model));
      if (side === "b") select.value = body.model;
    }
    if (!comparing()) $("compare").click(); else redraw();
    document.documentElement.dataset.trained = body.model;
    say(`trained: ${body.model}`);
  } catch (error) {
    say(`not trained: ${error.message}`, true);
  }
  button.disabled = false;
}

// ---- tabs and keys

function openTab(tab) {
  for (const one of document.querySelectorAll("[role=tab]")) {
    const open = one === tab;
    one.setAttribute("aria-selected", String(open));
    one.tabIndex = open ? 0 : -1;
    $(one.getAttribute("aria-controls")).hidden = !open;
  }
  refreshPanel();
}

function keys(event) {
  if (event.ctrlKey || event.metaKey || event.altKey) return;
  const target = event.target;
  if (target.matches?.("input, select, textarea") && target.type !== "checkbox") {
    if (event.key === "Escape") target.blur();
    return;
  }
  if (target.getAttribute?.("role") === "tab" && ["ArrowLeft", "ArrowRight"].includes(event.key)) {
    const tabs = [...document.querySelectorAll("[role=tab]")];
    const next = tabs[(tabs.indexOf(target) + (event.key === "ArrowRight" ? 1 : -1) + tabs.length) % tabs.length];
    openTab(next);
    next.focus();
    return;
  }
  const go = (id) => { const link = $(id); if (link) location.href = link.href; };
  const isList = target === list || target === document.body || target.ownerDocument !== document;
  const actions = {
    j: () => step(1), k: () => step(-1), n: () => go("after"), p: () => go("before"), e: nextError,
    x: () => state.selected >= 0 && turn(state.selected), X: () => state.selected >= 0 && turnRange(state.selected), c: () => $("compare").click(), f: () => $("find").focus(),
    l: () => $("labelling")?.click(), a: accept, Escape: () => { state.selected = -1; paintList(); paintPage(); paintDetail(); },
  };
  if (isList) {
    actions.ArrowDown = () => step(1);
    actions.ArrowUp = () => step(-1);
    actions[" "] = () => state.selected >= 0 && turn(state.selected);
  }
  const number = Number(event.key);
  const tab = number >= 1 && number <= 9 ? document.querySelectorAll("[role=tab]")[number - 1] : null;
  if (tab) openTab(tab);
  else if (actions[event.key]) actions[event.key]();
  else return;
  event.preventDefault();
}

// ---- start

list.addEventListener("click", (event) => {
  const row = event.target.closest("li");
  if (!row) return;
  select(Number(row.dataset.at));
  if (labelling()) (event.shiftKey ? turnRange : turn)(Number(row.dataset.at));
});
list.addEventListener("mousedown", keepSelection);
list.addEventListener("mouseover", (event) => {
  const row = event.target.closest("li");
  if (row && frame.contentDocument) hover(Number(row.dataset.at));
});
for (const tab of document.querySelectorAll("[role=tab]")) tab.addEventListener("click", () => openTab(tab));
document.addEventListener("keydown", keys);
$("shown").addEventListener("change", paintList);
$("find").addEventListener("input", paintList);
$("form").addEventListener("change", redraw);
$("copy").addEventListener("click", async () => {
  await navigator.clipboard.writeText($("text").textContent);
  say("copied");
});
$("controls").addEventListener("submit", (event) => event.preventDefault());
$("controls").addEventListener("input", (event) => {
  const { name, value } = event.target;
  const field = event.target.closest("fieldset");
  if (name === "threshold-range") field.querySelector("[name=threshold]").value = value;
  if (name === "threshold" && value !== "") field.querySelector("[name='threshold-range']").value = value;
  if (name === "decide") {
    const literal = ["auto", "threshold", "justext"].includes(value);
    for (const one of field.querySelectorAll("[name^=threshold]")) one.disabled = !literal;
    field.querySelector("[name=favour]").disabled = value === "justext";
  }
  if (field) redraw();
});
$("compare").addEventListener("click", () => {
  const on = !comparing();
  $("compare").setAttribute("aria-pressed", String(on));
  $("settings-b").hidden = !on;
  if (on) setApart();
  redraw();
});
// Two settings that are the same have nothing to show: the second starts with another model.
function setApart() {
  const one = $("settings-a").querySelector("[name=model]");
  const other = $("settings-b").querySelector("[name=model]");
  if (JSON.stringify(settingsOf("a")) !== JSON.stringify(settingsOf("b"))) return;
  const value = ["ncleaner-nonlexical", "xx", "en"].find((name) => name !== one.value && [...other.options].some((option) => option.value === name));
  if (value) other.value = value;
}

$("reset").addEventListener("click", () => { $("controls").reset(); start(); redraw(); });
$("images").addEventListener("change", () => { openPage(); });
$("labelling")?.addEventListener("change", () => { showLabelling(); remember(); });
$("accept")?.addEventListener("click", accept);
$("train")?.addEventListener("click", train);
$("export")?.addEventListener("click", () => { $("export").href = `/report/${data.key}?${query("a")}`; });
addEventListener("pagehide", () => { if (saving) save(); });

function openPage() {
  if (data.page) frame.srcdoc = data.page;
  else frame.src = `/page/${data.key}${$("images").checked ? "?images=1" : ""}`;
}

function start() {
  for (const side of ["a", "b"]) $(`settings-${side}`).querySelector("[name=model]").value = data.default.model;
  $("form").value = data.default.form;
}

// Settings stay from document to document, as long as the tab is open.
const STORE = "nc-settings";
const controls = () => [...$("controls").querySelectorAll("select, input"), $("form")];

function remember() {
  if (data.view) return;
  const values = controls().map((one) => (one.type === "checkbox" ? one.checked : one.value));
  try { sessionStorage.setItem(STORE, JSON.stringify({ values, compare: comparing() })); } catch { /* no storage */ }
}

function recall() {
  if (data.view) return;
  let stored = null;
  try { stored = JSON.parse(sessionStorage.getItem(STORE)); } catch { /* no storage */ }
  const all = controls();
  if (!stored || stored.values.length !== all.length) return;
  all.forEach((one, at) => {
    const value = stored.values[at];
    if (one.id === "images") return; // asked for anew on each page
    if (one.type === "checkbox") one.checked = value;
    else if (one.tagName !== "SELECT" || [...one.options].some((option) => option.value === value)) one.value = value;
  });
  $("compare").setAttribute("aria-pressed", String(stored.compare));
  $("settings-b").hidden = !stored.compare;
  showLabelling();
}

function showLabelling() {
  for (const id of ["train", "accept"]) if ($(id)) $(id).hidden = !labelling();
}

frame.addEventListener("load", prepareFrame);
$("rendered").addEventListener("load", () => {
  $("rendered").contentDocument?.addEventListener("click", (event) => event.preventDefault()); // links lead nowhere
});
start();
recall();
openPage();
redraw();
