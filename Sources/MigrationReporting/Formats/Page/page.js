"use strict";
(() => {
  const root = document.documentElement;
  root.classList.add("scripted");
  const data = JSON.parse(document.getElementById("data").textContent);

  const make = (name, attributes, ...children) => {
    const element = document.createElement(name);
    for (const [key, value] of Object.entries(attributes || {})) element.setAttribute(key, value);
    element.append(...children.filter((child) => child !== null && child !== undefined));
    return element;
  };

  /* "0-3,7" is 0, 1, 2, 3, 7. */
  const expand = (ranges) => {
    const nodes = [];
    for (const part of (ranges || "").split(",").filter(Boolean)) {
      const [first, last] = part.split("-").map(Number);
      for (let node = first; node <= (last ?? first); node += 1) nodes.push(node);
    }
    return nodes;
  };

  /* "1-3,7x4" is 1, 2, 3 and four times 7. */
  const expandRuns = (runs) => runs.split(",").flatMap((part) => {
    const [number, count] = part.split("x").map(Number);
    return count ? Array(count).fill(number) : expand(part);
  });

  const findingList = (ranges) => {
    const numbers = expand(ranges);
    if (!numbers.length) return null;
    /* What is said in the same words of several versions is told once. */
    const groups = new Map();
    for (const number of numbers) {
      const [cause, version] = data.findings[number];
      const row = document.getElementById("finding-" + cause);
      const words = data.messages[cause]?.join(data.versions[version])
        ?? row.querySelector(".message").textContent;
      const key = [row.dataset.severity, row.dataset.code, words].join(" ");
      if (!groups.has(key)) groups.set(key, { row, words, count: 0 });
      groups.get(key).count += 1;
    }
    const list = make("ul", { class: "note-list" });
    for (const { row, words, count } of groups.values()) {
      const severity = row.dataset.severity;
      list.append(
        make("li", {}, make("span", { class: "sev " + severity }, severity), " ",
          make("a", { href: "#" + row.id }, row.dataset.code), " ", words,
          count > 1 ? make("span", { class: "faint" }, " (" + count + " times)") : null)
      );
    }
    return list;
  };

  /* Unfolds all that holds an element. */
  const reveal = (element) => {
    for (let at = element.parentElement; at; at = at.parentElement) {
      if (at.tagName === "DETAILS") at.open = true;
    }
    element.scrollIntoView({ block: "center" });
  };

  /* The drawing as large as wanted, moved by dragging its ground. */
  const startDrawing = (section) => {
    const drawing = section.querySelector(".drawing");
    const graph = section.querySelector(".graph");
    const { width, height } = graph.viewBox.baseVal;
    let scale = 1;
    const zoom = (wanted) => {
      scale = Math.min(3, Math.max(0.05, wanted));
      graph.setAttribute("width", width * scale);
      graph.setAttribute("height", height * scale);
    };
    const room = drawing.clientWidth - 30;
    for (const button of section.querySelectorAll("[data-zoom]")) {
      button.addEventListener("click", () => {
        const kind = button.dataset.zoom;
        if (kind !== "fit") {
          zoom(kind === "in" ? scale * 1.25 : scale / 1.25);
        } else if (scale === 1) {
          zoom(Math.min(1, room / width, (drawing.clientHeight - 22) / height));
        } else {
          zoom(1);
        }
      });
    }
    drawing.addEventListener("wheel", (event) => {
      if (!event.ctrlKey) return;
      event.preventDefault();
      zoom(scale * (event.deltaY < 0 ? 1.1 : 1 / 1.1));
    }, { passive: false });
    let start = null;
    drawing.addEventListener("pointerdown", (event) => {
      if (event.pointerType !== "mouse" || event.target.closest(".node")) return;
      start = { x: event.clientX + drawing.scrollLeft, y: event.clientY + drawing.scrollTop };
      drawing.classList.add("dragged");
      drawing.setPointerCapture(event.pointerId);
    });
    drawing.addEventListener("pointermove", (event) => {
      if (start) drawing.scrollTo(start.x - event.clientX, start.y - event.clientY);
    });
    drawing.addEventListener("pointerup", () => {
      start = null;
      drawing.classList.remove("dragged");
    });
    return (node) => {
      const box = node.getBoundingClientRect();
      const pane = drawing.getBoundingClientRect();
      drawing.scrollTop += box.top + box.height / 2 - pane.top - pane.height / 2;
    };
  };

  const startModel = (section) => {
    const index = Number(section.dataset.model);
    const model = data.models[index];
    const rows = model.routes?.rows.map(expandRuns);
    const graph = section.querySelector(".graph");
    const panel = section.querySelector(".panel");
    const from = section.querySelector("select.from");
    const to = section.querySelector("select.to");
    for (const option of from.options) {
      const copy = option.cloneNode(true);
      copy.selected = Number(option.value) === model.current;
      to.append(copy);
    }
    const nodes = [...section.querySelectorAll(".node")];
    const edges = new Map();
    for (const element of section.querySelectorAll(".edge[data-edge]")) {
      edges.set(model.edges[Number(element.dataset.edge)].join("-"), element);
    }
    const center = startDrawing(section);
    const columns = [...section.querySelectorAll(".map a")];
    let isPicked = false;

    const stored = (a, b) => model.paths.filter((path) => path.from === a && path.to === b);
    const way = (a, b) => {
      const known = stored(a, b).find((path) => path.nodes !== undefined);
      if (known) return expand(known.nodes);
      if (!model.routes || a >= b || !rows[a][b - a - 1]) return null;
      const stops = [a];
      for (let at = a; at < b;) {
        const odd = model.routes.odd[at + "-" + b];
        if (odd) return [...stops, ...expand(odd).slice(1)];
        at += rows[at][b - at - 1];
        stops.push(at);
      }
      return stops;
    };

    /* The lines that only picked edges have: under them, beside them and, of a shared lane, all along. */
    const outline = (edge) => {
      if (edge.querySelector(".glow")) return;
      const path = edge.querySelector("path[id]");
      const line = (look) => {
        const copy = path.cloneNode();
        copy.removeAttribute("id");
        copy.setAttribute("class", look);
        return copy;
      };
      if (!path.classList.contains("line")) path.after(line("whole"));
      path.before(line("glow"), line("trace"));
    };

    const mark = (name, stops) => {
      for (const element of section.querySelectorAll("." + name + ".edge, ." + name + ".node")) {
        element.classList.remove(name);
      }
      for (const stop of stops) nodes[stop]?.classList.add(name);
      for (let at = 1; at < stops.length; at += 1) {
        const edge = edges.get(stops[at - 1] + "-" + stops[at]);
        if (edge) { outline(edge); edge.classList.add(name); }
      }
    };

    /* Where the app fails, the step that it cannot take is shown too. */
    const appStops = (path) => {
      const list = expand(path.app.nodes);
      const last = list[list.length - 1];
      return last !== path.to && edges.has(last + "-" + path.to) ? [...list, path.to] : list;
    };

    const show = (a, b) => {
      const paths = stored(a, b);
      mark("way", way(a, b) || []);
      mark("app", paths.length ? appStops(paths[0]) : []);
      graph.classList.toggle("picked", section.querySelector(".edge.way, .edge.app") !== null);
    };

    const stops = (list) => {
      const names = list.map((node) => model.nodes[node]);
      const shown = names.length > 9
        ? [...names.slice(0, 6), "… " + (names.length - 8) + " more …", ...names.slice(-2)] : names;
      return make("p", { class: "stops" }, shown.join(" → "));
    };

    const hops = (list) => {
      const ordered = make("div", { class: "steps" });
      for (let at = 1; at < list.length; at += 1) {
        const edge = edges.get(list[at - 1] + "-" + list[at]);
        const step = edge && document.getElementById("step-" + index + "-" + edge.dataset.edge);
        if (step) {
          const copy = step.cloneNode(true);
          copy.removeAttribute("id");
          copy.open = list.length <= 4;
          ordered.append(copy);
        } else {
          const names = model.nodes[list[at - 1]] + " → " + model.nodes[list[at]];
          ordered.append(make("p", {}, names + ": a shortcut. It does what the steps between do."));
        }
      }
      return ordered;
    };

    const describe = (a, b) => {
      panel.replaceChildren(make("h2", {}, model.nodes[a] + " → " + model.nodes[b]));
      if (a === b) {
        panel.append(make("p", {}, "There is nothing to migrate. Pick two versions."));
        return;
      }
      const paths = stored(a, b);
      for (const path of paths) {
        const words = make("span", { class: "chip " + path.app.kind }, model.texts[path.app.words]);
        const store = path.store ? make("p", { class: "faint" }, path.store) : null;
        const part = make("div", { class: "verdict" }, store,
          make("h3", {}, make("span", { class: "tag app" }), "The app would: ", words),
          make("p", {}, model.texts[path.app.summary]));
        const findings = findingList(path.app.findings);
        if (findings) part.append(findings);
        panel.append(part);
      }
      if (!paths.length && data.hasOutcomes) {
        panel.append(make("div", { class: "verdict" },
          make("h3", {}, make("span", { class: "tag app" }), "The app"),
          make("p", {}, "The app only opens stores with its current version.")));
      }
      const list = way(a, b);
      const part = make("div", { class: "verdict" });
      panel.append(part);
      if (list === null) {
        const asked = paths.length > 0 || model.routes !== null;
        part.append(
          make("h3", {}, make("span", { class: "tag way" }), "Waystone can: ",
            make("span", { class: "chip " + (asked ? "fails" : "unknown") },
              asked ? "✕ no path" : "? not in this report")));
        if (paths.length) part.append(findingList(paths[0].findings) || "");
        return;
      }
      const count = list.length - 1;
      const words = paths.length ? model.texts[paths[0].words] : "✓ " + count + (count === 1 ? " hop" : " hops");
      part.append(
        make("h3", {}, make("span", { class: "tag way" }), "Waystone can: ",
          make("span", { class: "chip " + (paths.length ? paths[0].look : "arrives") }, words)),
        stops(list));
      if (paths.length && paths[0].bytes) {
        part.append(make("p", { class: "faint" }, "writes " + paths[0].bytes + " for each 100 MB of store"));
      }
      for (const path of paths.filter((one) => one.trial)) {
        part.append(make("p", {}, path.trial));
        part.append(findingList(path.trialFindings) || "");
      }
      part.append(hops(list));
    };

    const focusable = (node) => {
      for (const element of nodes) element.setAttribute("tabindex", element === node ? "0" : "-1");
    };

    const pick = () => {
      isPicked = true;
      const a = Number(from.value);
      const b = Number(to.value);
      for (const [at, element] of nodes.entries()) {
        element.setAttribute("aria-pressed", String(at === a || at === b));
      }
      for (const [at, column] of columns.entries()) {
        column.classList.toggle("picked", at === a || at === b);
      }
      show(a, b);
      describe(a, b);
      focusable(nodes[a]);
      center(nodes[a]);
    };

    /* What is picked stands in the address, so that it can be sent to others. */
    const pickAndName = () => {
      pick();
      history.replaceState(null, "", "#m" + index + "-" + from.value + "-" + to.value);
    };

    const follow = () => {
      const wanted = /^#m(\d+)-(\d+)-(\d+)$/.exec(location.hash);
      if (!wanted || Number(wanted[1]) !== index) return false;
      const [a, b] = [Number(wanted[2]), Number(wanted[3])];
      if (!nodes[a] || !nodes[b]) return false;
      from.value = String(a);
      to.value = String(b);
      pick();
      section.querySelector(".board").scrollIntoView({ block: "nearest" });
      return true;
    };
    window.addEventListener("hashchange", follow);

    const clear = () => {
      isPicked = false;
      show(0, 0);
      mark("way", []);
      for (const element of nodes) element.setAttribute("aria-pressed", "false");
      panel.replaceChildren(make("p", { class: "faint" }, "No path is picked."));
    };

    from.addEventListener("change", pickAndName);
    to.addEventListener("change", pickAndName);
    section.querySelector("button.clear").addEventListener("click", clear);
    for (const [at, element] of nodes.entries()) {
      const peek = () => { if (at !== Number(to.value)) show(at, Number(to.value)); };
      const leave = () => {
        if (isPicked) show(Number(from.value), Number(to.value));
        else clear();
      };
      element.addEventListener("pointerenter", peek);
      element.addEventListener("pointerleave", leave);
      element.addEventListener("focus", peek);
      element.addEventListener("blur", leave);
      const choose = (isEnd) => {
        (isEnd ? to : from).value = String(at);
        pickAndName();
        focusable(element);
      };
      element.addEventListener("click", (event) => choose(event.shiftKey));
      element.addEventListener("keydown", (event) => {
        const move = { ArrowDown: 1, ArrowUp: -1, Home: -nodes.length, End: nodes.length }[event.key];
        if (move) {
          const next = nodes[Math.min(nodes.length - 1, Math.max(0, at + move))];
          focusable(next);
          next.focus();
          next.scrollIntoView({ block: "nearest" });
        } else if (event.key === "Enter" || event.key === " ") {
          choose(event.shiftKey);
        } else if (event.key === "Escape") {
          clear();
        } else {
          return;
        }
        event.preventDefault();
      });
    }
    if (nodes.length) focusable(nodes[0]);
    if (!follow()) { if (model.paths.length) pick(); else clear(); }
  };

  const startFilter = (form) => {
    const versionsOf = new Map();
    for (const [cause, version] of data.findings) {
      if (!versionsOf.has(cause)) versionsOf.set(cause, new Set());
      versionsOf.get(cause).add(data.versions[version]);
    }
    const rows = [...document.querySelectorAll(".finding")].map((row) => ({
      row, text: row.textContent.toLowerCase(),
      versions: versionsOf.get(Number(row.id.split("-")[1])),
    }));
    const output = form.querySelector("output");
    const apply = () => {
      const code = form.elements.code.value;
      const version = form.elements.version.value;
      const words = form.elements.text.value.toLowerCase().split(/\s+/).filter(Boolean);
      const isFiltered = code || version || words.length > 0;
      let shown = 0;
      for (const { row, text, versions } of rows) {
        const fits = (!code || row.dataset.code === code)
          && (!version || versions.has(version))
          && words.every((word) => text.includes(word));
        row.hidden = !fits;
        if (fits) shown += 1;
      }
      for (const part of document.querySelectorAll("details.severity")) {
        const fitting = part.querySelector(".finding:not([hidden])");
        part.hidden = !fitting;
        if (isFiltered && fitting) part.open = true;
      }
      output.textContent = shown + " of " + rows.length + " shown";
    };
    form.addEventListener("input", apply);
    form.addEventListener("submit", (event) => event.preventDefault());
    /* A link to a finding that is filtered away or folded shows it. */
    const follow = () => {
      const row = document.getElementById(location.hash.slice(1));
      if (!row || !row.classList.contains("finding")) return;
      if (row.hidden) { form.reset(); apply(); }
      reveal(row);
    };
    window.addEventListener("hashchange", follow);
    apply();
    follow();
  };

  const startTheme = (button) => {
    const order = ["auto", "light", "dark"];
    const key = "waystone-theme";
    let theme = "auto";
    /* A page from a file may have no storage. */
    try { theme = order.find((name) => name === localStorage.getItem(key)) || "auto"; } catch { /* auto */ }
    const apply = () => {
      if (theme === "auto") root.removeAttribute("data-theme"); else root.dataset.theme = theme;
      button.querySelector("span").textContent = theme;
      button.setAttribute("aria-label", "Colours: " + (theme === "auto" ? "as the system" : theme));
    };
    button.addEventListener("click", () => {
      theme = order[(order.indexOf(theme) + 1) % order.length];
      try { localStorage.setItem(key, theme); } catch { /* it holds until the page is closed */ }
      apply();
    });
    apply();
  };

  /* On paper nothing can be unfolded: what loses data and what holds the release stands open there. */
  let folded = [];
  window.addEventListener("beforeprint", () => {
    const wanted = "details.losing, details.losing details, details.severity:first-of-type";
    folded = [...document.querySelectorAll(wanted)].filter((element) => !element.open);
    for (const element of folded) element.open = true;
  });
  window.addEventListener("afterprint", () => { for (const element of folded) element.open = false; });

  for (const section of document.querySelectorAll(".model")) startModel(section);
  const form = document.querySelector("form.filter");
  if (form) startFilter(form);
  startTheme(document.getElementById("theme"));
})();
