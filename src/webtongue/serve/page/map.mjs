// A small map of the countries where a language is spoken, from TopoJSON, cropped to these countries.

import { formatShare } from "./statement.mjs";

const NS = "http://www.w3.org/2000/svg";
const MIN_WIDTH = 56, MAX_WIDTH = 350, RATIO = 1.75, MARGIN = 1.25; // widths in degrees
const NORTH = -108, SOUTH = 66; // edges of all maps, after projection
const MIN_MAIN_SHARE = 0.2; // of a country's population: the map is cropped to countries above it, and to those where the language is official
const MAX_NAMES = 6;

/** Return the ordinate of a latitude in Miller's projection, which enlarges the north less than Mercator's. */
const projectLatitude = (degrees) => -1.25 * Math.log(Math.tan(Math.PI / 4 + (0.4 * degrees * Math.PI) / 180)) * (180 / Math.PI);

let world; // a promise of the shapes, which are loaded for the first map

function load() {
  world ??= fetch("page/world.json").then((response) => response.json()).then(parseTopology);
  return world;
}

/** Return a ring that crosses the date line (Chukotka, Fiji) twice, continued beyond each edge of the map; other rings as they are. */
function splitAtDateLine(ring) {
  let shift = 0;
  const continued = ring.map(([x, y], i) => {
    const step = i ? x - ring[i - 1][0] : 0;
    if (Math.abs(step) > 180) shift -= 360 * Math.sign(step);
    return [x + shift, y];
  });
  const edge = Math.max(...continued.map(([x]) => Math.abs(x)));
  if (shift || edge <= 181) return [ring]; // it crosses nothing, or surrounds the pole
  const opposite = continued.some(([x]) => x > 181) ? -360 : 360;
  return [continued, continued.map(([x, y]) => [x + opposite, y])];
}

/** Return the rings of each country, and the positions of countries without a shape. */
function parseTopology(topology) {
  const { scale: [kx, ky], translate: [dx, dy] } = topology.transform;
  const arcs = topology.arcs.map((arc) => {
    let x = 0, y = 0;
    return arc.map(([a, b]) => [(x += a) * kx + dx, projectLatitude((y += b) * ky + dy)]);
  });
  const joinArcs = (numbers) => numbers.flatMap((n) => (n < 0 ? arcs[~n].toReversed() : arcs[n]));
  const shapes = new Map();
  for (const shape of topology.objects.countries.geometries) {
    shapes.set(shape.id, shape.arcs.flat().map(joinArcs).flatMap(splitAtDateLine));
  }
  const points = new Map(Object.entries(topology.points).map(([code, [x, y]]) => [code, [x, projectLatitude(y)]]));
  return { shapes, points };
}

const svgElement = (name, attributes) => {
  const created = document.createElementNS(NS, name);
  for (const [key, value] of Object.entries(attributes)) created.setAttribute(key, value);
  return created;
};

const toPath = (rings) => rings.map((ring) => `M${ring.map(([x, y]) => `${x.toFixed(1)} ${y.toFixed(1)}`).join("L")}Z`).join("");

/** Return the bounding box of the largest rings of countries, so that a ring across the date line does not span the world. */
function boundingBox(codes, { shapes, points }) {
  const box = [Infinity, Infinity, -Infinity, -Infinity];
  const extend = ([x, y]) => {
    box[0] = Math.min(box[0], x); box[1] = Math.min(box[1], y);
    box[2] = Math.max(box[2], x); box[3] = Math.max(box[3], y);
  };
  for (const code of codes) {
    const rings = shapes.get(code);
    if (rings) rings.reduce((a, b) => (b.length > a.length ? b : a)).forEach(extend);
    else if (points.has(code)) extend(points.get(code));
  }
  return box[0] > box[2] ? [-170, NORTH, 180, SOUTH] : box;
}

/** Return x, y, width and height of the part of the map that shows a box. */
function fitView(box) {
  let width = Math.max((box[2] - box[0]) * MARGIN, MIN_WIDTH);
  let height = Math.max((box[3] - box[1]) * MARGIN, width / RATIO);
  width = Math.min(Math.max(width, height * RATIO), MAX_WIDTH);
  height = width / RATIO;
  const x = Math.min(Math.max((box[0] + box[2]) / 2 - width / 2, -175), 180 - width);
  const y = Math.min(Math.max((box[1] + box[3]) / 2 - height / 2, NORTH), SOUTH - height);
  return [x, Math.max(y, NORTH), width, Math.min(height, SOUTH - NORTH)];
}

/** Draw the countries of a label into a figure; the caption names those with most speakers. */
export async function drawMap(figure, info) {
  const map = await load();
  const homes = info.countries.filter((c) => c.official || c.share >= MIN_MAIN_SHARE);
  const main = homes.length ? homes : info.countries;
  const view = fitView(boundingBox(main.map((c) => c.country), map));
  const unit = view[2] / MAX_WIDTH;
  const svg = svgElement("svg", { viewBox: view.map((n) => n.toFixed(2)).join(" "), role: "img" });
  const more = main.length - MAX_NAMES;
  const names = main.slice(0, MAX_NAMES).map((c) => c.name).join(", ") + (more > 0 ? ` and ${more} more` : "");
  svg.setAttribute("aria-label", `Map: ${info.name} is spoken in ${names}`);
  const background = [...map.shapes.values()].map(toPath).join("");
  svg.append(svgElement("path", { class: "land", d: background, "stroke-width": 0.5 * unit }));
  for (const { country: code, share, official, name } of info.countries) {
    const rings = map.shapes.get(code), point = map.points.get(code);
    const strength = official ? Math.max(share, 0.5) : Math.max(share, 0.08);
    const shape = rings ? svgElement("path", { d: toPath(rings), "stroke-width": 0.5 * unit })
      : point ? svgElement("circle", { cx: point[0], cy: point[1], r: 4 * unit, "stroke-width": 0.5 * unit }) : null;
    if (!shape) continue;
    shape.setAttribute("class", "home");
    shape.setAttribute("fill-opacity", strength.toFixed(2));
    const title = svgElement("title", {});
    title.textContent = `${name}${share ? `, ${formatShare(share)}` : ""}${official ? ", official" : ""}`;
    shape.append(title);
    svg.append(shape);
  }
  const caption = document.createElement("figcaption");
  caption.textContent = names;
  figure.replaceChildren(svg, caption);
}
