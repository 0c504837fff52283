// Marks the links of a page with the language of what they lead to, also those that come later.

const LEAST = 0.6; // probability below which a badge would be wrong too often
const SURE = 0.9;
const AT_A_TIME = 500;
const PAUSE = 200; // milliseconds that a page may change before its new links are looked at
const SEEN = "webtongueSeen";

function links() {
  const found = [...document.links].filter((link) => !(SEEN in link.dataset) && /^https?:/.test(link.protocol) && link.textContent.trim());
  return found.slice(0, AT_A_TIME);
}

function badge({ language, name, chance }) {
  const found = document.createElement("span");
  found.className = chance >= SURE ? "webtongue-badge" : "webtongue-badge webtongue-unsure";
  found.textContent = language;
  found.title = `${name}, ${Math.round(chance * 100)}%, by its address`;
  return found;
}

async function mark() {
  const found = links();
  if (!found.length) return;
  for (const link of found) link.dataset[SEEN] = "";
  const answers = await chrome.runtime.sendMessage(found.map((link) => link.href));
  answers.forEach((answer, i) => {
    if (answer.chance >= LEAST) found[i].append(badge(answer));
  });
  document.documentElement.dataset.webtongueMarked = String(document.querySelectorAll(".webtongue-badge").length);
  if (links().length) mark();
}

let timer;
new MutationObserver(() => {
  clearTimeout(timer);
  timer = setTimeout(mark, PAUSE);
}).observe(document.documentElement, { childList: true, subtree: true });
mark();
