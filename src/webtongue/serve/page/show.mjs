// The answer as a person wants to see it. Everything from outside is set as text, never as markup.

import { drawMap } from "./map.mjs";

const COLOURS = 8;
const UNSAID = { und: "Not enough to say", zxx: "Not a language", mul: "Several languages" };
const SOURCES = {
  text: "The text", prior: "How common the languages are", declared: "What the page declares", encoding: "Its encoding",
  url: "Its address", country: "The country of its server", links: "Pages that link to it", host: "The rest of its site",
  anchor: "The words of the link", bytes: "Its bytes", "mixed scripts": "Mixed scripts", "html-lang": "The lang attribute",
  "top level domain": "Top level domain", "host name": "Host name", path: "Path", query: "Query", ip: "Address of its server",
};
const $ = (id) => document.getElementById(id);
const LABEL = /\b[a-z]{3}_[A-Z][a-z]{3}\b/g;
const percent = (share) => (share >= 0.995 && share < 1 ? "99%" : `${Math.round(share * 100)}%`);

function made(name, { text, ...properties } = {}, ...children) {
  const found = document.createElement(name);
  for (const [key, value] of Object.entries(properties)) {
    if (key in found && key !== "list") found[key] = value;
    else found.setAttribute(key, value);
  }
  if (text !== undefined) found.textContent = text;
  found.append(...children);
  return found;
}

/** Show an answer. */
export function show(answer, state) {
  const { names } = answer.explanation;
  const nameOf = (label) => names[label]?.name ?? UNSAID[label] ?? label;
  const colours = coloursOf(answer);
  hero(answer, names, nameOf);
  guesses(answer, names, nameOf);
  text(answer, names, nameOf, colours);
  encoding(answer, nameOf, state);
  evidence(answer, nameOf);
  telling(answer, nameOf);
  const credit = $("credit");
  credit.hidden = !answer.country_source;
  credit.textContent = answer.country_source ?? "";
  $("said").textContent = spoken(answer, nameOf);
  $("nothing").hidden = true;
  $("verdict").hidden = false;
}

function spoken(answer, nameOf) {
  if (answer.reason) return `${nameOf(answer.label)}: ${answer.why.replace(LABEL, nameOf)}`;
  return `${nameOf(answer.label)}, ${percent(answer.confidence)}, ${sureness(answer)}`;
}

/** Languages of the page by their share, each with a colour of its own. */
function coloursOf(answer) {
  const shares = new Map();
  for (const { label, share } of answer.segments) shares.set(label, (shares.get(label) ?? 0) + share);
  const ranked = [...shares].sort((a, b) => b[1] - a[1]);
  return new Map(ranked.map(([label, share], i) => [label, { colour: `c${i % COLOURS}`, share }]));
}

function sureness(answer) {
  if (answer.reason) return "";
  if (answer.reliable) return "sure";
  return answer.confidence >= 0.75 ? "likely, though there is little to go by" : "a guess";
}

/** What is shown where no language is answered: those that share the page, or why there is none. */
function unsaid(answer, names, nameOf) {
  const own = answer.languages.map(({ label }) => names[label]).filter(Boolean).map((card) => made("span",
    { text: card.own_name || card.name, lang: card.language, dir: card.own_name ? card.direction : "ltr" }));
  const title = made("p", { className: "own" }, ...(own.length > 1 ? own.flatMap((name, i) => (i ? [" + ", name] : [name])) : [UNSAID[answer.label] ?? answer.label]));
  const why = answer.why.replace(LABEL, nameOf);
  return [title, made("p", { className: "english", text: why.charAt(0).toUpperCase() + why.slice(1) })];
}

