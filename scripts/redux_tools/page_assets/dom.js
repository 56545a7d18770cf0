// Making elements. Text always goes in as text: what a results file says is never markup.
const SVG = "http://www.w3.org/2000/svg";

function fill(element, attributes, children) {
  for (const [name, value] of Object.entries(attributes)) {
    if (name === "text") element.textContent = value;
    else if (name.startsWith("on")) element.addEventListener(name.slice(2), value);
    else if (value !== null && value !== undefined && value !== false) element.setAttribute(name, value);
  }
  element.append(...children.filter((child) => child !== null));
  return element;
}

const html = (tag, attributes = {}, ...children) => fill(document.createElement(tag), attributes, children);
const svg = (tag, attributes = {}, ...children) => fill(document.createElementNS(SVG, tag), attributes, children);
const byId = (id) => document.getElementById(id);

function options(select, values, labels, chosen) {
  select.replaceChildren(
    ...values.map((value, i) => html("option", { value, text: labels[i], ...(value === chosen && { selected: "" }) })),
  );
  select.disabled = values.length < 2;
}

/// Says it to screen readers.
function say(text) {
  byId("live").textContent = text;
}

function sortedUnique(values, order = (a, b) => a - b) {
  return [...new Set(values)].sort(order);
}

/// Map from key to list, in order of first appearance.
function grouped(items, keyOf) {
  const groups = new Map();
  for (const item of items) {
    const key = keyOf(item);
    if (!groups.has(key)) groups.set(key, []);
    groups.get(key).push(item);
  }
  return groups;
}
