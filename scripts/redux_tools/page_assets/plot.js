// One chart: axes, lines, marks, limits; pointer and arrow keys read the points; a table says the same.
const WIDTH = 960, HEIGHT = 400, LEFT = 80, RIGHT = 20, TOP = 14, BOTTOM = 58, SLANT = 55, LONGEST = 24;

/// series: [{name, style, points: [{x, y, text, id}], joined}]; limits: [{name, points: [[x, y]], at: "start", below}];
/// x, y: {label, kind: "log" | "linear" | "names", names, low, high}.
function plot(host, { label, x, y, series, limits = [], lines = [] }) {
  const all = series.flatMap((each) => each.points);
  if (all.length === 0) {
    host.replaceChildren(html("p", { class: "empty", text: "Nothing to draw for this choice." }));
    return;
  }
  const xs = scaleOf(x, all.map((p) => p.x), LEFT, WIDTH - RIGHT);
  const bottom = HEIGHT - BOTTOM, height = HEIGHT + (x.kind === "names" ? slantOf(x.names) : 0);
  const ys = scaleOf(y, [...all.map((p) => p.y), ...(y.also || [])], bottom, TOP);
  const cursor = svg("path", { class: "cursor", visibility: "hidden" });
  const clip = `clip-${host.id}`;
  const inside = svg("g", { "clip-path": `url(#${clip})` });
  const picture = svg("svg", {
    viewBox: `0 0 ${WIDTH} ${height}`, role: "application", tabindex: "0",
    "aria-label": `${label}. Arrow keys read the points: left and right along a line, up and down between lines.`,
  },
  svg("defs", {}, svg("clipPath", { id: clip },
    svg("rect", { x: LEFT, y: TOP - 6, width: WIDTH - LEFT - RIGHT, height: bottom - TOP + 12 }))),
  axes(x, xs, y, ys, bottom, height), inside, cursor);
  const labels = limits.map((limit) => drawLimit(inside, limit, xs, ys, bottom));
  for (const line of lines) inside.append(svg("line", { class: "limit", x1: LEFT, x2: WIDTH - RIGHT, y1: ys(line.y), y2: ys(line.y) }));
  const placed = series.map((each) => drawSeries(inside, each, xs, ys));
  picture.append(...labels);  // over the marks, which would hide them
  listen(picture, cursor, series, placed);
  host.replaceChildren(picture, dataTable(label, x, y, series));
}

function scaleOf(axis, values, from, to) {
  if (axis.kind === "names") {
    const step = (to - from) / axis.names.length;
    const scale = (index) => from + (index + 0.5) * step;
    scale.ticks = axis.names.map((_, index) => index);
    return scale;
  }
  let low = axis.low ?? Math.min(...values), high = axis.high ?? Math.max(...values);
  if (axis.kind === "log") {
    const room = high > low ? Math.max((high / low) ** 0.04, 1.05) : 2;
    return logScale(low / room, high * room, from, to);
  }
  const room = 0.05 * (high - low || Math.abs(high) || 1);
  return linearScale(low - room, high + room, from, to);
}

function axes(x, xs, y, ys, bottom, height) {
  const group = svg("g", { "aria-hidden": "true" });
  for (const tick of ys.ticks) {
    const at = ys(tick);
    group.append(svg("line", { class: "gridline", x1: LEFT, x2: WIDTH - RIGHT, y1: at, y2: at }),
      svg("text", { x: LEFT - 8, y: at + 4, "text-anchor": "end", class: "soft", text: (y.text || axisText)(tick) }));
  }
  const slant = height > HEIGHT;
  const every = slant ? Math.ceil((x.names.length * 17) / (WIDTH - LEFT - RIGHT)) : 1;
  for (const tick of xs.ticks.filter((_, i) => i % every === 0)) {
    const at = xs(tick);
    group.append(svg("line", { class: "gridline", x1: at, x2: at, y1: TOP, y2: bottom }));
    const text = x.kind === "names" ? shortened(x.names[tick]) : (x.text || axisText)(tick);
    group.append(slant
      ? svg("text", { transform: `translate(${at + 5} ${bottom + 17}) rotate(-${SLANT})`, "text-anchor": "end", class: "soft", text })
      : svg("text", { x: at, y: bottom + 19, "text-anchor": "middle", class: "soft", text }));
  }
  group.append(svg("path", { class: "axis", d: `M${LEFT} ${TOP}V${bottom}H${WIDTH - RIGHT}` }),
    svg("text", { x: (LEFT + WIDTH) / 2, y: height - 14, "text-anchor": "middle", text: x.label }),
    svg("text", { transform: `translate(17 ${(TOP + bottom) / 2}) rotate(-90)`, "text-anchor": "middle", text: y.label }));
  return group;
}

/// The point's own text says all of it.
const shortened = (name) => (name.length > LONGEST ? `${name.slice(0, LONGEST - 1)}\u2026` : name);