function hero(answer, names, nameOf) {
  const card = names[answer.label];
  const box = $("names");
  document.querySelector(".hero").classList.toggle("whole", !card?.countries.length);
  if (!card) {
    box.replaceChildren(...unsaid(answer, names, nameOf));
    $("map").replaceChildren();
    return;
  }
  const own = card.own_name || card.name;
  const lines = [
    made("p", { className: "own", text: own, lang: answer.language, dir: card.own_name ? card.direction : "ltr" }),
    made("p", { className: "english", text: card.own_name && card.own_name !== card.name ? card.name : " " }),
    made("p", { className: "chips" }, ...chips(answer, card)),
    meter(answer),
  ];
  if (answer.group && answer.group_confidence > answer.confidence + 0.005) {
    const sentence = `Its look-alikes are hard to tell apart: that it is one of them is ${percent(answer.group_confidence)} sure.`;
    lines.push(made("p", { className: "lead", text: sentence }));
  }
  if (answer.tier === 3) {
    lines.push(made("p", { className: "lead", text: "Of this language the model knows hardly more than scripture: take it with care." }));
  }
  box.replaceChildren(...lines);
  if (card.countries.length) drawMap($("map"), card);
  else $("map").replaceChildren();
}

function chips(answer, card) {
  const found = [["code", answer.language, "The language's tag"], ["script", `${card.script_name} script`, ""]];
  if (answer.encoding) found.push(["encoding", answer.encoding, "The encoding of its bytes"]);
  if (answer.country) found.push(["country", `server in ${answer.country}`, ""]);
  return found.map(([name, text, title]) => made("span", { className: `chip ${name}`, text, title }));
}

function meter(answer) {
  const bar = made("span", { className: "meter" }, made("span", { className: "fill" }));
  bar.firstChild.style.width = `${answer.confidence * 100}%`;
  const words = made("span", { className: "sure", text: `${percent(answer.confidence)}, ${sureness(answer)}` });
  return made("p", { className: answer.reliable ? "sureness" : "sureness unsure" }, bar, words);
}

function guesses(answer, names, nameOf) {
  const rows = answer.guesses.map(({ label, probability }) => {
    const fill = made("span", { className: "fill" });
    fill.style.width = `${Math.max(probability * 100, 0.5)}%`;
    const own = names[label]?.own_name;
    const name = made("span", { className: "name", text: nameOf(label) });
    if (own && own !== nameOf(label)) name.append(" ", made("i", { text: own, lang: names[label].language, dir: names[label].direction }));
    return made("li", {}, name, made("span", { className: "value", text: chance(probability) }), made("span", { className: "bar" }, fill));
  });
  $("guesses").replaceChildren(...rows);
  if (rows.length === 1) $("guesses").append(made("li", { className: "lead", text: "Nothing else came near." }));
  if (!rows.length) $("guesses").append(made("li", { className: "lead", text: "There is nothing to guess from." }));
}

const chance = (p) => (p >= 0.9995 ? "100%" : p >= 0.01 ? `${(p * 100).toFixed(1)}%` : `1 in ${Math.round(1 / Math.max(p, 1e-6)).toLocaleString("en")}`);

function text(answer, names, nameOf, colours) {
  const { text: blocks, cut, misread } = answer.explanation;
  $("text-card").hidden = !blocks.length;
  $("misread").hidden = !misread;
  $("misread").textContent = "This text had been read in a wrong encoding before it came here. Below it is put right.";
  const legend = [...colours].map(([label, { colour, share }]) => made("li", {},
    made("span", { className: `swatch ${colour}` }), ` ${nameOf(label)} `, made("b", { text: percent(share) })));
  $("legend").replaceChildren(...legend);
  const shown = blocks.map(({ kind, pieces }) => {
    const spans = pieces.map(({ text: part, label }) => {
      const span = made("span", { text: part, className: colours.get(label)?.colour ?? "" });
      if (names[label]) {
        span.lang = names[label].language;
        span.title = nameOf(label);
      }
      return span;
    });
    return made("p", { className: `block ${kind}`, dir: "auto" }, ...spans);
  });
  if (cut) shown.push(made("p", { className: "lead", text: "The rest is not shown." }));
  $("text").replaceChildren(...shown);
}

