// What the page states about an answer. This module alone decides that; show.mjs displays it. It uses no document.

const COLOURS = 8;
const MIN_SHOWN = 0.01; // of probabilities: guesses below it are noise
const NOT_A_LANGUAGE = { und: "Not identified", zxx: "No language", mul: "Several languages" };
const LABEL = /\b[a-z]{3}_[A-Z][a-z]{3}\b/g;
const LITTLE_TEXT_TIER = 3;

export const formatShare = (share) => (share > 0.99 && share < 1 ? "over 99%" : share < 0.01 ? "under 1%" : `${Math.round(share * 100)}%`);
export const formatProbability = (p) => (p > 0.99 ? "over 99%" : formatShare(p));
export const capitalise = (text) => text.charAt(0).toUpperCase() + text.slice(1);
const joinNames = (names) => names.join(", ").replace(/, ([^,]*)$/, " and $1");
const toSentence = (text) => (text ? capitalise(text).replace(/[^.!?]$/, "$&.") : "");

/** Return what the page states about an answer of the service with an explanation.
 *
 * An answer is one language, several (mul), unknown (und) or none (zxx). Only one language has a confidence, a map, evidence and
 * features, since these are about one language; only one language or an unknown one has other candidates.
 */
export function makeStatement(answer) {
  const { names, first } = answer.explanation;
  const nameOf = (label) => names[label]?.name ?? NOT_A_LANGUAGE[label] ?? label;
  const describe = (text) => text.replace(LABEL, nameOf);
  const isLanguage = !(answer.label in NOT_A_LANGUAGE);
  const context = { answer, names, nameOf, describe, isLanguage };
  const sources = answer.evidence.filter(({ weight }) => weight);
  const hasEvidence = isLanguage && first === answer.label && sources.length > 0;
  const headline = isLanguage ? stateLanguage(context) : stateSpecialLabel(context);
  return {
    ...headline,
    summary: `${nameOf(answer.label)}: ${[headline.confidence?.words ?? headline.subtitle, ...headline.notes].filter(Boolean).map(toSentence).join(" ")}`,
    bars: stateBars(context),
    text: stateText(context),
    evidence: hasEvidence ? stateEvidence(context, sources) : null,
    features: hasEvidence && answer.explanation.features.length ? stateFeatures(context) : null,
    nameOf,
    describe,
  };
}

/** Return the headline of an answer that is one language. */
function stateLanguage({ answer, names, nameOf, describe }) {
  const info = names[answer.label] ?? { name: answer.label, own_name: "", language: answer.language, direction: "ltr", script_name: "", countries: [] };
  const words = `${formatProbability(answer.confidence)}, ${answer.reliable ? "reliable" : "not reliable"}`;
  const notes = [toSentence(describe(answer.why))];
  const others = answer.languages.filter(({ label }) => label !== answer.label);
  if (others.length) notes.push(`Also on this page: ${joinNames(others.map(({ label, share }) => `${nameOf(label)} (${formatShare(share)} of the text)`))}.`);
  const alike = answer.guesses.filter(({ label, probability }) => label !== answer.label && probability >= MIN_SHOWN && names[label]?.group === answer.group);
  if (answer.group && alike.length) {
    notes.push(`${info.name} is easily confused with ${joinNames(alike.map(({ label }) => nameOf(label)))}: that it is one of these is ${formatProbability(answer.group_confidence)} certain.`);
  }
  if (answer.tier === LITTLE_TEXT_TIER) notes.push("The model has seen little of this language beside scripture: take the answer with caution.");
  return {
    info,
    title: info.own_name || info.name,
    subtitle: info.own_name && info.own_name !== info.name ? info.name : "",
    chips: [answer.language, info.script_name && `${info.script_name} script`, answer.encoding, answer.country && `server in ${answer.country}`].filter(Boolean),
    confidence: { share: answer.confidence, reliable: answer.reliable, words },
    notes: notes.filter(Boolean),
    map: info.countries.length ? info : null,
  };
}

/** Return the headline of und, zxx and mul. The reason of mul names some languages; the page names all of them instead. */
function stateSpecialLabel({ answer, nameOf, describe }) {
  const isSeveral = answer.label === "mul" && answer.languages.length > 1;
  const subtitle = isSeveral ? joinNames(answer.languages.map(({ label }) => nameOf(label))) : toSentence(describe(answer.why));
  return { info: null, title: nameOf(answer.label), subtitle, chips: [answer.encoding].filter(Boolean), confidence: null, notes: [], map: null };
}

/** Return the rows of bars: shares of several languages, or the probabilities of candidates; null where there is nothing to compare. */
function stateBars({ answer, nameOf, isLanguage }) {
  const makeRow = (label, value, format) => ({ label, name: nameOf(label), value, text: format(value) });
  if (answer.label === "mul") {
    const rows = answer.languages.map(({ label, share }) => makeRow(label, share, formatShare));
    return rows.length ? { title: "Share of the text", rows, note: "" } : null;
  }
  if (answer.label === "zxx") return null;
  const others = answer.guesses.filter(({ label, probability }) => label !== answer.label && probability >= MIN_SHOWN)
    .map(({ label, probability }) => makeRow(label, probability, formatProbability));
  if (!others.length) return null;
  return isLanguage
    ? { title: answer.languages.length > 1 ? "Guesses for the main language" : "Guesses", rows: [makeRow(answer.label, answer.confidence, formatProbability), ...others], note: "" }
    : { title: "Nearest languages", rows: others, note: "None of them is certain enough for an answer." };
}

/** Return the title and legend of the text, and the language of each label of a segment: look-alikes count as one. */
function stateText({ answer, names, nameOf }) {
  const shares = new Map(answer.languages.map(({ label, share }) => [label, share]));
  const languageOf = (label) => {
    const group = names[label]?.group;
    return shares.has(label) || !group ? label : (answer.languages.find((other) => names[other.label]?.group === group)?.label ?? label);
  };
  for (const { label, share } of answer.segments) {
    if (!answer.languages.some((other) => other.label === languageOf(label))) shares.set(label, (shares.get(label) ?? 0) + share);
  }
  const ranked = [...shares].sort((a, b) => b[1] - a[1]);
  const legend = ranked.length < 2 ? [] : ranked.map(([label, share], i) => ({ label, name: nameOf(label), colour: `c${i % COLOURS}`, text: formatShare(share) }));
  const colours = new Map(legend.map(({ label, colour }) => [label, colour]));
  return { title: legend.length ? "Text by language" : "Text", legend, colourOf: (label) => colours.get(languageOf(label)) ?? "" };
}

function stateEvidence({ answer, nameOf, describe }, sources) {
  const { second, conflict } = answer.explanation;
  const runnerUp = answer.guesses.length > 1 ? nameOf(second) : "all others";
  return {
    conflict: toSentence(describe(conflict)),
    lead: `Evidence of each source for ${nameOf(answer.label)} against ${runnerUp}, in bits: one bit doubles the odds.`,
    // The text's value continues with probabilities, which the page has elsewhere.
    sources: sources.map(({ source, value, weight }) => ({ source, weight, value: describe(source === "text" ? value.split(":")[0] : value) })),
  };
}

function stateFeatures({ answer, nameOf }) {
  const { second, features } = answer.explanation;
  const note = answer.guesses.length > 1 ? "" : ", the closest other language";
  const lead = `Words and parts of words that distinguish ${nameOf(answer.label)} from ${nameOf(second)}${note}. A dot is a word boundary; dashed features are evidence for ${nameOf(second)}.`;
  return { first: nameOf(answer.label), second: nameOf(second), lead, features };
}
