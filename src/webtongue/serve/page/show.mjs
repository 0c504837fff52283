// Display of an answer. All text from outside is set as text, never as markup.

import { drawMap } from "./map.mjs";

const COLOURS = 8;
const SPECIAL_LABELS = { und: "Not identified", zxx: "No language", mul: "Several languages" };
const SOURCES = {
  text: "The text", prior: "Frequency of the languages", declared: "Declared language", encoding: "Encoding",
  url: "URL", country: "Country of the server", links: "Pages that link to it", host: "Other pages of the site",
  anchor: "Anchor text", bytes: "Bytes", "mixed scripts": "Mixed scripts", "html-lang": "The lang attribute",
  "top level domain": "Top level domain", "host name": "Host name", path: "Path", query: "Query", ip: "IP address of the server",
};
const UNWEIGHTED_SOURCES = ["text", "prior", "url"]; // these are listed only where they have a weight
const LABEL = /\b[a-z]{3}_[A-Z][a-z]{3}\b/g;
const $ = (id) => document.getElementById(id);

const formatShare = (share) => (share >= 0.995 && share < 1 ? "99%" : `${Math.round(share * 100)}%`);
const formatProbability = (p) => (p >= 0.9995 ? "100%" : p >= 0.01 ? `${(p * 100).toFixed(1)}%` : `1 in ${Math.round(1 / Math.max(p, 1e-6)).toLocaleString("en")}`);
const formatBits = (bits) => `${bits > 0 ? "+" : "−"}${Math.abs(bits).toFixed(1)}`;
const capitalise = (text) => text.charAt(0).toUpperCase() + text.slice(1);

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

/** Show an answer. */
export function showAnswer(answer, state) {
  const { names } = answer.explanation;
  const labelName = (label) => names[label]?.name ?? SPECIAL_LABELS[label] ?? label;
  const reason = answer.why.replace(LABEL, labelName);
  showHeadline(answer, names, reason);
  showText(answer, names, labelName);
  showGuesses(answer, names, labelName);
  showDeclarations(answer, labelName, state);
  showEvidence(answer, labelName);
  showFeatures(answer, labelName);
  $("credit").hidden = !answer.country_source;
  $("credit").textContent = answer.country_source ?? "";
  $("status").textContent = `${labelName(answer.label)}${answer.reason ? `: ${reason}` : `, ${describeConfidence(answer)}`}`;
  $("empty").hidden = true;
  $("verdict").hidden = false;
}

function describeConfidence({ confidence, reliable }) {
  const words = reliable ? "reliable" : confidence >= 0.75 ? "likely, from little evidence" : "a guess";
  return `${formatShare(confidence)}, ${words}`;
}

function showHeadline(answer, names, reason) {
  const info = names[answer.label];
  document.querySelector(".headline").classList.toggle("without-map", !info?.countries.length);
  $("names").replaceChildren(...(info ? describeLanguage(answer, info) : describeSpecialLabel(answer, names, reason)));
  if (info?.countries.length) drawMap($("map"), info);
  else $("map").replaceChildren();
}

/** Return the headline of an answer that is not one language: the languages of the page, or the reason. */
function describeSpecialLabel(answer, names, reason) {
  const own = answer.languages.map(({ label }) => names[label]).filter(Boolean).map((info) => ownName("span", info));
  const title = own.length > 1 ? own.flatMap((name, i) => (i ? [" + ", name] : [name])) : [SPECIAL_LABELS[answer.label] ?? answer.label];
  return [element("p", { className: "own-name" }, ...title), element("p", { className: "english-name", text: capitalise(reason) })];
}

function describeLanguage(answer, info) {
  const lines = [
    ownName("p", info, { className: "own-name", lang: answer.language }),
    element("p", { className: "english-name", text: info.own_name && info.own_name !== info.name ? info.name : " " }),
    element("p", { className: "chips" }, ...chips(answer, info)),
    element("p", { className: answer.reliable ? "confidence" : "confidence unreliable" },
      element("span", { className: "meter" }, fill(answer.confidence)), element("span", { className: "words", text: describeConfidence(answer) })),
  ];
  if (answer.group && answer.group_confidence > answer.confidence + 0.005) {
    const sentence = `This language is hard to distinguish from its look-alikes: that it is one of them is ${formatShare(answer.group_confidence)} certain.`;
    lines.push(element("p", { className: "lead", text: sentence }));
  }
  if (answer.tier === 3) {
    lines.push(element("p", { className: "lead", text: "The model has seen little of this language beside scripture: take the answer with caution." }));
  }
  return lines;
}

function chips(answer, info) {
  const contents = [["code", answer.language, "Language tag"], ["script", `${info.script_name} script`, ""]];
  if (answer.encoding) contents.push(["encoding", answer.encoding, "Character encoding"]);
  if (answer.country) contents.push(["country", `server in ${answer.country}`, ""]);
  return contents.map(([name, text, title]) => element("span", { className: `chip ${name}`, text, title }));
}

function showGuesses(answer, names, labelName) {
  const rows = answer.guesses.map(({ label, probability }) => {
    const info = names[label];
    const name = element("span", { className: "name", text: labelName(label) });
    if (info?.own_name && info.own_name !== info.name) name.append(" ", ownName("i", info));
    const value = element("span", { className: "value", text: formatProbability(probability) });
    return element("li", {}, name, value, element("span", { className: "bar" }, fill(Math.max(probability, 0.005))));
  });
  if (rows.length < 2) rows.push(element("li", { className: "lead", text: rows.length ? "No other language is likely." : "There is no evidence for a guess." }));
  $("guesses").replaceChildren(...rows);
}

