// Which cases belong together: on one line of the chart of times, in one comparison of equal work.
const distinct = (cases, of) => new Set(cases.map(of)).size;
const hasGraphs = (cases) => cases.some((c) => c.graph);

const SIDES = {
  rows: { text: (v) => `${count(v)} ${v === 1 ? "row" : "rows"}, by columns`, x: (c) => c.cols, label: "columns" },
  cols: { text: (v) => `${count(v)} ${v === 1 ? "column" : "columns"}, by rows`, x: (c) => c.rows, label: "rows" },
};

function tensorSlices(cases) {
  return Object.entries(SIDES).flatMap(([side, { text, x, label }]) => [...grouped(cases, (c) => c[side])].map(
    ([value, own]) => ({ key: `${side} ${value}`, text: text(value), own, x, label, joined: true })));
}

/// One graph with other numbers of features, and graphs of one kind that have other sizes.
function graphSlices(cases) {
  const wide = [...grouped(cases, (c) => c.graph)].map(([name, own]) => (
    { key: `graph ${name}`, text: `${name}, by features`, own, x: (c) => c.cols, label: "features", joined: true }));
  const kinds = [...grouped(cases, (c) => `${c.kind} ${c.cols}`)].map(([key, own]) => {
    const label = distinct(own, (c) => c.edges) >= distinct(own, (c) => c.rows) ? "edges" : "nodes";
    const x = label === "edges" ? (c) => c.edges : (c) => c.rows;
    const { kind, cols } = own[0];
    // Two graphs of one size differ in something else, and no line leads from one to the other.
    const joined = distinct(own, x) === distinct(own, (c) => c.graph);
    return { key: `kind ${key}`, text: `${kind}, ${cols} ${cols === 1 ? "feature" : "features"}, by ${label}`, own, x, label, joined };
  });
  return [...wide, ...kinds];
}

/// {key, text, own, x, label, joined}, the one of the most sizes first, every shape last.
function slices() {
  const cases = inGroup().filter((c) => timeOf(c) !== null && c.elements > 0);
  const graphs = hasGraphs(cases);
  const found = (graphs ? graphSlices(cases) : tensorSlices(cases)).map((s) => ({ ...s, sizes: distinct(s.own, s.x) }))
    .filter((s) => s.sizes > 1).sort((a, b) => b.sizes - a.sizes);
  const label = graphs ? "edges x features" : "elements";
  const text = graphs ? "every graph, by edges x features" : "every shape, by elements";
  found.push({ key: "all", text, own: cases, x: (c) => c.elements, label, joined: false });
  return found;
}

/// What equal work differs in: {label, x}.
function workAxis(cases) {
  return hasGraphs(cases)
    ? { label: "edges a node", x: (c) => c.edges / c.rows }
    : { label: "columns (along what is reduced)", x: (c) => c.cols };
}
