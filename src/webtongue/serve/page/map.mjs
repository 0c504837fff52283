// A small map of where a language is spoken: shapes of countries (TopoJSON), cut to the part of the world that matters.

const NS = "http://www.w3.org/2000/svg";
const LEAST_WIDTH = 56, RATIO = 1.75, MARGIN = 1.25;
const NORTH = -108, SOUTH = 66; // where maps end: beyond are ice and ocean
const MAIN = 0.2; // share of a country's people above which a language is at home there, official or not

/** Miller's projection: the north is not as flat as degrees make it, and not as large as Mercator does. */
const northing = (degrees) => -1.25 * Math.log(Math.tan(Math.PI / 4 + (0.4 * degrees * Math.PI) / 180)) * (180 / Math.PI);

let world; // a promise: loaded when the first map is drawn

function load() {
  world ??= fetch("page/world.json").then((response) => response.json()).then(shapesOf);
  return world;
}

/** A ring that leaps from one edge of the map to the other (Chukotka, Fiji) goes on beyond the edge, and stands at both. */
function acrossTheDateLine(ring) {
  let turn = 0;
  const whole = ring.map(([x, y], i) => {
    const leap = i ? x - ring[i - 1][0] : 0;
    if (Math.abs(leap) > 180) turn -= 360 * Math.sign(leap);
    return [x + turn, y];
  });
  const edge = Math.max(...whole.map(([x]) => Math.abs(x)));
  if (turn || edge <= 181) return [ring]; // it stays, or goes around the pole
  const back = whole.some(([x]) => x > 181) ? -360 : 360;
  return [whole, whole.map(([x, y]) => [x + back, y])];
}

function shapesOf(topology) {
  const { scale: [kx, ky], translate: [dx, dy] } = topology.transform;
  const arcs = topology.arcs.map((arc) => {
    let x = 0, y = 0;
    return arc.map(([a, b]) => [(x += a) * kx + dx, northing((y += b) * ky + dy)]);
  });
  const ringOf = (numbers) => numbers.flatMap((n) => (n < 0 ? arcs[~n].toReversed() : arcs[n]));
  const shapes = new Map();
  for (const shape of topology.objects.countries.geometries) {
    shapes.set(shape.id, shape.arcs.flat().map(ringOf).flatMap(acrossTheDateLine));
  }
  const points = new Map(Object.entries(topology.points).map(([code, [x, y]]) => [code, [x, northing(y)]]));
  return { shapes, points };
}

const made = (name, attributes) => {
  const found = document.createElementNS(NS, name);
  for (const [key, value] of Object.entries(attributes)) found.setAttribute(key, value);
  return found;
};

const pathOf = (rings) => rings.map((ring) => `M${ring.map(([x, y]) => `${x.toFixed(1)} ${y.toFixed(1)}`).join("L")}Z`).join("");

/** The corners of countries; rings across the date line do not make a box of the whole world. */
function boxOf(codes, { shapes, points }) {
  const box = [Infinity, Infinity, -Infinity, -Infinity];
  const take = ([x, y]) => {
    box[0] = Math.min(box[0], x); box[1] = Math.min(box[1], y);
    box[2] = Math.max(box[2], x); box[3] = Math.max(box[3], y);
  };
  for (const code of codes) {
    const rings = shapes.get(code);
    if (rings) rings.reduce((a, b) => (b.length > a.length ? b : a)).forEach(take);
    else if (points.has(code)) take(points.get(code));
  }
  return box[0] > box[2] ? [-170, NORTH, 180, SOUTH] : box;
}

function viewOf(box) {
  let width = Math.max((box[2] - box[0]) * MARGIN, LEAST_WIDTH);
  let height = Math.max((box[3] - box[1]) * MARGIN, width / RATIO);
  width = Math.min(Math.max(width, height * RATIO), 350);
  height = width / RATIO;
  const x = Math.min(Math.max((box[0] + box[2]) / 2 - width / 2, -175), 180 - width);
  const y = Math.min(Math.max((box[1] + box[3]) / 2 - height / 2, NORTH), SOUTH - height);
  return [x, Math.max(y, NORTH), width, Math.min(height, SOUTH - NORTH)];
}

/** Draw the countries of a card into a figure. */
export async function drawMap(figure, card) {
  const found = await load();
  const homes = card.countries.filter((c) => c.official || c.share >= MAIN);
  const main = homes.length ? homes : card.countries;
  const view = viewOf(boxOf(main.map((c) => c.country), found));
  const unit = view[2] / 350;
  const svg = made("svg", { viewBox: view.map((n) => n.toFixed(2)).join(" "), role: "img" });
  const names = main.slice(0, 6).map((c) => c.name).join(", ");
  svg.setAttribute("aria-label", `Map: ${card.name} is spoken in ${names}${main.length > 6 ? ` and ${main.length - 6} more countries` : ""}`);
  const shares = new Map(card.countries.map((c) => [c.country, c]));
  const background = [...found.shapes.values()].map(pathOf).join("");
  svg.append(made("path", { class: "land", d: background, "stroke-width": 0.5 * unit }));
  for (const [code, { share, official, name }] of shares) {
    const rings = found.shapes.get(code), point = found.points.get(code);
    const strength = official ? Math.max(share, 0.5) : Math.max(share, 0.08);
    const shape = rings ? made("path", { d: pathOf(rings), "stroke-width": 0.5 * unit })
      : point ? made("circle", { cx: point[0], cy: point[1], r: 4 * unit }) : null;
    if (!shape) continue;
    shape.setAttribute("class", "home");
    shape.setAttribute("fill-opacity", strength.toFixed(2));
    const title = made("title", {});
    title.textContent = `${name}${share ? `, ${Math.round(share * 100)}%` : ""}${official ? ", official" : ""}`;
    shape.append(title);
    svg.append(shape);
  }
  const caption = document.createElement("figcaption");
  caption.textContent = names + (main.length > 6 ? ` and ${main.length - 6} more` : "");
  figure.replaceChildren(svg, caption);
}
