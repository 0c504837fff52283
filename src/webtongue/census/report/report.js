// Draw the figures of a report from the data in the page. Nothing is fetched, and data never becomes markup.
"use strict";
(() => {
  const data = JSON.parse(document.getElementById("data").textContent);
  const MAX_ROWS = 20; // Bars and table rows of a picked subject.
  const MAX_FIRST_OPTIONS = 10; // Largest subjects, at the top of a picker.
  const NO_LANGUAGE = new Set(["und", "zxx", "mul"]);
  const failures = [];

  // Numbers, by the rules of formats.py.
  const count = (number) => Math.floor(number + 0.5).toLocaleString("en-US");
  const percent = (share, total = Infinity) => {
    const value = share * 100;
    if (value <= 0 || value >= 100) return value > 0 ? "100%" : "0%";
    const supported = total < data.decimals[0] ? 0 : total < data.decimals[1] ? 1 : 2;
    const places = Math.min(value >= 9.995 ? 1 : 2, supported);
    const rounded = Math.floor(value * 10 ** places + 0.5) / 10 ** places;
    if (rounded >= 100) return `>${(100 - 10 ** -places).toFixed(places)}%`;
    return rounded ? `${rounded.toFixed(places)}%` : `<${(10 ** -places).toFixed(places)}%`;
  };
  const totalOf = (row) => (row.pages && row.value ? Math.round(row.pages / row.value) : Infinity);

  // Cells of tables: a text and an exact number.
  const counted = (number) => [count(number), number];
  const shared = (share, total) => [percent(share, total), share];

  const element = (name, text, className) => {
    const made = document.createElement(name);
    if (text !== undefined) made.textContent = text;
    if (className) made.className = className;
    return made;
  };
  const place = (kind, id) => document.querySelector(`[data-${kind}="${id}"]`);

  // A chart is created once; later calls replace its data.
  const views = new Map();
  async function draw(where, kind, sets, { lines, top, label = 0, fixed }) {
    const drawn = views.get(where);
    const spec = data.charts[kind];
    const height = lines ? lines * spec.height.step : spec.height;
    if (drawn) {
      for (const [name, rows] of Object.entries(sets)) drawn.data(name, rows);
      if (lines) drawn.height(height);
      if (top) drawn.signal("top", top);
      await drawn.resize().runAsync();
      return;
    }
    const options = {
      mode: "vega-lite", ast: true, renderer: "svg", actions: false, defaultStyle: false, config: data.config,
      tooltip: { disableDefaultStyle: true },
    };
    try {
      const params = top ? [{ name: "top", value: top }, { name: "label", value: label }] : [];
      const result = await vegaEmbed(where, { ...spec, height, params, datasets: { ...fixed, ...sets } }, options);
      views.set(where, result.view);
    } catch (error) {
      failures.push(String(error));
      where.replaceChildren(element("p", "This chart could not be drawn; its numbers are in the table.", "failed"));
    }
  }

  // Bars, all of a figure on one scale. Those of pages without a language or country are muted.
  function describe(row, unit) {
    const total = totalOf(row);
    const written = (share) => percent(share, total);
    let sentence = `${row.name}: ${count(row.pages)} ${unit}, ${written(row.value)}`;
    if (row.low !== undefined) sentence += ` (95%: ${written(row.low)} – ${written(row.high)})`;
    if (row.corrected !== undefined) {
      sentence += `; corrected ${written(row.corrected)} (95%: ${written(row.corrected_low)} – ${written(row.corrected_high)})`;
    }
    return sentence;
  }

  async function bars(id, rows, unit, label) {
    const ready = rows.map((row, order) => ({
      low: row.value,
      high: row.value,
      ...row,
      order,
      special: Boolean(row.special),
      end: Math.max(row.value, row.high ?? 0),
      text: percent(row.value, totalOf(row)),
      tip: describe(row, unit),
    }));
    const top = Math.max(0, ...ready.map((row) => row.end)) || 1;
    await draw(place("bars", id), "bars", { rows: ready }, { lines: ready.length, top, label });
  }

  // Maps and matrices, in six shades.
  const shade = (value, bounds) => bounds.filter((bound) => value >= bound).length;

  function shades(id, bounds, show, largest) {
    const entries = bounds.map((bound, at) => {
      const next = bounds[at + 1];
      const item = element("li");
      item.append(element("i", undefined, `c${at + 1}`), element("span", show(bound, next)));
      return { item, used: largest >= bound };
    });
    place("shades", id).replaceChildren(...entries.filter((entry) => entry.used).map((entry) => entry.item));
  }
  const countClass = (from, to) =>
    to === undefined ? `${count(from)} and more` : to === from + 1 ? count(from) : `${count(from)} – ${count(to - 1)}`;
  const shareClass = (from, to) => {
    const points = (share) => `${Math.round(share * 100)}`;
    if (from < 0.001) return `under ${points(to)}%`;
    return to === undefined ? `${points(from)}% and more` : `${points(from)} – ${points(to)}%`;
  };

  async function map(id, numbers, bounds, unit, total) {
    const amount = (code) => (numbers[code] ? `${count(numbers[code])} ${unit}, ${percent(numbers[code] / total, total)}` : `no ${unit}`);
    const tip = (code) => `${data.countries[code] ?? code}: ${amount(code)}`;
    const row = (code) => ({ code, class: shade(numbers[code] ?? 0, bounds), tip: tip(code) });
    const values = data.world.objects.countries.geometries.map((shape) => row(shape.id));
    const points = Object.entries(data.world.points)
      .filter(([code]) => numbers[code])
      .map(([code, [longitude, latitude]]) => ({ longitude, latitude, ...row(code) }));
    shades(id, bounds, countClass, Math.max(0, ...Object.values(numbers)));
    const where = place("map", id);
    await draw(where, "map", { values, points }, { fixed: { world: data.world } });
    where.parentElement.scrollLeft = (where.scrollWidth - where.parentElement.clientWidth) / 2;
  }

  async function cells(id, figure) {
    const rows = figure.cells.map(([row, column, share, pages]) => ({
      row,
      column,
      class: shade(share, figure.bounds),
      tip: `${row}, ${column}: ${count(pages)} pages, ${percent(share, Math.round(pages / share))}`,
    }));
    shades(id, figure.bounds, shareClass, 1);
    await draw(place("cells", id), "cells", { rows }, { lines: new Set(rows.map((row) => row.row)).size });
  }

  // Pickers.
  function options(select, entries) {
    const option = (entry) => {
      const made = element("option", entry.name);
      made.value = String(entry.at);
      return made;
    };
    const group = (label, members) => {
      const made = element("optgroup");
      made.label = label;
      made.append(...members.map(option));
      return made;
    };
    const byName = [...entries].sort((a, b) => a.name.localeCompare(b.name, "en"));
    select.replaceChildren(
      ...(entries.length > 2 * MAX_FIRST_OPTIONS
        ? [group("Largest", entries.slice(0, MAX_FIRST_OPTIONS)), group("All, by name", byName)]
        : byName.map(option)),
    );
  }

  function table(id, heads, rows) {
    const made = element("table");
    made.append(element("caption", place("table", id).getAttribute("aria-label")));
    const head = element("tr");
    heads.forEach((title, at) => {
      const cell = element("th", title, at ? "r" : "");
      cell.scope = "col";
      head.append(cell);
    });
    const top = element("thead");
    top.append(head);
    const body = element("tbody");
    for (const row of rows) {
      const line = element("tr");
      row.forEach(([text, value], at) => {
        const cell = element(at ? "td" : "th", text, at ? "r" : "");
        if (value !== undefined) cell.dataset.value = String(value);
        if (!at) cell.scope = "row";
        line.append(cell);
      });
      body.append(line);
    }
    made.append(top, body);
    place("table", id).replaceChildren(made);
    place("table", id).dispatchEvent(new Event("table", { bubbles: true })); // tools.js
  }

  // The largest entries for bars and table, those without a language or country last, and the pages of all others.
  function largest(entries, total) {
    const shown = entries.slice(0, MAX_ROWS).map((entry) => ({ ...entry, value: entry.pages / total }));
    const others = total - shown.reduce((sum, entry) => sum + entry.pages, 0);
    shown.sort((a, b) => Boolean(a.special) - Boolean(b.special));
    return { shown, others };
  }

  async function pickedLanguage(at) {
    const { languages, countries, pages } = data.pairs;
    const language = languages[at];
    const entries = [];
    const values = {};
    for (let i = 0; i < pages[at].length; i += 2) {
      const country = countries[pages[at][i]];
      entries.push({ name: country.name, pages: pages[at][i + 1], special: !country.code });
      if (country.code) values[country.code] = pages[at][i + 1];
    }
    const { shown, others } = largest(entries, language.pages);
    const unknown = entries.find((entry) => entry.special)?.pages ?? 0;
    const first = shown.find((entry) => !entry.special);
    let summary = `${language.name}: ${count(language.pages)} pages in ${count(entries.length - (unknown ? 1 : 0))} countries and regions.`;
    if (first) summary += ` Most are in ${first.name} (${percent(first.value, language.pages)}).`;
    if (unknown) summary += ` Not on the map: ${count(unknown)} on servers of unknown country.`;
    place("said", "language").textContent = summary;
    const rows = shown.map((entry) => [[entry.name], counted(entry.pages), shared(entry.value, language.pages)]);
    if (others > 0) rows.push([["Others"], counted(others), shared(others / language.pages, language.pages)]);
    table("language", ["Country", "Pages", "Share of the language"], rows);
    await map("language", values, language.bounds, "pages", language.pages);
    await bars("language", shown, "pages");
  }

  let byCountry;
  function languagesOf(at) {
    if (!byCountry) {
      byCountry = data.pairs.countries.map(() => []);
      data.pairs.pages.forEach((flat, language) => {
        for (let i = 0; i < flat.length; i += 2) byCountry[flat[i]].push({ language, pages: flat[i + 1] });
      });
      for (const entries of byCountry) entries.sort((a, b) => b.pages - a.pages);
    }
    return byCountry[at].map(({ language, pages }) => {
      const { name, label } = data.pairs.languages[language];
      return { name, pages, special: NO_LANGUAGE.has(label) };
    });
  }

  async function pickedCountry(at) {
    const country = data.pairs.countries[at];
    const { population, foreign } = data.figures.country;
    const { shown, others } = largest(languagesOf(at), country.pages);
    const first = shown.find((entry) => !entry.special);
    let summary = `${country.name}: ${count(country.pages)} pages.`;
    if (first) summary += ` Most are in ${first.name} (${percent(first.value, country.pages)}).`;
    if (foreign[country.code]) summary += ` The largest language that is not one of the country's own: ${foreign[country.code]}.`;
    place("said", "country").textContent = summary;
    const spoken = population[country.code];
    const extra = (name) => (spoken ? [spoken[name] === undefined ? [""] : shared(spoken[name])] : []);
    const rows = shown.map((entry) => [[entry.name], counted(entry.pages), shared(entry.value, country.pages), ...extra(entry.name)]);
    if (others > 0) rows.push([["Others"], counted(others), shared(others / country.pages, country.pages), ...extra("")]);
    table("country", ["Language", "Pages", "Share of the country", ...(spoken ? ["Share of people"] : [])], rows);
    await bars("country", shown, "pages");
  }

  // Choices are drawn one after the other: a choice waits until the previous one is drawn.
  function picker(id, entries, start, picked) {
    const select = place("pick", id);
    if (!select) return undefined;
    options(select, entries.map((entry, at) => ({ name: entry.name, at })));
    select.value = String(start);
    let busy = Promise.resolve();
    const redraw = () => (busy = busy.then(() => picked(Number(select.value))));
    select.addEventListener("change", redraw);
    return redraw();
  }

  async function all() {
    for (const [id, figure] of Object.entries(data.figures)) {
      if (figure.kind === "map") await map(id, figure.values, figure.bounds, figure.unit, figure.total);
      else if (figure.kind === "bars") await bars(id, figure.rows, figure.unit, figure.label);
      else if (figure.kind === "cells") await cells(id, figure);
      else if (figure.kind === "language") {
        const second = data.pairs.languages.findIndex((entry, at) => at > 0 && !NO_LANGUAGE.has(entry.label));
        await picker(id, data.pairs.languages, Math.max(0, second), pickedLanguage);
      } else if (figure.kind === "country") {
        const first = data.pairs.countries.findIndex((entry) => entry.code);
        await picker(id, data.pairs.countries, Math.max(0, first), pickedCountry);
      }
    }
    document.documentElement.dataset.drawn = failures.length ? failures.join("; ") : "all";
  }

  // Open all tables for printing.
  const closed = [];
  addEventListener("beforeprint", () => {
    for (const details of document.querySelectorAll("details:not([open])")) {
      closed.push(details);
      details.open = true;
    }
  });
  addEventListener("afterprint", () => closed.splice(0).forEach((details) => (details.open = false)));

  all();
})();
