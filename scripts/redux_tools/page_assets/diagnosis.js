// What is wrong and why, as redux_tools/diagnosis.py found it for the timing chosen.
const FAULTS = {
  regret: "bad", idle: "bad", uneven: "bad", cliff: "warn", jump: "warn",
};

const FIRST = 8; // the rest is folded

const found = () => DATA.diagnosis[state.metric] || null;
const ofOp = (items) => items.filter((each) => each.op === state.op);

/// A table of plain cells; a cell may also be an element. `numbers` names the columns set flush right.
function plainTable(caption, names, rows, numbers = []) {
  const kind = (i) => (numbers.includes(names[i]) ? "number" : null);
  return html("table", { class: "diagnosis" },
    html("caption", { class: "unseen", text: caption }),
    html("thead", {}, html("tr", {}, ...names.map((name, i) => html("th", { scope: "col", class: kind(i), text: name })))),
    html("tbody", {}, ...rows.map((row) => html("tr", {}, ...row.map((cell, i) =>
      html("td", { class: kind(i) }, cell instanceof Node ? cell : document.createTextNode(cell)))))));
}

const nothing = (text) => html("p", { class: "empty", text });
const linkTo = (id, text) => html("button", { type: "button", class: "link", text, onclick: () => openCase(id, state.metric) });

function drawFindings(diagnosis) {
  const own = ofOp(diagnosis.findings);
  const rows = own.map((f) => [
    html("span", { class: `tag ${FAULTS[f.fault]}`, text: f.fault }), linkTo(f.id, f.variant), f.where,
    html("span", { class: "said", text: f.said }), f.more ? `${f.more} more` : "",
  ]);
  const table = (caption, some) => plainTable(caption, ["fault", "variant", "where", "what", "alike"], some);
  const rest = rows.slice(FIRST);
  byId("findings").replaceChildren(
    rows.length ? table("What is wrong", rows.slice(0, FIRST)) : nothing("Nothing was found to be wrong."),
    ...(rest.length ? [html("details", {}, html("summary", { text: `${rest.length} more` }), table("More that is wrong", rest))] : []));
}

function drawClasses(diagnosis) {
  const cases = DATA.cases.filter((c) => c.op === state.op && diagnosis.cases[c.id]);
  const kindOf = (c) => diagnosis.cases[c.id][0];
  const kinds = [...grouped(cases, kindOf)].sort((a, b) => b[1].length - a[1].length).map(([kind]) => kind);
  const rows = [...grouped(cases, (c) => c.variant)].sort(([a], [b]) => a.localeCompare(b)).map(([name, own]) => [
    name, String(own.length), ...kinds.map((kind) => String(own.filter((c) => kindOf(c) === kind).length || "")),
  ]);
  byId("classes").replaceChildren(plainTable("Cases by class", ["variant", "cases", ...kinds], rows, ["cases", ...kinds]));
}

function fitText(fit) {
  if (!fit) return "";
  const [low, high] = fit.interval_95;
  return `${fit.exponent.toFixed(2)} (${low.toFixed(2)} to ${high.toFixed(2)})`;
}

function drawExponents(diagnosis) {
  const order = (a, b) => b.flagged - a.flagged || b.fit.exponent - a.fit.exponent;
  const rows = ofOp(diagnosis.series).sort(order).map((s) => [
    s.variant, s.where, String(s.fit.sizes), fitText(s.fit), fitText(s.idle),
    s.flagged ? html("span", { class: "tag bad", text: "idle and linear" }) : "",
  ]);
  byId("exponents").replaceChildren(rows.length
    ? plainTable("Exponents", ["variant", "along", "sizes", "exponent", "of idle sizes", "flag"], rows, ["sizes", "exponent", "of idle sizes"])
    : nothing("No variant was timed at three sizes along one axis."));
}

function drawRegrets(diagnosis) {
  const own = ofOp(diagnosis.choices);
  const logs = own.map((c) => Math.log(1 + c.regret));
  const mean = Math.exp(logs.reduce((sum, each) => sum + each, 0) / Math.max(logs.length, 1)) - 1;
  byId("regret-note").textContent = own.length ? `Geometric mean ${(100 * mean).toFixed(2)}% over ${own.length} shapes; the worst ten:` : "";
  const rows = own.slice(0, 10).map((c) => [
    linkTo(c.id, c.id), c.picked || "-", digits(c.us), c.best, digits(c.best_us), `${(100 * c.regret).toFixed(1)}%`, c.said,
  ]);
  byId("regrets").replaceChildren(rows.length
    ? plainTable("Regret of auto", ["case", "picked", "us", "best", "best us", "regret", "note"], rows, ["us", "best us", "regret"])
    : nothing("No shape was timed with auto and another variant."));
}

function drawDiagnosis() {
  const diagnosis = found();
  if (diagnosis === null) {
    for (const id of ["findings", "classes", "exponents", "regrets"]) byId(id).replaceChildren(nothing("Nothing was measured for this choice."));
    byId("regret-note").textContent = "";
    return;
  }
  drawFindings(diagnosis);
  drawClasses(diagnosis);
  drawExponents(diagnosis);
  drawRegrets(diagnosis);
}

/// "latency-bound, idle device: 1 block for 132 SMs ..." of one case, or nothing.
function classText(id) {
  const own = found()?.cases[id];
  return own ? ` ${own[0]}: ${own[1]}.` : "";
}
