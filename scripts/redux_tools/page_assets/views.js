// What each chart shows of the chosen op, type and timing.
const state = { op: "", group: "", metric: "", slice: "", against: "", work: "", id: "", hidden: new Set() };
let DATA = null;
let STYLES = new Map(); // variant -> style

const timeOf = (c) => c.timings[state.metric]?.median ?? null;
const isCold = () => state.metric.endsWith("/cold");
const inGroup = () => DATA.cases.filter((c) => c.op === state.op && c.group === state.group);
const chosen = () => inGroup().filter((c) => timeOf(c) !== null && !state.hidden.has(c.variant));
const floorOf = (backend) => DATA.floors_us[`${backend} ${state.metric.split("/")[0]}`] ?? null;
const ceilingOf = (backend) => (isCold() ? DATA.ceilings_gbps[backend] ?? null : null);
const gbpsOf = (c, us) => (c.bytes > 0 && us > 0 ? c.bytes / us / 1e3 : null);

function shareOf(c, us = timeOf(c)) {
  const ceiling = ceilingOf(c.backend), gbps = gbpsOf(c, us);
  return ceiling && gbps ? gbps / ceiling : null;
}

const byShape = (a, b) => a.elements - b.elements || a.rows - b.rows || a.shape.localeCompare(b.shape);

function pointText(c) {
  const share = shareOf(c);
  const picked = c.picked ? ` (picked ${c.picked})` : "";
  return `${c.shape}${picked}: ${digits(timeOf(c))} us${share === null ? "" : `, ${percent(share)} of the ceiling`}${gatherText(c, timeOf(c))}`;
}

/// What the edges read, most of it from caches: not to be measured by the ceiling.
const gatherText = (c, us) => (c.gathered_bytes > 0 && us > 0 ? `, ${digits(c.gathered_bytes / us / 1e3)} GB/s gathered` : "");

/// One series a variant; `place(c)` gives {x, y} or null.
function seriesOf(cases, place, joined = true) {
  return [...grouped(cases, (c) => c.variant)].map(([name, own]) => ({
    name, joined, style: STYLES.get(name),
    points: own.map((c) => ({ c, at: place(c) })).filter(({ at }) => at !== null)
      .map(({ c, at }) => ({ ...at, text: at.text || pointText(c), id: c.id }))
      .sort((a, b) => a.x - b.x),
  })).filter((each) => each.points.length > 0);
}

// ---- heat map: a table, so that it can be read and walked through as one

function drawHeat() {
  const all = chosen();
  // A variant that picks another one is not better than the one that it picks.
  const direct = all.filter((c) => !c.picked);
  const cases = direct.length > 0 ? direct : all;
  const host = byId("heat");
  if (cases.length === 0) {
    host.replaceChildren(html("p", { class: "empty", text: "Nothing was measured for this choice." }));
    return;
  }
  const axes = heatAxes(cases);
  const clash = [...grouped(cases, (c) => `${axes.down.of(c)} ${axes.along.of(c)}`).values()]
    .some((own) => distinct(own, (c) => c.shape) > 1);
  host.replaceChildren(clash ? heatList(cases) : heatGrid(cases, axes));
}

/// {down, along}: the sides of the grid; the longer one goes down the page where it would not fit along.
function heatAxes(cases) {
  const side = (name, of, text, order) => ({ name, of, text, values: sortedUnique(cases.map(of), order) });
  const natural = (a, b) => a.localeCompare(b, "en", { numeric: true });
  const graphs = hasGraphs(cases);
  const down = graphs ? side("graph", (c) => c.graph, String, natural) : side("rows", (c) => c.rows, count);
  const along = side(graphs ? "features" : "cols", (c) => c.cols, count);
  return along.values.length > 9 && along.values.length > down.values.length ? { down: along, along: down } : { down, along };
}

const fastest = (cases) => cases.reduce((best, c) => (timeOf(c) < timeOf(best) ? c : best));

function heatCell(cases) {
  if (!cases) return html("td");
  const best = fastest(cases);
  const share = shareOf(best);
  const times = `${digits(timeOf(best))} us${share === null ? "" : `, ${percent(share)}`}`;
  const button = html("button", {
    type: "button", style: `--hue:${STYLES.get(best.variant).colour}`, onclick: () => openCase(best.id),
    "aria-label": `${best.shape}: ${best.variant}, ${times}${share === null ? "" : " of the ceiling"}`,
  }, html("strong", { text: best.variant }), html("span", { text: times }));
  return html("td", {}, button);
}

