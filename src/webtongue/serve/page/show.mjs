// Display of statements about answers. All text from outside is set as text, never as markup.

import { drawMap } from "./map.mjs";
import { formatShare, makeStatement } from "./statement.mjs";

const SOURCES = {
  text: "The text", prior: "Frequency of the languages", declared: "Declared language", encoding: "Encoding",
  url: "URL", country: "Country of the server", links: "Pages that link to it", host: "Other pages of the site",
  anchor: "Anchor text", bytes: "Bytes", "mixed scripts": "Mixed scripts", "html-lang": "The lang attribute",
  "top level domain": "Top level domain", "host name": "Host name", path: "Path", query: "Query", ip: "IP address of the server",
};
const UNWEIGHTED_SOURCES = ["text", "prior", "url"]; // these are listed only where they have a weight
const PANELS = ["empty", "pending", "error", "verdict"]; // one of them is visible
const $ = (id) => document.getElementById(id);

const formatBits = (bits) => `${bits > 0 ? "+" : "−"}${Math.abs(bits).toFixed(1)}`;

/** Return a new element; properties that elements do not have become attributes. */
function element(name, { text, ...properties } = {}, ...children) {
  const created = document.createElement(name);
  for (const [key, value] of Object.entries(properties)) {
    if (key in created && key !== "list") created[key] = value;
    else created.setAttribute(key, value);
  }
  if (text !== undefined) created.textContent = text;
  created.append(...children);
  return created;
}

/** Return an element whose width is a share of its parent's. */
function fill(share, className = "") {
  const created = element("span", { className: `fill ${className}` });
  created.style.width = `${share * 100}%`;
  return created;
}

/** Return an element with the own name of a language, in its direction. */
const ownName = (tag, { own_name: own, name, language, direction }, properties = {}) =>
  element(tag, { text: own || name, lang: language, dir: own ? direction : "ltr", ...properties });

/** Show one panel instead of another, and tell it to screen readers; errors are alerts by themselves. */
function showPanel(panel, status = "") {
  for (const name of PANELS) $(name).hidden = name !== panel;
  $("status").textContent = status;
}

/** Show that there is no input. */
export const showEmpty = () => showPanel("empty");

/** Show that a new file is read, instead of the answer for the one before. */
export const showPending = () => showPanel("pending");

/** Show an error, instead of the answer for another input. */
export function showError(title, sentence) {
  $("error").replaceChildren(element("strong", { text: title }), element("p", { text: sentence }));
  showPanel("error");
}

/** Show an answer. */
export function showAnswer(answer, state) {
  const statement = makeStatement(answer);
  showHeadline(statement);
  showBars(statement.bars, answer.explanation.names);
  showText(answer.explanation, statement);
  showDeclarations(answer, statement, state);
  showEvidence(statement.evidence);
  showFeatures(statement.features);
  $("credit").hidden = !answer.country_source;
  $("credit").textContent = answer.country_source ?? "";
  showPanel("verdict", statement.summary);
}

function showHeadline({ info, title, subtitle, chips, confidence, notes, map }) {
  const name = info ? ownName("p", info, { className: "own-name" }) : element("p", { className: "own-name", text: title });
  const lines = [name, element("p", { className: "english-name", text: subtitle })];
  if (confidence) {
    lines.push(element("p", { className: confidence.reliable ? "confidence" : "confidence unreliable" },
      element("span", { className: "meter" }, fill(confidence.share)), element("span", { className: "words", text: confidence.words })));
  }
  if (chips.length) lines.push(element("p", { className: "chips" }, ...chips.map((text) => element("span", { className: "chip", text }))));
  lines.push(...notes.map((text) => element("p", { className: "lead", text })));
  $("names").replaceChildren(...lines);
  $("map").hidden = !map;
  if (map) drawMap($("map"), map);
  if (map) $("columns").prepend($("bars-card"));
  else $("headline").append($("bars-card")); // in the place of the map
}

function showBars(bars, names) {
  $("bars-card").hidden = !bars;
  if (!bars) return;
  $("bars-title").textContent = bars.title;
  const rows = bars.rows.map(({ label, name, value, text }) => {
    const info = names[label];
    const cell = element("span", { className: "name", text: name });
    if (info?.own_name && info.own_name !== info.name) cell.append(" ", ownName("i", info));
    return element("li", {}, cell, element("span", { className: "value", text }), element("span", { className: "bar" }, fill(value)));
  });
  $("bars").replaceChildren(...rows);
  $("bars-note").textContent = bars.note;
  $("bars-note").hidden = !bars.note;
}

