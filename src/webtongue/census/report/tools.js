// Tables that sort and search, and figures to save. Without scripts the tables are the same, in the order of the census.
"use strict";
(() => {
  const MIN_SEARCHED_ROWS = 8; // Shorter tables have no search field.
  const PNG_SCALE = 2;
  const GAP_PIXELS = 12; // between the charts of a figure
  const TITLE_PIXELS = 34;
  const SVG = "http://www.w3.org/2000/svg";

  const button = (text, label, act) => {
    const made = document.createElement("button");
    made.type = "button";
    made.textContent = text;
    if (label) made.setAttribute("aria-label", label);
    made.addEventListener("click", act);
    return made;
  };

  // Sorting. A cell has its exact number in data-value; cells without one are sorted as words, and empty ones are last.
  function compare(a, b) {
    const [x, y] = [a, b].map((cell) => (cell.dataset.value === undefined ? undefined : Number(cell.dataset.value)));
    if (x !== undefined && y !== undefined) return x - y;
    return a.textContent.localeCompare(b.textContent, "en", { numeric: true });
  }

  function sort(table, at, head) {
    const falling = head.getAttribute("aria-sort") === "ascending" || (head.classList.contains("r") && !head.hasAttribute("aria-sort"));
    for (const other of table.tHead.rows[0].cells) other.removeAttribute("aria-sort");
    head.setAttribute("aria-sort", falling ? "descending" : "ascending");
    const rows = [...table.tBodies[0].rows];
    const empty = (row) => row.cells[at].textContent === "";
    rows.sort((a, b) => empty(a) - empty(b) || (falling ? -1 : 1) * compare(a.cells[at], b.cells[at]));
    table.tBodies[0].append(...rows);
  }

  function addSearch(table) {
    const field = document.createElement("input");
    field.type = "search";
    field.placeholder = "Search this table";
    field.setAttribute("aria-label", `Search: ${table.caption.textContent}`);
    field.addEventListener("input", () => {
      const words = field.value.toLocaleLowerCase("en").split(/\s+/).filter(Boolean);
      for (const row of table.tBodies[0].rows) {
        const text = row.textContent.toLocaleLowerCase("en");
        row.hidden = !words.every((word) => text.includes(word));
      }
    });
    const tools = document.createElement("p");
    tools.className = "search";
    tools.append(field);
    table.parentElement.before(tools);
  }

  function enhance(table) {
    [...table.tHead.rows[0].cells].forEach((head, at) => {
      const title = head.textContent;
      head.replaceChildren(button(title, "", () => sort(table, at, head)));
    });
    const before = table.parentElement.previousElementSibling;
    if (before?.classList.contains("search")) before.remove();
    if (table.tBodies[0].rows.length >= MIN_SEARCHED_ROWS) addSearch(table);
  }

  // Saving. A text that a spreadsheet would take for a formula gets an apostrophe.
  const quote = (text) => `"${text.replace(/^[=+\-@\t]/, "'$&").replaceAll('"', '""')}"`;
  function csv(table) {
    const lines = [...table.rows].map((row) => [...row.cells].map((cell) => cell.dataset.value ?? quote(cell.textContent)).join(","));
    return `${lines.join("\r\n")}\r\n`;
  }

  function save(name, blob) {
    const link = document.createElement("a");
    link.href = URL.createObjectURL(blob);
    link.download = name;
    link.click();
    setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
  }

  // The charts of a figure below each other, with the colours of the page as it is now.
  function picture(figure) {
    const style = getComputedStyle(document.documentElement);
    const colour = (name) => style.getPropertyValue(name).trim();
    const node = (name, attributes) => {
      const made = document.createElementNS(SVG, name);
      for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
      return made;
    };
    const root = node("svg", { xmlns: SVG, "font-family": style.getPropertyValue("--sans").trim() });
    const title = node("text", { x: 8, y: 22, "font-size": 15, fill: colour("--ink") });
    title.textContent = figure.querySelector("figcaption").textContent;
    const background = node("rect", { width: "100%", height: "100%", fill: colour("--paper") });
    root.append(background, title);
    let [width, y] = [0, TITLE_PIXELS];
    for (const chart of figure.querySelectorAll("svg")) {
      const box = chart.getBoundingClientRect();
      const copy = chart.cloneNode(true);
      for (const [key, value] of Object.entries({ x: 8, y, width: box.width, height: box.height, overflow: "visible" })) copy.setAttribute(key, value);
      for (const child of [copy, ...copy.querySelectorAll("*")]) {
        for (const { name, value } of [...child.attributes]) {
          if (value.includes("var(")) child.setAttribute(name, value.replace(/var\((--[a-z0-9]+)\)/g, (_, key) => colour(key)));
        }
      }
      root.append(copy);
      width = Math.max(width, box.width + 16);
      y += box.height + GAP_PIXELS;
    }
    for (const [key, value] of Object.entries({ width, height: y, viewBox: `0 0 ${width} ${y}` })) root.setAttribute(key, value);
    return { width, height: y, text: new XMLSerializer().serializeToString(root) };
  }

  function savePng(name, { width, height, text }) {
    const image = new Image();
    image.addEventListener("load", () => {
      const canvas = document.createElement("canvas");
      [canvas.width, canvas.height] = [width * PNG_SCALE, height * PNG_SCALE];
      canvas.getContext("2d").drawImage(image, 0, 0, canvas.width, canvas.height);
      canvas.toBlob((blob) => save(name, blob), "image/png");
    });
    image.src = `data:image/svg+xml;charset=utf-8,${encodeURIComponent(text)}`;
  }

  function addButtons(tools) {
    const owner = tools.parentElement;
    const name = owner.id;
    const label = (format) => `Save as ${format}: ${tools.dataset.save}`;
    const made = [button("CSV", label("CSV"), () => save(`${name}.csv`, new Blob([csv(owner.querySelector("table"))], { type: "text/csv" })))];
    if (owner.matches("figure")) {
      made.push(button("SVG", label("SVG"), () => save(`${name}.svg`, new Blob([picture(owner).text], { type: "image/svg+xml" }))));
      made.push(button("PNG", label("PNG"), () => savePng(`${name}.png`, picture(owner))));
    }
    tools.prepend(...made);
  }

  // A link to a table opens it.
  function openTarget() {
    const target = document.getElementById(location.hash.slice(1));
    if (target?.matches("details")) target.open = true;
  }

  document.addEventListener("table", (event) => enhance(event.target.querySelector("table")));
  document.querySelectorAll("table").forEach(enhance);
  document.querySelectorAll("[data-save]").forEach(addButtons);
  addEventListener("hashchange", openTarget);
  openTarget();
})();
