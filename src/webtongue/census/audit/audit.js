// The page of a judge. All data is put into the document as text (textContent), because it comes from the pages of a crawl.
"use strict";

(() => {
  const find = (id) => document.getElementById(id);
  const buttons = [...document.querySelectorAll("[data-answer]")];
  let items = [], judged = {}, judge = "", place = 0, saving = false;

  const show = (id, text) => { find(id).textContent = text; };

  function render() {
    const item = items[place];
    const done = items.filter((one) => judged[one.id]).length;
    show("progress", `${done} of ${items.length} judged by ${judge}; page ${place + 1}`);
    find("bar").value = items.length ? done / items.length : 0;
    if (!item) return;
    show("name", item.name);
    show("text", item.text || `No text: ${item.problem}`);
    find("text").scrollTop = 0;
    window.scrollTo(0, 0);
    show("url", item.url);
    show("answer", `${item.label}, ${(100 * item.confidence).toFixed(1)}%${item.reliable ? "" : ", not reliable"}`);
    show("declared", item.declared || "nothing");
    show("encoding", item.encoding || "unknown");
    show("country", item.country || "unknown");
    const rows = item.evidence.map(([source, bits]) => {
      const row = document.createElement("tr");
      for (const text of [source, bits.toFixed(1)]) row.appendChild(document.createElement("td")).textContent = text;
      return row;
    });
    find("evidence").tBodies[0].replaceChildren(...rows);
    const [answer, language] = judged[item.id] || [];
    for (const button of buttons) button.setAttribute("aria-pressed", String(button.dataset.answer === answer));
    show("said", answer ? `Judged: ${answer}${language ? ` (${language})` : ""}` : "");
    show("problem", "");
    // A hidden input keeps the focus until the next frame, and would swallow the next key.
    find("language").blur();
    find("which").hidden = true;
  }

  const go = (step) => {
    place = Math.min(Math.max(place + step, 0), items.length - 1);
    render();
  };

  async function post(name, value) {
    const response = await fetch(name, {
      method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify(value),
    });
    const answer = await response.json();
    if (!response.ok) throw new Error(answer.problem);
    return answer;
  }

  async function save(answer, language = "") {
    saving = true;
    try {
      judged = (await post("judge", { item: items[place].id, answer, language })).judged;
    } catch (error) {
      show("problem", error.message);
      return;
    } finally {
      saving = false;
    }
    const next = items.findIndex((one, i) => i > place && !judged[one.id]);
    place = next >= 0 ? next : Math.min(place + 1, items.length - 1);
    render();
  }

  function ask() {
    find("which").hidden = false;
    find("language").value = "";
    find("language").focus();
  }

  // A key pressed before the next page is shown would judge the same page again.
  const press = (answer) => { if (!saving) (answer === "wrong" ? ask : save)(answer); };
  for (const button of buttons) button.addEventListener("click", () => press(button.dataset.answer));
  find("which").addEventListener("submit", (event) => {
    event.preventDefault();
    save("wrong", find("language").value);
  });
  find("cancel").addEventListener("click", render);
  find("back").addEventListener("click", () => go(-1));
  find("forward").addEventListener("click", () => go(1));
  find("close").addEventListener("click", async () => {
    await post("close", {});
    document.body.replaceChildren(document.createTextNode("Saved. You can close this page."));
  });
  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.key === "Escape") return render();
    if (event.target === find("language")) return;
    const button = buttons.find((one) => one.dataset.key === event.key.toLowerCase());
    if (button) {
      event.preventDefault();
      press(button.dataset.answer);
    } else if (event.key === "ArrowLeft") go(-1);
    else if (event.key === "ArrowRight") go(1);
  });

  fetch("items").then((response) => response.json()).then((state) => {
    ({ items, judged, judge } = state);
    place = Math.max(items.findIndex((one) => !judged[one.id]), 0);
    render();
  });
})();