function showText({ text: blocks, cut, repaired, names }, { text: { title, legend, colourOf }, nameOf }) {
  $("text-card").hidden = !blocks.length;
  $("text-title").textContent = title;
  $("text").setAttribute("aria-label", title);
  $("repaired").hidden = !repaired;
  $("legend").hidden = !legend.length;
  $("legend").replaceChildren(...legend.map(({ name, colour, text }) => element("li", {},
    element("span", { className: `swatch ${colour}` }), ` ${name} `, element("b", { text }))));
  const paragraphs = blocks.map(({ kind, pieces }) => {
    const spans = pieces.map(({ text, label }) => {
      const known = names[label] ? { lang: names[label].language, title: nameOf(label) } : {};
      return element("span", { text, className: colourOf(label), ...known });
    });
    return element("p", { className: `block ${kind}`, dir: "auto" }, ...spans);
  });
  if (cut) paragraphs.push(element("p", { className: "lead", text: "The rest is not shown." }));
  $("text").replaceChildren(...paragraphs);
}

function showDeclarations(answer, { nameOf }, state) {
  const rows = [];
  const addRow = (term, value, mark) => rows.push(element("dt", { text: term }),
    element("dd", {}, value, ...(mark ? [element("span", { className: `mark ${mark[0]}`, text: mark[1] })] : [])));
  const compare = (agrees) => (agrees === null ? null : agrees ? ["good", "agrees"] : ["bad", "differs"]);
  if (state.kind !== "text" && state.kind !== "url") {
    const confidence = answer.encoding && answer.encoding_confidence < 1 ? `, ${formatShare(answer.encoding_confidence)}` : "";
    addRow("Encoding detected", (answer.encoding || "none") + confidence);
    addRow("Encoding declared", answer.declared_encoding || "none", compare(answer.encoding_agrees));
    const declared = answer.declared_language, name = nameOf(declared);
    addRow("Language declared", !declared ? "none" : name === declared ? name : `${name} (${declared})`, compare(answer.agrees));
  }
  for (const { source, value, label, weight } of answer.evidence) {
    if (weight || UNWEIGHTED_SOURCES.includes(source)) continue;
    addRow(SOURCES[source] ?? source, value, state.kind === "url" && label ? ["plain", nameOf(label)] : null);
  }
  $("declarations-card").hidden = !rows.length;
  $("declarations-title").textContent = state.kind === "url" ? "Parts of the URL" : "Encoding and declarations";
  $("declarations").replaceChildren(...rows);
}

function showEvidence(evidence) {
  $("evidence-card").hidden = !evidence;
  if (!evidence) return;
  const { conflict, lead, sources } = evidence;
  $("conflict").hidden = !conflict;
  $("conflict").textContent = conflict;
  $("evidence-lead").textContent = lead;
  const largest = Math.max(4, ...sources.map(({ weight }) => Math.abs(weight)));
  $("evidence").replaceChildren(...sources.map(({ source, value, weight }) => {
    const name = element("span", { className: "name", text: SOURCES[source] ?? source });
    if (value) name.append(element("small", { text: value }));
    const axis = element("span", { className: "axis" }, fill(Math.abs(weight) / largest / 2, weight > 0 ? "for" : "against"));
    return element("li", {}, name, axis, element("span", { className: "value", text: formatBits(weight) }));
  }));
}

function showFeatures(statement) {
  $("features-card").hidden = !statement;
  if (!statement) return;
  const { first, second, lead, features } = statement;
  $("features-lead").textContent = lead;
  const largest = Math.max(...features.map(({ bits }) => Math.abs(bits)));
  $("features").replaceChildren(...features.map(({ gram, bits, word }) => {
    const item = element("li", { className: bits > 0 ? "for" : "against", title: `${Math.abs(bits).toFixed(2)} bits for ${bits > 0 ? first : second}` },
      element("bdi", { text: word ? gram.trim() : gram.replaceAll(" ", "·") }), element("small", { text: formatBits(bits) }));
    item.style.setProperty("--scale", (0.85 + 0.55 * (Math.abs(bits) / largest)).toFixed(2));
    return item;
  }));
}