function encoding(answer, nameOf, state) {
  const rows = [];
  const row = (term, said, mark) => rows.push(made("dt", { text: term }), made("dd", {}, said, ...(mark ? [made("span", { className: `mark ${mark[0]}`, text: mark[1] })] : [])));
  const compared = (agrees) => (agrees === null ? null : agrees ? ["good", "agrees"] : ["bad", "differs"]);
  if (state.kind === "text") row("Encoding", "a text has none of its own");
  else if (state.kind !== "url") {
    row("Encoding found", `${answer.encoding || "none"}${answer.encoding && answer.encoding_confidence < 1 ? `, ${percent(answer.encoding_confidence)}` : ""}`);
    row("Encoding declared", answer.declared_encoding || "none", compared(answer.encoding_agrees));
  }
  if (state.kind !== "text" && state.kind !== "url") {
    row("Language declared", answer.declared_language ? nameOfDeclared(answer, nameOf) : "none", compared(answer.agrees));
  }
  const said = answer.evidence.filter((e) => !e.weight && !["text", "prior", "url"].includes(e.source));
  for (const { source, value, label } of said) {
    row(SOURCES[source] ?? source, value, state.kind === "url" && label ? ["plain", nameOf(label)] : null);
  }
  $("encoding-title").textContent = state.kind === "url" ? "The parts of the address" : "Encoding and declarations";
  $("encoding").replaceChildren(...rows);
}

const nameOfDeclared = (answer, nameOf) => {
  const found = nameOf(answer.declared_language);
  return found === answer.declared_language ? found : `${found} (${answer.declared_language})`;
};

function evidence(answer, nameOf) {
  const { first, second } = answer.explanation;
  const heard = answer.evidence.filter((e) => e.weight);
  $("why-card").hidden = !first;
  const rival = answer.guesses.length > 1 ? nameOf(second) : "all else";
  $("why-lead").textContent = heard.length
    ? `What each source did for ${nameOf(first)} against ${rival}, in bits: one bit doubles the odds.`
    : answer.why;
  const most = Math.max(4, ...heard.map((e) => Math.abs(e.weight)));
  const rows = heard.map(({ source, value, label, weight }) => {
    const fill = made("span", { className: weight > 0 ? "fill for" : "fill against" });
    fill.style.width = `${(Math.abs(weight) / most) * 50}%`;
    const bits = `${weight > 0 ? "+" : "−"}${Math.abs(weight).toFixed(1)}`;
    const words = made("span", { className: "name", text: SOURCES[source] ?? source });
    if (value) words.append(made("small", { text: value.replace(LABEL, nameOf) }));
    return made("li", {}, words, made("span", { className: "axis" }, fill), made("span", { className: "value", text: bits, "aria-label": `${bits} bits` }));
  });
  $("evidence").replaceChildren(...rows);
}

function telling(answer, nameOf) {
  const { first, second, telling: grams } = answer.explanation;
  const none = !grams.length;
  $("telling-title").hidden = $("telling-lead").hidden = $("telling").hidden = none;
  if (none) return;
  const near = answer.guesses.length > 1 ? "" : ", which its beginning might be";
  $("telling-lead").textContent = `Words and parts of words that tell ${nameOf(first)} from ${nameOf(second)}${near}. A dot is the edge of a word; what is dashed speaks for ${nameOf(second)}.`;
  const most = Math.max(...grams.map((g) => Math.abs(g.bits)));
  const chipsOf = grams.map(({ gram, bits, word }) => {
    const shown = word ? gram.trim() : gram.replaceAll(" ", "·");
    const chip = made("li", { className: bits > 0 ? "for" : "against" },
      made("bdi", { text: shown }), made("small", { text: `${bits > 0 ? "+" : "−"}${Math.abs(bits).toFixed(1)}` }));
    chip.style.setProperty("--loud", (0.85 + 0.55 * (Math.abs(bits) / most)).toFixed(2));
    chip.title = `${Math.abs(bits).toFixed(2)} bits for ${nameOf(bits > 0 ? first : second)}`;
    return chip;
  });
  $("telling").replaceChildren(...chipsOf);
}

/** Show what went wrong. */
export function showError(title, sentence) {
  const box = $("error");
  box.replaceChildren(made("strong", { text: title }), made("p", { text: sentence }));
  box.hidden = false;
}

/** Show nothing: there is no input. */
export function showNothing() {
  $("verdict").hidden = true;
  $("nothing").hidden = false;
  $("said").textContent = "";
}