function heatGrid(cases, { down, along }) {
  const cells = grouped(cases, (c) => `${down.of(c)} ${along.of(c)}`);
  const head = html("tr", {}, html("th", { scope: "col", text: `${down.name} \\ ${along.name}` }),
    ...along.values.map((value) => html("th", { scope: "col", text: along.text(value) })));
  const body = down.values.map((value) => html("tr", {},
    html("th", { scope: "row", class: typeof value === "number" ? "number" : null, text: down.text(value) }),
    ...along.values.map((other) => heatCell(cells.get(`${value} ${other}`)))));
  return html("table", { class: "heat" },
    html("caption", { class: "unseen", text: `Best variant by ${down.name} and ${along.name}` }),
    html("thead", {}, head), html("tbody", {}, ...body));
}

function heatList(cases) {
  const body = [...grouped([...cases].sort(byShape), (c) => c.shape)].map(([shape, own]) =>
    html("tr", {}, html("th", { scope: "row", text: shape }), heatCell(own)));
  return html("table", { class: "heat" }, html("caption", { class: "unseen", text: "Best variant by shape" }),
    html("thead", {}, html("tr", {}, html("th", { scope: "col", text: "shape" }), html("th", { scope: "col", text: "best" }))),
    html("tbody", {}, ...body));
}

// ---- time against size

function drawLines() {
  const found = slices();
  const slice = found.find((each) => each.key === state.slice) || found[0];
  options(byId("slice"), found.map((s) => s.key), found.map((s) => s.text), slice.key);
  const cases = slice.own.filter((c) => !state.hidden.has(c.variant));
  const backend = cases.find((c) => c.backend !== "host")?.backend || "host";
  const sized = [...grouped(cases.filter((c) => c.backend === backend), slice.x)]
    .map(([x, own]) => [x, Math.min(...own.map((c) => c.bytes))]).sort((a, b) => a[0] - b[0]);
  const limits = [];
  const ceiling = ceilingOf(backend);
  // A limit far below everything would leave the lines a strip at the top.
  const near = (us) => cases.length > 0 && us > 0 && us * 30 >= Math.min(...cases.map(timeOf));
  const floor = near(floorOf(backend)) ? floorOf(backend) : null;
  const least = ceiling ? Math.max(0, ...sized.map(([, bytes]) => bytes / ceiling / 1e3)) : 0;
  if (floor && sized.length) limits.push({ name: "floor: an empty call", at: "start", points: sized.map(([x]) => [x, floor]) });
  if (near(least)) {
    limits.push({ name: "read ceiling", below: true, points: sized.map(([x, bytes]) => [x, bytes / ceiling / 1e3]) });
  }
  plot(byId("lines"), {
    label: `${state.op} ${state.group}: time against ${slice.label}`,
    x: { label: slice.label, kind: "log" },
    y: { label: "microseconds a call", kind: "log", also: [floor, near(least) ? least : null].filter(Boolean) },
    series: seriesOf(cases, (c) => ({ x: slice.x(c), y: timeOf(c) }), slice.joined), limits,
  });
}

// ---- speed-up

function drawSpeed() {
  const cases = inGroup().filter((c) => timeOf(c) !== null);
  const variants = [...new Set(cases.map((c) => c.variant))];
  const wanted = [state.against, cases.find((c) => variants.includes(c.compare_to))?.compare_to, variants[0]];
  const against = wanted.find((name) => variants.includes(name)) || "";
  options(byId("against"), variants, variants, against);
  const base = new Map(cases.filter((c) => c.variant === against).map((c) => [c.shape, timeOf(c)]));
  const shapes = [...new Set([...cases].sort(byShape).map((c) => c.shape))].filter((shape) => base.has(shape));
  const shown = cases.filter((c) => !state.hidden.has(c.variant) && base.has(c.shape));
  plot(byId("speed"), {
    label: `${state.op} ${state.group}: speed-up against ${against}`,
    x: { label: "shape, from few elements to many", kind: "names", names: shapes },
    y: { label: `times as fast as ${against}`, kind: "log", also: [1], text: (v) => `${digits(v, 3)}x` },
    lines: [{ y: 1 }],
    series: seriesOf(shown, (c) => {
      const ratio = base.get(c.shape) / timeOf(c);
      return { x: shapes.indexOf(c.shape), y: ratio, text: `${c.shape}: ${digits(ratio, 3)}x as fast` };
    }, false),
  });
}

// ---- equal work

