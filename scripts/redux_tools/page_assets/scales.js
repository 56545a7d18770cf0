// Numbers to words and to places; colours, dashes and marks of variants.
const COLOURS = ["var(--c0)", "var(--c1)", "var(--c2)", "var(--c3)", "var(--c4)", "var(--c5)", "var(--c6)"];
const DASHES = ["", "8 3", "2 3", "10 3 2 3"];
const MARKS = ["circle", "square", "triangle", "diamond", "cross", "down"];

/// Colour, dash and mark come round at different lengths, so that no two of many are alike, and no
/// two differ by colour alone.
function styleOf(index) {
  return {
    colour: COLOURS[index % COLOURS.length],
    dash: DASHES[Math.floor(index / COLOURS.length) % DASHES.length],
    mark: MARKS[index % MARKS.length],
  };
}

function markPath(kind, x, y, r = 4.5) {
  const at = (...points) => "M" + points.map(([dx, dy]) => `${x + dx * r} ${y + dy * r}`).join("L") + "Z";
  switch (kind) {
    case "square": return at([-0.9, -0.9], [0.9, -0.9], [0.9, 0.9], [-0.9, 0.9]);
    case "triangle": return at([0, -1.15], [1.1, 0.85], [-1.1, 0.85]);
    case "down": return at([0, 1.15], [1.1, -0.85], [-1.1, -0.85]);
    case "diamond": return at([0, -1.25], [1.25, 0], [0, 1.25], [-1.25, 0]);
    case "cross": return at([-1, -0.4], [-0.4, -0.4], [-0.4, -1], [0.4, -1], [0.4, -0.4], [1, -0.4], [1, 0.4],
      [0.4, 0.4], [0.4, 1], [-0.4, 1], [-0.4, 0.4], [-1, 0.4]);
    default: return `M${x - r} ${y}a${r} ${r} 0 1 0 ${2 * r} 0a${r} ${r} 0 1 0 ${-2 * r} 0Z`;
  }
}

/// Four digits; from 10000 on all of those before the point.
function digits(value, count = 4) {
  if (value === null || value === undefined || !Number.isFinite(value)) return "-";
  if (value === 0) return "0";
  if (Math.abs(value) >= 1e4) return Math.abs(value) < 1e9 ? value.toFixed(0) : value.toPrecision(3);
  return Math.abs(value) < 1e-3 ? value.toPrecision(3) : Number(value.toPrecision(count)).toString();
}

const POWERS = [[2 ** 30, "Gi"], [2 ** 20, "Mi"], [2 ** 10, "Ki"]];
function count(value) {
  for (const [unit, name] of POWERS) if (value >= unit && value % unit === 0) return `${value / unit}${name}`;
  return String(value);
}

const percent = (share) => (share === null ? "-" : `${(100 * share).toFixed(1)}%`);
const signed = (share) => (share === null ? "-" : `${share >= 0 ? "+" : ""}${(100 * share).toFixed(1)}%`);

function logScale(low, high, from, to) {
  const a = Math.log(low), b = Math.log(high);
  const wide = b - a || 1;
  const scale = (value) => from + ((Math.log(value) - a) / wide) * (to - from);
  scale.ticks = logTicks(low, high);
  return scale;
}

function linearScale(low, high, from, to) {
  const wide = high - low || 1;
  const scale = (value) => from + ((value - low) / wide) * (to - from);
  const step = niceStep(wide / 6);
  scale.ticks = [];
  for (let tick = Math.ceil(low / step) * step; tick <= high + step * 1e-9; tick += step) scale.ticks.push(tick);
  return scale;
}

function niceStep(rough) {
  const power = 10 ** Math.floor(Math.log10(rough));
  return [1, 2, 5, 10].map((factor) => factor * power).find((step) => step >= rough);
}

/// Powers of ten, with 2 and 5 between where there is room.
function logTicks(low, high) {
  const decades = Math.log10(high / low);
  const factors = decades > 3.5 ? [1] : decades > 1.2 ? [1, 2, 5] : [1, 1.5, 2, 3, 4, 5, 6, 7, 8, 9];
  const ticks = [];
  for (let power = Math.floor(Math.log10(low)); power <= Math.ceil(Math.log10(high)); power += 1) {
    for (const factor of factors) {
      const tick = factor * 10 ** power;
      if (tick >= low * 0.999 && tick <= high * 1.001) ticks.push(tick);
    }
  }
  const most = 9;
  return ticks.length > most ? ticks.filter((_, i) => i % Math.ceil(ticks.length / most) === 0) : ticks;
}

function axisText(value) {
  if (value >= 1e9) return `${digits(value / 1e9, 3)}G`;
  if (value >= 1e6) return `${digits(value / 1e6, 3)}M`;
  if (value >= 1e4) return `${digits(value / 1e3, 3)}k`;
  return digits(value, 3);
}
