// Draw the figures of a report from the data in the page. Nothing is fetched, and data never becomes markup.
"use strict";
(() => {
  const data = JSON.parse(document.getElementById("data").textContent);
  const OVERSHADOWING_RATIO = 2.5; // A bar that is so many times as large as the next is drawn separately.
  const MAX_SEPARATE = 3; // Languages; pages without a language are always separate.
  const MAX_ROWS = 20; // Bars and table rows of a picked subject.
  const MAX_FIRST_OPTIONS = 10; // Largest subjects, at the top of a picker.
  const NO_LANGUAGE = new Set(["und", "zxx", "mul"]);
  const failures = [];

  // Numbers, by the rules of formats.py.
  const count = (number) => Math.floor(number + 0.5).toLocaleString("en-US");
  const percent = (share) => {
    const value = share * 100;
    if (value <= 0 || value >= 100) return value > 0 ? "100%" : "0%";
    if (value < 0.005) return "<0.01%";
    const places = value >= 9.995 ? 1 : 2;
    const rounded = Math.floor(value * 10 ** places + 0.5) / 10 ** places;
    return rounded >= 100 ? ">99.9%" : `${rounded.toFixed(places)}%`;
  };

  const element = (name, text, className) => {
    const made = document.createElement(name);
    if (text !== undefined) made.textContent = text;
    if (className) made.className = className;
    return made;
  };
  const place = (kind, id) => document.querySelector(`[data-${kind}="${id}"]`);

  // A chart is created once; later calls replace its data.
  const views = new Map();
  async function draw(where, kind, sets, { lines, top, fixed }) {
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
      const params = top ? [{ name: "top", value: top }] : [];
      const result = await vegaEmbed(where, { ...spec, height, params, datasets: { ...fixed, ...sets } }, options);
      views.set(where, result.view);
    } catch (error) {
      failures.push(String(error));
      where.replaceChildren(element("p", "This chart could not be drawn; its numbers are in the table.", "failed"));
    }
  }

  // Bars. Those that would overshadow the others go to a separate chart above.
  function overshadowing(rows) {
    const largest = rows.filter((row) => !row.special);
    let apart = 0;
    for (let at = 1; at <= MAX_SEPARATE && at < largest.length - 1; at++) {
      if (largest[at - 1].value >= OVERSHADOWING_RATIO * largest[at].value) apart = at;
    }
    return new Set(largest.slice(0, apart));
  }

  function describe(row, unit) {
    let sentence = `${row.name}: ${count(row.pages)} ${unit}, ${percent(row.value)}`;
    if (row.low !== undefined) sentence += ` (95%: ${percent(row.low)} – ${percent(row.high)})`;
    if (row.corrected !== undefined) {
      sentence += `; corrected ${percent(row.corrected)} (95%: ${percent(row.corrected_low)} – ${percent(row.corrected_high)})`;
    }
    return sentence;
  }

  async function bars(id, rows, unit, whole) {
    const ready = rows.map((row) => ({
      low: row.value,
      high: row.value,
      corrected: row.value,
      corrected_low: row.value,
      corrected_high: row.value,
      ...row,
      shown: row.corrected !== undefined,
      end: Math.max(row.value, row.high ?? 0, row.corrected_high ?? 0),
      text: percent(row.value),
      tip: describe(row, unit),
    }));
    const large = whole ? new Set() : overshadowing(ready);
    const split = large.size > 0 || ready.some((row) => row.special);
    const apart = split ? ready.filter((row) => row.special || large.has(row)).sort((a, b) => b.value - a.value) : [];
    const rest = ready.filter((row) => !apart.includes(row));
    const [above, below] = [place("apart", id), place("bars", id)];
    above.hidden = apart.length === 0;
    below.hidden = rest.length === 0;
    // The upper chart uses the scale of the lower one unless its bars are longer.
    const most = (some) => Math.max(0, ...some.map((row) => row.end)) || 1;
    const top = Math.max(most(apart), rest.length ? most(rest) : 0);
    for (const some of [apart, rest]) some.forEach((row, at) => (row.order = at));
    if (apart.length) await draw(above, "bars", { rows: apart }, { lines: apart.length, top });
    if (rest.length) await draw(below, "bars", { rows: rest }, { lines: rest.length, top: most(rest) });
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

  async function map(id, numbers, bounds, unit, total, names) {
    const tip = (code) => `${names[code] ?? code}: ${count(numbers[code])} ${unit}, ${percent(numbers[code] / total)}`;
    const row = (code) => ({ code, class: shade(numbers[code] ?? 0, bounds), tip: numbers[code] ? tip(code) : undefined });
    const values = data.world.objects.countries.geometries.map((shape) => row(shape.id));
    const points = Object.entries(data.world.points)
      .filter(([code]) => numbers[code])
      .map(([code, [longitude, latitude]]) => ({ longitude, latitude, ...row(code) }));
    shades(id, bounds, countClass, Math.max(0, ...Object.values(numbers)));
    await draw(place("map", id), "map", { values, points }, { fixed: { world: data.world } });
  }

  async function cells(id, figure) {
    const rows = figure.cells.map(([row, code, name, share, pages]) => ({
      row,
      column: `${code}\t${name}`,
      class: shade(share, figure.bounds),
      tip: `${row}, ${name}: ${count(pages)} pages, ${percent(share)}`,
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
      row.forEach((text, at) => {
        const cell = element(at ? "td" : "th", text, at ? "r" : "");
        if (!at) cell.scope = "row";
        line.append(cell);
      });
      body.append(line);
    }
    made.append(top, body);
    place("table", id).replaceChildren(made);
  }

  // The largest entries for bars and table, and the pages of all others.
  function largest(entries, total) {
    const shown = entries.slice(0, MAX_ROWS).map((entry) => ({ ...entry, value: entry.pages / total }));
    const others = total - shown.reduce((sum, entry) => sum + entry.pages, 0);
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
    if (first) summary += ` Most are in ${first.name} (${percent(first.value)}).`;
    if (unknown) summary += ` Not on the map: ${count(unknown)} on servers of unknown country.`;
    place("said", "language").textContent = summary;
    const rows = shown.map((entry) => [entry.name, count(entry.pages), percent(entry.value)]);
    if (others > 0) rows.push(["Others", count(others), percent(others / language.pages)]);
    table("language", ["Country", "Pages", "Share of the language"], rows);
    const names = Object.fromEntries(countries.map((country) => [country.code, country.name]));
    await map("language", values, language.bounds, "pages", language.pages, names);
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
    if (first) summary += ` Most are in ${first.name} (${percent(first.value)}).`;
    if (foreign[country.code]) summary += ` The largest language that is not one of the country's own: ${foreign[country.code]}.`;
    place("said", "country").textContent = summary;
    const spoken = population[country.code];
    const extra = (name) => (spoken ? [spoken[name] === undefined ? "" : percent(spoken[name])] : []);
    const rows = shown.map((entry) => [entry.name, count(entry.pages), percent(entry.value), ...extra(entry.name)]);
    if (others > 0) rows.push(["Others", count(others), percent(others / country.pages), ...extra("")]);
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
      if (figure.kind === "map") await map(id, figure.values, figure.bounds, figure.unit, figure.total, data.countries);
      else if (figure.kind === "bars") await bars(id, figure.rows, figure.unit, figure.whole);
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
