// The table of all cases: sorted by any column, filtered by words or a regular expression.
const PAGE = 200;
const sorting = { column: null, descending: false, shown: PAGE };

const COLUMNS = [
  { name: "case", value: (r) => r.c.id, cell: (r) => caseButton(r) },
  { name: "timing", value: (r) => r.metric || "" },
  { name: "median us", number: true, value: (r) => r.us, text: (r) => digits(r.us) },
  { name: "GB/s", number: true, late: true, value: (r) => r.gbps, text: (r) => digits(r.gbps) },
  { name: "gathered GB/s", number: true, late: true, value: (r) => r.gathered, text: (r) => digits(r.gathered) },
  { name: "of ceiling", number: true, late: true, value: (r) => r.share, text: (r) => percent(r.share) },
  { name: "speed-up", number: true, late: true, value: (r) => r.speedup, text: (r) => (r.speedup === null ? "-" : `${digits(r.speedup, 3)}x`) },
  { name: "change", number: true, value: (r) => r.change, text: (r) => signed(r.change) },
  { name: "status", value: (r) => r.status, cell: (r) => html("span", { class: `tag ${r.tone}`, text: r.status }) },
  { name: "why", value: (r) => r.why },
];
// Not there where no row has anything in it.
const OPTIONAL = new Map([["gathered GB/s", (r) => r.gathered !== null], ["change", (r) => r.change !== null], ["why", (r) => r.why]]);
const BAD = new Set(["WRONG", "INVALID", "NOT MEASURED", "MISSING", "SLOWER", "wrong", "error", "timeout", "invalid_timing"]);
const GOOD = new Set(["FASTER", "SAME", "ok"]);
let ROWS = [];
let SHOWN = COLUMNS;

function makeRows() {
  const verdicts = new Map((DATA.verdict?.rows || []).map((row) => [`${row.id} ${row.metric}`, row]));
  const whole = (id, metric) => verdicts.get(`${id} ${metric}`) || verdicts.get(`${id} null`);
  const times = new Map();
  for (const c of DATA.cases) {
    for (const [metric, timing] of Object.entries(c.timings)) times.set([c.op, c.variant, c.group, c.shape, metric].join(" "), timing.median);
  }
  ROWS = DATA.cases.flatMap((c) => {
    const metrics = Object.keys(c.timings);
    return (metrics.length ? metrics : [null]).map((metric) => {
      const us = metric ? c.timings[metric].median : null;
      const verdict = whole(c.id, metric);
      const base = times.get([c.op, c.compare_to, c.group, c.shape, metric].join(" "));
      const gbps = metric ? gbpsOf(c, us) : null;
      const ceiling = metric?.endsWith("/cold") ? DATA.ceilings_gbps[c.backend] : null;
      const status = verdict?.verdict || c.status;
      return {
        c, metric, us, gbps, status, gathered: us && c.gathered_bytes > 0 ? c.gathered_bytes / us / 1e3 : null,
        share: gbps && ceiling ? gbps / ceiling : null,
        speedup: base && us ? base / us : null, change: verdict?.change ?? null, why: verdict?.reason || c.reason,
        tone: BAD.has(status) ? "bad" : GOOD.has(status) ? "good" : "warn",
        text: `${c.id} ${metric || ""} ${status} ${c.picked}`.toLowerCase(),
      };
    });
  });
  SHOWN = COLUMNS.filter(({ name }) => !OPTIONAL.has(name) || ROWS.some(OPTIONAL.get(name)));
  // What was found comes before what is only computed from the time, which may be out of sight.
  if (DATA.verdict) SHOWN = [...SHOWN.filter(({ late }) => !late), ...SHOWN.filter(({ late }) => late)];
}

function caseButton(row) {
  return html("button", { type: "button", text: row.c.id, onclick: () => openCase(row.c.id, row.metric) });
}

/// Whether a row is wanted; null for a regular expression that is none.
function matcher(text) {
  const pattern = /^\/(.*)\/$/.exec(text.trim());
  if (pattern) {
    try {
      const regex = new RegExp(pattern[1], "i");
      return (row) => regex.test(row.text);
    } catch {
      return null;
    }
  }
  const words = text.toLowerCase().split(/\s+/).filter(Boolean);
  return (row) => words.every((word) => row.text.includes(word));
}

function compareValues(a, b) {
  if (a === null || b === null) return (a === null) - (b === null); // what is not there goes last
  const order = typeof a === "number" ? a - b : a.localeCompare(b, "en", { numeric: true });
  return sorting.descending ? -order : order;
}

function tableRows() {
  const wanted = matcher(byId("filter").value);
  byId("filter").setAttribute("aria-invalid", String(wanted === null));
  const everything = byId("everything").checked;
  const rows = ROWS.filter((row) => (everything || (row.c.op === state.op && (row.metric === state.metric || row.metric === null)))
    && (wanted === null || wanted(row)));
  const column = COLUMNS.find((each) => each.name === sorting.column);
  if (column) rows.sort((a, b) => compareValues(column.value(a), column.value(b)));
  return rows;
}

function drawTable() {
  const rows = tableRows();
  const shown = rows.slice(0, sorting.shown);
  byId("count").textContent = `${rows.length} of ${ROWS.length} rows${shown.length < rows.length ? `, the first ${shown.length} shown` : ""}`;
  byId("table").tBodies[0].replaceChildren(...shown.map((row) => html("tr", {}, ...SHOWN.map((column) => {
    const cell = column.cell ? column.cell(row) : (column.text ? column.text(row) : column.value(row));
    return html("td", { class: column.number ? "number" : column.name === "why" ? "why" : null }, cell);
  }))));
  byId("more").hidden = shown.length === rows.length;
}

function drawHead() {
  const cells = SHOWN.map((column) => html("th", {
    scope: "col", class: column.number ? "number" : null,
    "aria-sort": sorting.column === column.name ? (sorting.descending ? "descending" : "ascending") : null,
  }, html("button", { type: "button", text: column.name, onclick: () => sortBy(column.name) })));
  byId("table").tHead.replaceChildren(html("tr", {}, ...cells));
}

function sortBy(name) {
  sorting.descending = sorting.column === name && !sorting.descending;
  sorting.column = name;
  drawHead();
  drawTable();
  // The button pressed was replaced: the focus stays where it was.
  [...byId("table").tHead.querySelectorAll("button")].find((button) => button.textContent === name)?.focus();
}

function startTable() {
  makeRows();
  drawHead();
  byId("filter").addEventListener("input", () => { sorting.shown = PAGE; drawTable(); });
  byId("everything").addEventListener("change", drawTable);
  byId("more").addEventListener("click", () => { sorting.shown += PAGE; drawTable(); });
}