/** Return the colour class and the share of each language of the page, the largest first. */
function assignColours(answer) {
  const shares = new Map();
  for (const { label, share } of answer.segments) shares.set(label, (shares.get(label) ?? 0) + share);
  const ranked = [...shares].sort((a, b) => b[1] - a[1]);
  return new Map(ranked.map(([label, share], i) => [label, { colour: `c${i % COLOURS}`, share }]));
}

function showText(answer, names, labelName) {
  const { text: blocks, cut, repaired } = answer.explanation;
  const colours = assignColours(answer);
  $("text-card").hidden = !blocks.length;
  $("repaired").hidden = !repaired;
  $("legend").replaceChildren(...[...colours].map(([label, { colour, share }]) => element("li", {},
    element("span", { className: `swatch ${colour}` }), ` ${labelName(label)} `, element("b", { text: formatShare(share) }))));
  const paragraphs = blocks.map(({ kind, pieces }) => {
    const spans = pieces.map(({ text, label }) => {
      const known = names[label] ? { lang: names[label].language, title: labelName(label) } : {};
      return element("span", { text, className: colours.get(label)?.colour ?? "", ...known });
    });
    return element("p", { className: `block ${kind}`, dir: "auto" }, ...spans);
  });
  if (cut) paragraphs.push(element("p", { className: "lead", text: "The rest is not shown." }));
  $("text").replaceChildren(...paragraphs);
}

function showDeclarations(answer, labelName, state) {
  const isPage = state.kind !== "text" && state.kind !== "url";
  const rows = [];
  const addRow = (term, value, mark) => rows.push(element("dt", { text: term }),
    element("dd", {}, value, ...(mark ? [element("span", { className: `mark ${mark[0]}`, text: mark[1] })] : [])));
  const compare = (agrees) => (agrees === null ? null : agrees ? ["good", "agrees"] : ["bad", "differs"]);
  if (state.kind === "text") addRow("Encoding", "none: the text is already decoded");
  if (isPage) {
    const confidence = answer.encoding && answer.encoding_confidence < 1 ? `, ${formatShare(answer.encoding_confidence)}` : "";
    addRow("Encoding detected", (answer.encoding || "none") + confidence);
    addRow("Encoding declared", answer.declared_encoding || "none", compare(answer.encoding_agrees));
    const declared = answer.declared_language, name = labelName(declared);
    addRow("Language declared", !declared ? "none" : name === declared ? name : `${name} (${declared})`, compare(answer.agrees));
  }
  for (const { source, value, label, weight } of answer.evidence) {
    if (weight || UNWEIGHTED_SOURCES.includes(source)) continue;
    addRow(SOURCES[source] ?? source, value, state.kind === "url" && label ? ["plain", labelName(label)] : null);
  }
  $("declarations-title").textContent = state.kind === "url" ? "Parts of the URL" : "Encoding and declarations";
  $("declarations").replaceChildren(...rows);
}

function showEvidence(answer, labelName) {
  const { first, second, conflict } = answer.explanation;
  $("conflict").hidden = !conflict;
  $("conflict").textContent = conflict ? `${capitalise(conflict.replace(LABEL, labelName))}.` : "";
  const sources = answer.evidence.filter(({ weight }) => weight);
  const runnerUp = answer.guesses.length > 1 ? labelName(second) : "all others";
  const largest = Math.max(4, ...sources.map(({ weight }) => Math.abs(weight)));
  $("why-card").hidden = !first;
  $("why-lead").textContent = sources.length
    ? `Evidence of each source for ${labelName(first)} against ${runnerUp}, in bits: one bit doubles the odds.`
    : answer.why;
  $("evidence").replaceChildren(...sources.map(({ source, value, weight }) => {
    const name = element("span", { className: "name", text: SOURCES[source] ?? source });
    if (value) name.append(element("small", { text: value.replace(LABEL, labelName) }));
    const axis = element("span", { className: "axis" }, fill(Math.abs(weight) / largest / 2, weight > 0 ? "for" : "against"));
    const bits = formatBits(weight);
    return element("li", {}, name, axis, element("span", { className: "value", text: bits, "aria-label": `${bits} bits` }));
  }));
}

function showFeatures(answer, labelName) {
  const { first, second, features } = answer.explanation;
  $("features-card").hidden = !features.length;
  if (!features.length) return;
  const note = answer.guesses.length > 1 ? "" : ", the closest other language";
  $("features-lead").textContent = `Words and parts of words that distinguish ${labelName(first)} from ${labelName(second)}${note}. A dot is a word boundary; dashed features are evidence for ${labelName(second)}.`;
  const largest = Math.max(...features.map(({ bits }) => Math.abs(bits)));
  $("features").replaceChildren(...features.map(({ gram, bits, word }) => {
    const item = element("li", { className: bits > 0 ? "for" : "against", title: `${Math.abs(bits).toFixed(2)} bits for ${labelName(bits > 0 ? first : second)}` },
      element("bdi", { text: word ? gram.trim() : gram.replaceAll(" ", "·") }), element("small", { text: formatBits(bits) }));
    item.style.setProperty("--scale", (0.85 + 0.55 * (Math.abs(bits) / largest)).toFixed(2));
    return item;
  }));
}

/** Show an error. */
export function showError(title, sentence) {
  $("error").replaceChildren(element("strong", { text: title }), element("p", { text: sentence }));
  $("error").hidden = false;
}

/** Show that there is no input. */
export function showEmpty() {
  $("verdict").hidden = true;
  $("empty").hidden = false;
  $("status").textContent = "";
}