/// Names that would touch each other stand aslant: how much more height they need than level ones.
function slantOf(names) {
  const longest = 7 * Math.max(...names.map((name) => shortened(name).length));
  const fits = (longest + 12) * names.length <= WIDTH - LEFT - RIGHT;
  return fits ? 0 : longest * Math.sin((SLANT * Math.PI) / 180);
}

function drawLimit(group, limit, xs, ys, bottom) {
  const d = limit.points.length === 1  // of one size: nothing to slope along
    ? `M${LEFT} ${ys(limit.points[0][1])}H${WIDTH - RIGHT}`
    : "M" + limit.points.map(([px, py]) => `${xs(px)} ${ys(py)}`).join("L");
  group.append(svg("path", { class: "limit", d }));
  const start = limit.at === "start", alone = limit.points.length === 1;
  const [px, py] = limit.points[start ? 0 : limit.points.length - 1];
  // Above the line where there is room, else below it.
  const above = ys(py) - 7;
  const at = Math.min(limit.below || above < TOP + 12 ? ys(py) + 17 : above, bottom - 6);
  return svg("text", {
    x: start ? Math.max(alone ? LEFT : xs(px), LEFT) + 6 : Math.min(alone ? WIDTH : xs(px), WIDTH - RIGHT) - 6, y: at,
    "text-anchor": start ? "start" : "end", class: "halo", text: limit.name,
  });
}

function drawSeries(group, each, xs, ys) {
  const places = each.points.map((p) => [xs(p.x), ys(p.y)]);
  if (each.joined !== false && places.length > 1) {
    group.append(svg("path", { class: "series", d: "M" + places.map((p) => p.join(" ")).join("L"),
      style: `stroke:${each.style.colour}`, "stroke-dasharray": each.style.dash || null }));
  }
  for (const [px, py] of places) {
    group.append(svg("path", { class: "mark", d: markPath(each.style.mark, px, py), style: `stroke:${each.style.colour}` }));
  }
  return places;
}

/// The pointer shows the nearest point, the arrow keys go from point to point.
function listen(picture, cursor, series, placed) {
  let line = 0, index = -1;
  const show = (spoken) => {
    const point = series[line].points[index];
    const [px, py] = placed[line][index];
    cursor.setAttribute("d", markPath("circle", px, py, 8));
    cursor.setAttribute("visibility", "visible");
    const box = picture.getBoundingClientRect();
    const ratio = box.width / WIDTH;
    tip(`${series[line].name}\n${point.text}`, box.left + px * ratio, box.top + py * ratio);
    if (spoken) say(`${series[line].name}: ${point.text}`);
  };
  const hide = () => {
    cursor.setAttribute("visibility", "hidden");
    byId("tip").hidden = true;
  };
  picture.addEventListener("pointermove", (event) => {
    const box = picture.getBoundingClientRect();
    const mx = ((event.clientX - box.left) / box.width) * WIDTH, my = ((event.clientY - box.top) / box.height) * HEIGHT;
    let best = 30 * 30;
    index = -1;
    placed.forEach((places, i) => places.forEach(([px, py], j) => {
      const distance = (px - mx) ** 2 + (py - my) ** 2;
      if (distance < best) [best, line, index] = [distance, i, j];
    }));
    if (index >= 0) show(false);
    else hide();
  });
  picture.addEventListener("pointerleave", hide);
  picture.addEventListener("blur", hide);
  picture.addEventListener("keydown", (event) => {
    const [dl, di] = { ArrowLeft: [0, -1], ArrowRight: [0, 1], ArrowUp: [-1, 0], ArrowDown: [1, 0] }[event.key] || [null, 0];
    if (dl === null) return;
    event.preventDefault();
    line = (line + dl + series.length) % series.length;
    if (series[line].points.length === 0) return;
    index = Math.min(Math.max(index + di, 0), series[line].points.length - 1);
    show(true);
  });
}

function tip(text, left, top) {
  const box = byId("tip");
  box.textContent = text;
  box.hidden = false;
  const most = document.documentElement.clientWidth - box.offsetWidth - 8;
  box.style.left = `${Math.max(4, Math.min(left + 14, most)) + window.scrollX}px`;
  box.style.top = `${top + 14 + window.scrollY}px`;
}

function dataTable(label, x, y, series) {
  const box = html("details", { class: "data" }, html("summary", { text: "These numbers as a table" }));
  // Made when it is wanted: there may be many points.
  box.addEventListener("toggle", () => {
    if (!box.open || box.querySelector("table")) return;
    const body = series.flatMap((each) => each.points.map((point) => html("tr", {},
      html("th", { scope: "row", text: each.name }),
      html("td", { class: "number", text: x.kind === "names" ? x.names[point.x] : digits(point.x) }),
      html("td", { class: "number", text: digits(point.y) }))));
    box.append(html("div", { class: "scroll" }, html("table", {}, html("caption", { class: "unseen", text: label }),
      html("thead", {}, html("tr", {}, html("th", { scope: "col", text: "series" }),
        html("th", { scope: "col", class: "number", text: x.label }), html("th", { scope: "col", class: "number", text: y.label }))),
      html("tbody", {}, ...body))));
  });
  return box;
}
