// Starts the page: facts, verdict, choices, and what is drawn again when a choice changes.
function drawAll() {
  drawLegend();
  drawDiagnosis();
  drawHeat();
  drawLines();
  drawSpeed();
  drawIso();
  drawRoof();
  drawSamples();
  drawTable();
}

function chooseOp(op) {
  state.op = op;
  const groups = [...new Set(DATA.cases.filter((c) => c.op === op).map((c) => c.group))];
  const sizes = grouped(DATA.cases.filter((c) => c.op === op), (c) => c.group);
  groups.sort((a, b) => sizes.get(b).length - sizes.get(a).length); // of equals the one that the config has first
  state.group = groups.includes(state.group) ? state.group : groups[0];
  options(byId("group"), groups, groups, state.group);
  // Colours belong to an op's variants: one that is shown keeps its own whatever else is hidden.
  const variants = [...new Set(DATA.cases.filter((c) => c.op === op).map((c) => c.variant))].sort();
  STYLES = new Map(variants.map((name, i) => [name, styleOf(i)]));
}

function drawLegend() {
  const variants = [...new Set(inGroup().filter((c) => timeOf(c) !== null).map((c) => c.variant))].sort();
  byId("legend").replaceChildren(...variants.map((name) => {
    const { colour, dash, mark } = STYLES.get(name);
    const sample = svg("svg", { viewBox: "0 0 34 14", "aria-hidden": "true" },
      svg("path", { d: "M1 7H33", style: `stroke:${colour};stroke-width:2`, "stroke-dasharray": dash || null }),
      svg("path", { d: markPath(mark, 17, 7), style: `stroke:${colour};stroke-width:1.5;fill:var(--paper)` }));
    return html("button", { type: "button", "aria-pressed": String(!state.hidden.has(name)), "data-variant": name,
      onclick: () => toggle(name) }, sample, name);
  }));
}

function toggle(name) {
  if (!state.hidden.delete(name)) state.hidden.add(name);
  drawAll();
  byId("legend").querySelector(`[data-variant="${CSS.escape(name)}"]`)?.focus();
}

function openCase(id, metric = null) {
  const found = DATA.cases.find((c) => c.id === id);
  if (found.op !== state.op) {
    byId("op").value = found.op;
    chooseOp(found.op);
  }
  state.group = found.group;
  byId("group").value = found.group;
  if (metric) {
    state.metric = metric;
    byId("metric").value = metric;
  }
  state.id = id;
  drawAll();
  byId("h-dist").scrollIntoView({ block: "start" });
  byId("case").focus({ preventScroll: true });
}

function drawBanner() {
  const verdict = DATA.verdict;
  const banner = byId("banner");
  if (!verdict) {
    const counts = [...grouped(DATA.cases, (c) => c.status)].map(([status, own]) => `${own.length} ${status}`).join(", ");
    const bad = DATA.cases.some((c) => BAD.has(c.status));
    banner.className = `banner ${bad ? "bad" : "plain"}`;
    banner.append(html("p", { class: "said", text: `${DATA.cases.length} cases: ${counts}` }),
      html("p", { text: "No verdict: these results were compared with no baseline." }));
    return;
  }
  const counts = Object.entries(verdict.counts).map(([word, number]) => `${number} ${word}`).join(", ");
  banner.className = `banner ${verdict.exit_code === 0 ? (verdict.gate ? "good" : "plain") : "bad"}`;
  banner.append(html("p", { class: "said", text: verdict.verdict }), html("p", { text: `${counts || "no case"}.` }));
  const worst = verdict.rows.filter((row) => row.exit_code !== 0).slice(0, 5)
    .map((row) => html("li", {}, `${[row.verdict, row.id, row.metric].filter(Boolean).join(" ")}: ${row.reason} `, html("code", { text: row.repro })));
  const said = [...verdict.notices, ...verdict.warnings].slice(0, 8).map((text) => html("li", { text }));
  if (worst.length + said.length) banner.append(html("ul", {}, ...worst, ...said));
}

function startTheme() {
  const dark = window.matchMedia("(prefers-color-scheme: dark)");
  const set = (theme) => {
    document.documentElement.dataset.theme = theme;
    byId("theme").setAttribute("aria-pressed", String(theme === "dark"));
  };
  set(dark.matches ? "dark" : "light");
  dark.addEventListener("change", () => set(dark.matches ? "dark" : "light"));
  byId("theme").addEventListener("click", () => set(document.documentElement.dataset.theme === "dark" ? "light" : "dark"));
}

function start() {
  DATA = JSON.parse(byId("data").textContent);
  // Looked up by names out of a results file, and a case may be called "constructor".
  for (const map of [DATA.floors_us, DATA.ceilings_gbps, ...Object.values(DATA.diagnosis).map((each) => each.cases)]) {
    Object.setPrototypeOf(map, null);
  }
  startTheme();
  drawBanner();
  byId("facts").append(...DATA.facts.flatMap(([name, value]) => [html("dt", { text: name }), html("dd", { text: value })]));
  const ops = [...new Set(DATA.cases.map((c) => c.op))];
  state.metric = DATA.metrics[0] || "";
  options(byId("op"), ops, ops, ops[0]);
  options(byId("metric"), DATA.metrics, DATA.metrics, state.metric);
  chooseOp(ops[0]);
  const on = (id, change) => byId(id).addEventListener("change", (event) => { change(event.target.value); drawAll(); });
  on("op", chooseOp);
  on("group", (value) => { state.group = value; });
  on("metric", (value) => { state.metric = value; });
  on("slice", (value) => { state.slice = value; });
  on("against", (value) => { state.against = value; });
  on("work", (value) => { state.work = value; });
  on("case", (value) => { state.id = value; });
  startTable();
  drawAll();
  document.documentElement.dataset.ready = "yes";
}

start();