function drawIso() {
  const cases = inGroup().filter((c) => timeOf(c) !== null && c.elements > 0);
  const axis = workAxis(cases);
  const works = [...grouped(cases, (c) => c.elements)].filter(([, own]) => distinct(own, axis.x) > 2);
  works.sort((a, b) => distinct(b[1], (c) => c.shape) - distinct(a[1], (c) => c.shape));
  const work = works.find(([elements]) => String(elements) === state.work) || works[0];
  options(byId("work"), works.map(([e]) => String(e)), works.map(([e]) => count(e)), work ? String(work[0]) : "");
  const shown = work ? work[1].filter((c) => !state.hidden.has(c.variant)) : [];
  plot(byId("iso"), {
    label: `${state.op} ${state.group}: equal work in other shapes`,
    x: { label: axis.label, kind: "log" },
    y: { label: "microseconds a call", kind: "log" },
    series: seriesOf(shown, (c) => ({ x: axis.x(c), y: timeOf(c) })),
  });
  const ratios = [...grouped(shown, (c) => c.variant)].filter(([, own]) => own.length > 1).map(([name, own]) => {
    const times = own.map(timeOf);
    return [name, Math.max(...times) / Math.min(...times), own.length];
  }).sort((a, b) => a[1] - b[1]);
  if (ratios.length) {
    const text = ratios.map(([name, ratio, n]) => `${name} ${digits(ratio, 3)}x over ${n}`).join(", ");
    byId("iso").append(html("p", { class: "note", id: "cliff", text: `Cliff ratio, slowest shape over fastest: ${text}.` }));
  }
}

// ---- roofline

function drawRoof() {
  const cases = chosen().filter((c) => gbpsOf(c, timeOf(c)) !== null);
  const limits = [];
  const bytes = sortedUnique(cases.map((c) => c.bytes));
  const backend = cases.find((c) => c.backend !== "host")?.backend || "host";
  const floor = floorOf(backend), ceiling = ceilingOf(backend);
  const span = bytes.length > 1 ? [bytes[0], bytes[bytes.length - 1]] : bytes;
  if (ceiling && bytes.length) limits.push({ name: "read ceiling", points: span.map((b) => [b, ceiling]) });
  if (floor && bytes.length) {
    const last = span[span.length - 1];
    const most = ceiling ? Math.min(last, ceiling * floor * 1e3) : last;
    if (most > span[0]) limits.push({ name: "floor", at: "start", points: [span[0], most].map((b) => [b, b / floor / 1e3]) });
  }
  plot(byId("roof"), {
    label: `${state.op} ${state.group}: bandwidth against bytes`,
    x: { label: "bytes that have to be moved", kind: "log" },
    y: { label: "GB/s", kind: "log", also: ceiling ? [ceiling] : [] },
    series: seriesOf(cases, (c) => ({ x: c.bytes, y: gbpsOf(c, timeOf(c)),
      text: `${c.shape}: ${digits(gbpsOf(c, timeOf(c)))} GB/s` }), false),
    limits,
  });
}

// ---- samples of one case

function drawSamples() {
  const cases = inGroup().filter((c) => timeOf(c) !== null);
  const one = cases.find((c) => c.id === state.id) || cases[0];
  options(byId("case"), cases.map((c) => c.id), cases.map((c) => `${c.variant} ${c.shape}`), one?.id);
  const timing = one?.timings[state.metric];
  const rounds = timing ? timing.samples : [];
  plot(byId("dist"), {
    label: one ? `${one.id}: samples of ${state.metric}` : "samples",
    x: { label: "microseconds a call", kind: "linear", text: (v) => digits(v) },
    y: { label: "round", kind: "linear", low: 0.5, high: rounds.length + 0.5, text: (v) => (Number.isInteger(v) ? String(v) : "") },
    series: rounds.map((samples, r) => ({
      name: `round ${r + 1}`, joined: false, style: styleOf(r),
      // Spread out by their place in time, upwards.
      points: samples.map((us, i) => ({ x: us, y: r + 1 + 0.6 * (i / Math.max(samples.length - 1, 1) - 0.5),
        text: `sample ${i + 1}: ${digits(us)} us` })),
    })),
    limits: timing ? [{ name: `median ${digits(timing.median)} us`, points: [[timing.median, 0.5], [timing.median, rounds.length + 0.5]] }] : [],
  });
  byId("case-facts").replaceChildren(...caseFacts(one, timing));
}

function caseFacts(one, timing) {
  if (!one || !timing) return [];
  const spread = timing.rounds.length > 1 ? ` Medians of the rounds: ${timing.rounds.map((us) => digits(us)).join(", ")} us.` : "";
  const ci = timing.ci ? ` 95% interval of the first round's median ${digits(timing.ci[0])} to ${digits(timing.ci[1])} us.` : "";
  return [`${one.id}, ${state.metric}: median ${digits(timing.median)} us${gatherText(one, timing.median)}.${classText(one.id)}${ci}${spread} To run it alone: `, html("code", { text: one.repro })];
}
