"use strict";
// Everything foreign enters the page as text: this file knows no markup but its own elements.
(() => {
  const root = document.documentElement;
  root.classList.add("js");
  const SVG = "http://www.w3.org/2000/svg";
  const GLYPHS = { broken: "✕", degraded: "!", acceptable: "≈", good: "✓", inconclusive: "?", note: "·" };
  const ORDER = ["broken", "degraded", "inconclusive", "acceptable", "note", "good"];
  const $ = (id) => document.getElementById(id);

  const fill = (node, facts, children) => {
    for (const [name, value] of Object.entries(facts || {})) {
      if (value === null || value === undefined || value === false) continue;
      if (name === "on") for (const [kind, act] of Object.entries(value)) node.addEventListener(kind, act);
      else node.setAttribute(name, value === true ? "" : String(value));
    }
    for (const child of children.flat(Infinity)) {
      if (child === null || child === undefined || child === false) continue;
      node.append(child instanceof Node ? child : document.createTextNode(String(child)));
    }
    return node;
  };
  const el = (tag, facts, ...children) => fill(document.createElement(tag), facts, children);
  const svg = (tag, facts, ...children) => fill(document.createElementNS(SVG, tag), facts, children);
  const sentence = (text) => text.split(/`([^`]+)`/).map((part, at) => (at % 2 ? el("code", {}, part) : part));
  const is = (status) => "is-" + (status in GLYPHS ? status : "note");
  const badge = (status, small) =>
    el("span", { class: "badge " + is(status) + (small ? " small" : "") },
      el("span", { class: "glyph", "aria-hidden": "true" }, GLYPHS[status] || "·"), status);
  const number = (value) => (value === null || value === undefined ? "–" : value.toFixed(2));
  const counted = (amount, noun) => amount + " " + noun + (amount === 1 ? "" : "s");
  const bytes = (size) => (size < 1000 ? size + " B" : size < 1e6 ? (size / 1000).toFixed(1) + " kB" : (size / 1e6).toFixed(1) + " MB");
  const time = (ms) => (ms < 1000 ? Math.round(ms) + " ms" : (ms / 1000).toFixed(1) + " s");

  /* dark and light */
  const remember = (name, value) => { try { localStorage.setItem(name, value); } catch { /* a page on disk may have no memory */ } };
  const remembered = (name) => { try { return localStorage.getItem(name); } catch { return null; } };
  const theme = remembered("mcp-eval-theme");
  if (theme === "dark" || theme === "light") root.dataset.theme = theme;
  const turn = () => {
    const dark = root.dataset.theme ? root.dataset.theme === "dark" : matchMedia("(prefers-color-scheme: dark)").matches;
    root.dataset.theme = dark ? "light" : "dark";
    remember("mcp-eval-theme", root.dataset.theme);
  };
  $("theme")?.addEventListener("click", turn);

  if (!$("overview")) return; // a baseline's page is complete as it stands
  const overview = JSON.parse($("overview").textContent);
  const { tools, roots, scenarios, place } = overview;
  scenarios.forEach((one, at) => {
    one.at = at;
    one.text = [one.name, one.stem, ...one.cells.map((cell) => tools[cell[0]]), ...one.roots.map((r) => roots[r].message)].join("\n").toLowerCase();
  });
  const sorted = [...scenarios].sort((a, b) => ORDER.indexOf(a.status) - ORDER.indexOf(b.status) || a.at - b.at);

  /* documents: read once, unpacked when somebody asks */
  const read = async (node) => {
    if (!node) return [];
    if (node.dataset.encoding !== "gzip") return JSON.parse(node.textContent);
    const packed = Uint8Array.from(atob(node.textContent), (letter) => letter.charCodeAt(0));
    const stream = new Blob([packed]).stream().pipeThrough(new DecompressionStream("gzip"));
    return JSON.parse(await new Response(stream).text());
  };
  const held = new Map();
  const once = (id) => {
    if (!held.has(id)) held.set(id, read($(id)));
    return held.get(id);
  };
  const card = async (one) => (await once("chunk-" + place[one.at][0]))[place[one.at][1]];

  /* filters */
  const chosen = { status: new Set(), lane: "", tool: "", root: "", words: [] };
  const fits = (one) =>
    (!chosen.status.size || chosen.status.has(one.status)) &&
    (chosen.lane === "" || ["broken", "degraded", "inconclusive", "acceptable"].includes(one.lanes[chosen.lane])) &&
    (chosen.tool === "" || one.cells.some((cell) => cell[0] === chosen.tool)) &&
    (chosen.root === "" || one.roots.includes(chosen.root)) &&
    chosen.words.every((word) => one.text.includes(word));
  let found = sorted;
  let drawn = 0;
  const PAGE = 60;
  const rows = $("rows");
  const opened = new Map();

  const select = (id, first, options) => {
    const node = $(id);
    node.append(el("option", { value: "" }, first), options.map(([value, text]) => el("option", { value }, text)));
    node.hidden = !options.length;
    node.addEventListener("change", () => {
      chosen[id] = node.value === "" || id === "lane" ? node.value : Number(node.value);
      apply();
    });
  };
  const shorten = (text, most) => (text.length > most ? text.slice(0, most - 1) + "…" : text);

  const apply = () => {
    found = sorted.filter(fits);
    drawn = 0;
    rows.replaceChildren();
    draw(PAGE);
    $("count").textContent = found.length === scenarios.length ? counted(scenarios.length, "scenario") : found.length + " of " + scenarios.length;
    chart(found);
  };
  const draw = (amount) => {
    const next = found.slice(drawn, drawn + amount);
    rows.append(...next.map(row));
    drawn += next.length;
    const left = found.length - drawn;
    $("more").hidden = !left;
    $("more").textContent = "Show " + Math.min(left, 300) + " more of " + left;
  };

  /* the list */
  const LABELS = { p: ["", "perfect"], "~": ["l-part", "partial"], x: ["l-miss", "mismatch"] };
  const strip = (one) => {
    const tally = { p: 0, "~": 0, x: 0 };
    for (const label of one.labels) tally[label] += 1;
    const said = Object.entries(tally).filter((entry) => entry[1]).map(([label, n]) => n + " " + LABELS[label][1]).join(", ");
    return el("span", { class: "strip" }, el("span", { class: "unseen" }, said),
      [...one.labels.slice(0, 24)].map((label) => el("i", { class: LABELS[label][0] || null, "aria-hidden": "true" })));
  };
  const row = (one) => {
    if (opened.has(one.at)) return opened.get(one.at);
    const id = "card-" + one.at;
    const head = el("button", { type: "button", class: "head", "aria-expanded": "false", "aria-controls": id },
      el("span", {}, badge(one.status)), el("span", { class: "title" }, el("bdi", {}, one.name)), strip(one),
      el("span", { class: "scores", title: "score · trajectory score" },
        el("span", { class: "unseen" }, "score "), el("b", {}, number(one.score)),
        el("span", { class: "unseen" }, " trajectory score "), " · " + number(one.trajectory)));
    const body = el("div", { class: "card", id, hidden: true });
    const node = el("li", { class: "row " + is(one.status) }, el("h3", {}, head), body);
    head.addEventListener("click", () => toggle(one, node, head.getAttribute("aria-expanded") !== "true"));
    node.one = one;
    return node;
  };
  const toggle = async (one, node, open) => {
    const head = node.querySelector(".head");
    const body = node.querySelector(".card");
    head.setAttribute("aria-expanded", String(open));
    node.classList.toggle("open", open);
    body.hidden = !open;
    if (open) opened.set(one.at, node);
    if (!open || body.firstChild) return;
    body.append(el("p", { class: "aside" }, "…"));
    try {
      const [known, findings] = await Promise.all([card(one), once("findings")]);
      body.replaceChildren(...whole(one, known, findings));
    } catch (error) {
      body.replaceChildren(el("p", { class: "remark" }, "The details of this scenario cannot be unpacked here (" + error.message + "). The JSON report holds them."));
    }
  };

  /* a card */
  const whole = (one, known, findings) => {
    const own = known.findings.map((at) => findings[at]).sort((a, b) => ORDER.indexOf(a.status) - ORDER.indexOf(b.status));
    const steps = new Map();
    for (const finding of own) for (const step of finding.steps) steps.set(step, [...(steps.get(step) || []), finding]);
    const parts = [
      el("p", { class: "why" }, known.why),
      el("p", { class: "lane-list" },
        Object.entries(one.lanes).map(([lane, state]) => el("span", { class: is(state) }, lane + " ", el("b", {}, (GLYPHS[state] || "–") + " " + state))),
        trials(one, known), known.moved && el("span", {}, "the world may have moved between the builds")),
      (known.troubles || []).map(([rule, message, evidence]) => el("div", { class: "finding" }, el("p", {}, el("code", {}, rule), " ", message), evidence && el("pre", { tabindex: "0" }, evidence))),
      own.length ? section("Findings", own.filter((f) => f.status !== "note").map(finding), quieter(own)) : null,
      known.goal ? goal(known.goal) : null,
      known.criteria.length ? section("Criteria", criteria(known.criteria)) : null,
      known.pairs.length ? section("Calls, side by side", known.pairs.map((one) => pair(one, steps.get(one.step) || []))) : el("p", { class: "aside" }, "No calls were compared."),
      plots(known.pairs),
      el("details", {}, el("summary", {}, "How the numbers came about"), numbers(one, known)),
      el("p", { class: "aside" }, el("a", { href: "#scenario/" + encodeURIComponent(one.stem) }, "Link to this scenario"), " · ", el("bdi", {}, one.stem)),
    ];
    return parts.flat().filter(Boolean);
  };
  const section = (title, ...children) => el("div", {}, el("h4", {}, title), children);
  const quieter = (own) => {
    const notes = own.filter((one) => one.status === "note");
    return notes.length ? el("details", {}, el("summary", {}, counted(notes.length, "note")), notes.map(finding)) : null;
  };
  const trials = (one, known) => {
    const said = [];
    if (known.looks) said.push(counted(known.looks[1], "look") + " at the new build, " + known.looks[0] + " in the baseline" + (known.looks[2] ? ", " + known.looks[2] + " fresh at the old build" : ""));
    if (one.trials.runs) said.push((one.trials.reached ?? "–") + " of " + counted(one.trials.runs, "run") + " reached the goal");
    return said.map((text) => el("span", {}, text));
  };
  const goal = ([runs, reached, by, missed]) => section("Goal", el("p", {}, reached + " of " + counted(runs, "run") + " reached it, judged by " + by + "."), missed.length ? el("pre", { tabindex: "0" }, missed.join("\n")) : null);
  const table = (heads, lines) => el("div", { class: "wide" }, el("table", {}, el("thead", {}, el("tr", {}, heads.map((head) => el("th", { scope: "col" }, head)))), el("tbody", {}, lines)));
  const criteria = (list) => table(["criterion", "baseline", "now", "because"], list.map((one) => el("tr", {}, el("td", {}, el("bdi", {}, one.text)), el("td", {}, one.baseline), el("td", {}, one.result), el("td", {}, one.quote ? "“" + one.quote + "”" : ""))));
  const numbers = (one, known) => [
    el("p", {}, "score " + number(one.score) + ", trajectory score " + number(one.trajectory) + (known.similarity === undefined ? "" : ", mean similarity of the pairs (arguments × answers) " + number(known.similarity)) + "."),
    table(["scorer", "measured"], Object.entries(known.scores).map(([name, value]) => el("tr", {}, el("td", {}, name), el("td", { class: "number" }, number(value))))),
  ];
  const finding = (one) =>
    el("article", { class: "finding" },
      el("p", { class: "finding-head" }, badge(one.status, true), el("code", {}, one.rule), one.tool && el("bdi", { class: "tool" }, one.tool), one.path && el("code", { class: "path", dir: "auto" }, one.path), el("span", { class: "aside" }, one.certainty)),
      el("p", { dir: "auto" }, sentence(one.message)),
      one.fix && el("p", { class: "fix" }, el("span", { class: "label" }, "Fix"), el("span", { dir: "auto" }, sentence(one.fix))),
      one.meaning && el("p", { class: "aside" }, one.meaning),
      evidence(one.evidence));
  const evidence = (known) => {
    const { before, after, ...rest } = known;
    return [
      before !== undefined || after !== undefined ? el("div", { class: "sides" }, ["before", "after"].map((side) => el("figure", {}, el("figcaption", {}, side), el("pre", { tabindex: "0", dir: "auto" }, known[side] ?? "–")))) : null,
      Object.keys(rest).length ? el("dl", { class: "facts" }, Object.entries(rest).map(([name, value]) => el("div", {}, el("dt", {}, name), el("dd", {}, el("code", { dir: "auto" }, value))))) : null,
    ];
  };

  /* a pair */
  const TONES = { "Perfect Match": "good", "Partial Match": "degraded", Mismatch: "broken" };
  const CLASSES = { ok: "good", empty: "note", refused: "degraded", failed: "broken", crashed: "broken" };
  const side = (call) => {
    if (!call) return el("span", { class: "side none" }, "no such call");
    const text = Object.entries(call.arguments).map(([name, value]) => name + ": " + value).join(", ");
    return el("span", { class: "side" },
      el("bdi", { class: "tool" }, call.tool),
      el("span", { class: "class " + is(CLASSES[call.class] || "note") }, call.class === "ok" ? "" : call.class),
      call.effect && el("span", { class: "aside" }, " effect"),
      el("span", { class: "line clip", dir: "auto" }, text || "no arguments"));
  };
  const pair = (one, findings) => {
    const tone = TONES[one.label] || "note";
    const head = el("button", { type: "button", "aria-expanded": "false" },
      side(one.before),
      el("span", { class: "label-badge" }, el("span", { class: "badge small " + is(tone) }, el("span", { class: "glyph", "aria-hidden": "true" }, GLYPHS[tone]), one.label || "Mismatch"),
        el("span", { class: "value" }, one.reached ? number(one.similarity) : "not reached")),
      side(one.after));
    const body = el("div", { class: "pair-body", hidden: true });
    const node = el("div", { class: "pair", id: null }, head, body);
    head.addEventListener("click", () => {
      const open = head.getAttribute("aria-expanded") !== "true";
      head.setAttribute("aria-expanded", String(open));
      body.hidden = !open;
      if (open && !body.firstChild) fill(body, {}, inside(one, findings));
    });
    return node;
  };
  const inside = (one, findings) => {
    const hints = [];
    if (one.followed) hints.push("Replayed under its new name, " + one.followed + ".");
    if (one.moved) hints.push("The call moved to another place in the order.");
    if (one.after && one.after.waits !== null && one.after.waits !== undefined) hints.push("Could not run: it needs a value that step " + (one.after.waits + 1) + " no longer returns.");
    const sizes = [one.before, one.after].map((call) => (call ? time(call.ms) + ", " + bytes(call.size) : "–"));
    return [
      el("p", { class: "aside" }, "Step " + (one.step + 1) + " · " + sizes[0] + " → " + sizes[1] + " · arguments: keys " + number(one.keys) + ", values " + number(one.values) + " · answers " + number(one.answers)),
      hints.length ? el("p", {}, hints.join(" ")) : null,
      findings.filter((f) => f.status !== "note").map(finding),
      args(one), el("p", { class: "caption" }, "answer"), outcome(one, findings),
    ];
  };
  const args = (one) => {
    const stated = new Map(one.arguments.map((found) => [found.name, found]));
    const names = [...new Set([...Object.keys(one.before?.arguments || {}), ...Object.keys(one.after?.arguments || {}), ...stated.keys()])];
    if (!names.length) return null;
    return table(["argument", "kind", "before", "after", "similarity", "because"], names.map((name) => {
      const found = stated.get(name) || {};
      const value = (call) => el("td", {}, call && Object.hasOwn(call.arguments, name) ? el("code", { dir: "auto" }, call.arguments[name]) : el("span", { class: "aside" }, "absent"));
      return el("tr", {}, el("td", {}, el("bdi", { class: "tool" }, name)), el("td", {}, found.kind || ""), value(one.before), value(one.after), el("td", { class: "number" }, number(found.similarity)), el("td", { dir: "auto" }, found.reason || ""));
    }));
  };

  /* answers: by structure where both are JSON, else by line */
  const parse = (text) => {
    try { return [JSON.parse(text), false]; } catch { /* cut off, or no JSON at all */ }
    const cut = text.replace(/… \([\d,]+ characters\)$/, "");
    if (cut === text || !/^\s*[[{]/.test(cut)) return null;
    const closers = [];
    let quoted = false, safe = -1, kept = [];
    for (let at = 0; at < cut.length; at += 1) {
      const letter = cut[at];
      if (quoted) { if (letter === "\\") at += 1; else if (letter === '"') quoted = false; continue; }
      if (letter === '"') quoted = true;
      else if (letter === "{" || letter === "[") closers.push(letter === "{" ? "}" : "]");
      else if (letter === "}" || letter === "]") closers.pop();
      if (letter === "," ) { safe = at; kept = [...closers]; }
    }
    if (safe < 0) return null;
    try { return [JSON.parse(cut.slice(0, safe) + kept.reverse().join("")), true]; } catch { return null; }
  };
  const CAP = 4000;
  const outcome = (one, findings) => {
    const left = one.before ? one.before.outcome : null;
    const right = one.after ? one.after.outcome ?? left : null;
    const before = left ? parse(left) : null;
    const after = right ? parse(right) : null;
    const lines = before && after ? tree(before[0], after[0]) : text(left, right);
    if (before?.[1] || after?.[1]) lines.push({ kind: "fold", left: "… the rest was cut off", right: "" });
    const facts = one.facts.map((fact) => ({ ...fact, status: (findings.find((f) => f.rule === fact.rule && (f.path === fact.path || !f.path)) || {}).status || "note" }));
    for (const line of lines) mark(line, facts);
    if (one.after && one.after.outcome === null && left === right && one.before) return el("div", {}, el("p", { class: "aside" }, "The same answer on both sides."), grid(lines, true));
    return el("div", {}, grid(lines, false), legend(lines));
  };
  const claims = (fact, path) => fact.path === path || (fact.path === "" && fact.lane !== "surface") || path.startsWith(fact.path + ".") || path.startsWith(fact.path + "[") || (path !== "" && (fact.path.startsWith(path + ".") || fact.path.startsWith(path + "[")));
  const mark = (line, facts) => {
    if (line.kind === "same" || line.kind === "fold") return;
    const here = line.path === undefined ? facts : facts.filter((fact) => claims(fact, line.path));
    if (!here.length && line.path !== undefined) { line.tone = "varies"; line.why = "varies by itself: no difference was found here"; return; }
    line.tone = here.some((fact) => fact.status !== "note") ? "fact" : here.length ? "noted" : "fact";
    line.why = here.map((fact) => fact.rule).join(", ");
  };
  const legend = (lines) => {
    const tones = new Set(lines.map((line) => line.tone));
    return el("p", { class: "legend" },
      tones.has("fact") && [el("span", { class: "gone", "data-mark": "−" }, "gone or before"), el("span", { class: "came", "data-mark": "+" }, "new or after")],
      tones.has("noted") && el("span", { class: "noted", "data-mark": "·" }, "a note"),
      tones.has("varies") && el("span", { class: "varies", "data-mark": "~" }, "varies by itself, not compared by value"));
  };

  const kindOf = (value) => (Array.isArray(value) ? "list" : value !== null && typeof value === "object" ? "object" : "leaf");
  const compact = (value) => JSON.stringify(value);
  const identity = (item) => {
    if (kindOf(item) !== "object") return compact(item);
    for (const name of ["id", "name", "key", "uri", "url", "path", "title"]) if (Object.hasOwn(item, name) && kindOf(item[name]) === "leaf") return name + compact(item[name]);
    return compact(item);
  };
  // The longest common run of identities; what stands between two common items is paired in order.
  const align = (a, b) => {
    const left = a.map(identity), right = b.map(identity);
    if (a.length * b.length > 250000) return a.map((_, at) => [at, at < b.length ? at : -1]).concat(b.slice(a.length).map((_, at) => [-1, a.length + at]));
    const grid = Array.from({ length: a.length + 1 }, () => new Uint16Array(b.length + 1));
    for (let i = a.length - 1; i >= 0; i -= 1) for (let j = b.length - 1; j >= 0; j -= 1) grid[i][j] = left[i] === right[j] ? grid[i + 1][j + 1] + 1 : Math.max(grid[i + 1][j], grid[i][j + 1]);
    const pairs = [];
    let i = 0, j = 0;
    while (i < a.length || j < b.length) {
      if (i < a.length && j < b.length && left[i] === right[j]) pairs.push([i++, j++]);
      else if (i < a.length && (j >= b.length || grid[i + 1][j] >= grid[i][j + 1])) pairs.push([i++, -1]);
      else pairs.push([-1, j++]);
    }
    return pairs;
  };
  const tree = (before, after) => {
    const lines = [];
    const push = (line) => { if (lines.length < CAP) lines.push(line); };
    const member = (path, name) => (/^[^.[\]"]+$/.test(name) ? (path ? path + "." + name : name) : path + '["' + name.replace(/\\/g, "\\\\").replace(/"/g, '\\"') + '"]');
    const one = (value, depth, name, path, where, tail) => {
      const pad = "  ".repeat(depth) + name;
      const put = (text) => push({ kind: where === "left" ? "removed" : "added", path, [where]: text });
      const kind = kindOf(value);
      const inner = kind === "list" ? value.map((item) => ["", item, path + "[]"]) : kind === "object" ? Object.entries(value).map(([key, item]) => [compact(key) + ": ", item, member(path, key)]) : [];
      if (!inner.length) { put(pad + compact(value) + tail); return; }
      put(pad + (kind === "list" ? "[" : "{"));
      inner.forEach(([key, item, at], n) => one(item, depth + 1, key, at, where, n < inner.length - 1 ? "," : ""));
      put("  ".repeat(depth) + (kind === "list" ? "]" : "}") + tail);
    };
    const both = (a, b, depth, name, path, tail) => {
      const pad = "  ".repeat(depth) + name;
      const kind = kindOf(a);
      if (kind !== kindOf(b)) { one(a, depth, name, path, "left", tail); one(b, depth, name, path, "right", tail); return; }
      if (kind === "leaf") {
        const [left, right] = [pad + compact(a) + tail, pad + compact(b) + tail];
        push({ kind: left === right ? "same" : "changed", path, left, right, from: pad.length });
        return;
      }
      const [open, close] = kind === "list" ? ["[", "]"] : ["{", "}"];
      const empty = kind === "list" ? !a.length && !b.length : !Object.keys(a).length && !Object.keys(b).length;
      if (empty) { push({ kind: "same", path, left: pad + open + close + tail, right: pad + open + close + tail }); return; }
      push({ kind: "same", path, left: pad + open, right: pad + open });
      if (kind === "list") for (const [i, j] of align(a, b)) step(i < 0 ? undefined : a[i], j < 0 ? undefined : b[j], i >= 0, j >= 0, depth + 1, "", path + "[]", ",");
      else for (const key of [...new Set([...Object.keys(a), ...Object.keys(b)])]) step(a[key], b[key], Object.hasOwn(a, key), Object.hasOwn(b, key), depth + 1, compact(key) + ": ", member(path, key), ",");
      push({ kind: "same", path, left: "  ".repeat(depth) + close + tail, right: "  ".repeat(depth) + close + tail });
    };
    const step = (a, b, left, right, depth, name, path, tail) => {
      if (left && right) both(a, b, depth, name, path, tail);
      else one(left ? a : b, depth, name, path, left ? "left" : "right", tail);
    };
    both(before, after, 0, "", "", "");
    if (lines.length >= CAP) lines.push({ kind: "fold", left: "… the rest is left out", right: "" });
    return lines;
  };
  const text = (before, after) => {
    const split = (said) => (said === null || said === undefined || said === "" ? [] : said.split("\n").slice(0, 500));
    const [a, b] = [split(before), split(after)];
    const lines = [];
    let gone = [], came = [];
    const flush = () => {
      for (let at = 0; at < Math.max(gone.length, came.length); at += 1) {
        if (at < gone.length && at < came.length) lines.push({ kind: "changed", left: gone[at], right: came[at], from: 0 });
        else lines.push(at < gone.length ? { kind: "removed", left: gone[at] } : { kind: "added", right: came[at] });
      }
      gone = []; came = [];
    };
    for (const [i, j] of align(a, b)) {
      if (i >= 0 && j >= 0) { flush(); lines.push({ kind: a[i] === b[j] ? "same" : "changed", left: a[i], right: b[j], from: 0 }); }
      else if (i >= 0) gone.push(a[i]);
      else came.push(b[j]);
    }
    flush();
    if (!lines.length) lines.push({ kind: "fold", left: before === null ? "no call" : "no answer", right: after === null ? "no call" : "no answer" });
    return lines;
  };
  const marked = (line, which) => {
    const said = line[which];
    if (said === undefined) return "";
    if (line.kind !== "changed" || line.tone === "varies") return said;
    const [a, b] = [line.left, line.right];
    let head = 0;
    while (head < a.length && head < b.length && a[head] === b[head]) head += 1;
    let tail = 0;
    while (tail < a.length - head && tail < b.length - head && a[a.length - 1 - tail] === b[b.length - 1 - tail]) tail += 1;
    head = Math.min(head, said.length);
    return [said.slice(0, head), el("mark", {}, said.slice(head, said.length - tail)), said.slice(said.length - tail)];
  };
  const MARKS = { fact: ["−", "+"], noted: ["·", "·"], varies: ["~", "~"] };
  const cells = (line) => {
    const [minus, plus] = MARKS[line.tone] || ["", ""];
    const tone = (side, word) => (line.tone === "fact" ? (line[side] === undefined ? null : word) : line.tone || (line.kind === "fold" ? "fold" : null));
    return el("tr", { title: line.why || null },
      el("td", { class: tone("left", "gone"), "data-mark": line.left === undefined ? null : minus || null }, marked(line, "left")),
      el("td", { class: tone("right", "came"), "data-mark": line.right === undefined ? null : plus || null }, marked(line, "right")));
  };
  const grid = (lines, folded) => {
    const body = el("tbody", {});
    let run = [];
    const flush = (last) => {
      const edge = 3;
      const head = body.firstChild ? edge : folded ? 12 : edge;
      if (run.length > head + edge + 4) {
        const hidden = run.slice(head, last ? run.length : run.length - edge);
        body.append(...run.slice(0, head).map(cells));
        const open = el("button", { type: "button" }, "… " + counted(hidden.length, "unchanged line"));
        const fold = el("tr", { class: "fold" }, el("td", { colspan: "2" }, open));
        open.addEventListener("click", () => fold.replaceWith(...hidden.map(cells)));
        body.append(fold, ...(last ? [] : run.slice(-edge).map(cells)));
      } else body.append(...run.map(cells));
      run = [];
    };
    for (const line of lines) {
      if (line.kind === "same") { run.push(line); continue; }
      flush(false);
      body.append(cells(line));
    }
    flush(true);
    return el("div", { class: "diff", tabindex: "0", role: "region", "aria-label": "Answer before and after" },
      el("table", {}, el("thead", { class: "unseen" }, el("tr", {}, el("th", { scope: "col" }, "before"), el("th", { scope: "col" }, "after"))), body));
  };

  /* plots */
  const plots = (pairs) => {
    if (!pairs.length) return null;
    return el("div", { class: "plots" }, plot("Latency", pairs, "ms", time), plot("Size of answers", pairs, "size", bytes));
  };
  const plot = (title, pairs, name, said) => {
    const shown = pairs.slice(0, 40);
    const most = Math.max(1, ...shown.flatMap((one) => [one.before?.[name] || 0, one.after?.[name] || 0]));
    const [width, height, wide] = [360, 84, Math.min(34, 340 / shown.length)];
    const bars = shown.flatMap((one, at) => ["before", "after"].map((which, n) => {
      const value = one[which]?.[name] || 0;
      const tall = Math.max(value ? 1 : 0, (value / most) * (height - 22));
      const bar = wide * 0.38;
      return svg("rect", { class: which, x: (at * wide + n * bar + wide * 0.1).toFixed(1), y: (height - 14 - tall).toFixed(1), width: bar.toFixed(1), height: tall.toFixed(1), rx: 1 },
        svg("title", {}, "step " + (one.step + 1) + " " + which + ": " + said(value)));
    }));
    const steps = shown.length <= 20 ? shown.map((one, at) => svg("text", { x: (at * wide + wide * 0.48).toFixed(1), y: height - 2, "text-anchor": "middle" }, one.step < 0 ? "+" : one.step + 1)) : [];
    return el("figure", { class: "plot" },
      el("figcaption", { class: "caption" }, title + " by step, up to " + said(most) + " ", el("span", { class: "key" }, "before"), el("span", { class: "key after" }, "after")),
      svg("svg", { viewBox: "0 0 " + width + " " + height, width, height, role: "img", "aria-label": title + " by step, before and after" },
        svg("line", { x1: 0, x2: width, y1: height - 13.5, y2: height - 13.5 }), bars, steps));
  };

  /* the matrix */
  const chart = (list) => {
    const most = [40, 16];
    const weight = new Map();
    for (const one of list) for (const [tool, status] of one.cells) weight.set(tool, (weight.get(tool) || 0) + (status === "broken" ? 1e6 : status === "degraded" ? 1e3 : 1));
    const columns = [...weight.keys()].sort((a, b) => weight.get(b) - weight.get(a)).slice(0, most[1]);
    const lines = list.slice(0, most[0]);
    const host = $("map");
    host.replaceChildren(el("table", {},
      el("thead", {}, el("tr", {}, el("th", {}, el("span", { class: "unseen" }, "scenario")), columns.map((tool) => el("th", { scope: "col" }, el("span", { title: tools[tool] }, shorten(tools[tool], 26)))))),
      el("tbody", {}, lines.map((one) => {
        const known = new Map(one.cells);
        const href = "#scenario/" + encodeURIComponent(one.stem);
        return el("tr", {}, el("th", { scope: "row" }, el("a", { href, class: "clip", title: one.name }, el("bdi", {}, one.name))),
          columns.map((tool) => {
            const status = known.get(tool);
            return el("td", {}, status && el("span", { class: "cell " + is(status), title: tools[tool] + ": " + status }, el("span", { "aria-hidden": "true" }, GLYPHS[status] || "·"), el("span", { class: "unseen" }, status)));
          }));
      }))));
    const left = [list.length - lines.length, weight.size - columns.length];
    if (left[0] > 0 || left[1] > 0) host.append(el("p", { class: "aside" }, "Worst first; not shown: " + counted(Math.max(0, left[0]), "scenario") + ", " + counted(Math.max(0, left[1]), "tool") + ". The filters below narrow this too."));
  };

  /* links and keys */
  const reach = async (stem) => {
    const one = scenarios.find((known) => known.stem === stem);
    if (!one) return;
    if (!found.includes(one)) reset();
    while (!opened.has(one.at) && ![...rows.children].some((node) => node.one === one) && drawn < found.length) draw(300);
    const node = [...rows.children].find((known) => known.one === one);
    await toggle(one, node, true);
    node.scrollIntoView({ block: "start" });
    node.querySelector(".head").focus({ preventScroll: true });
  };
  const reset = () => {
    chosen.status.clear();
    Object.assign(chosen, { lane: "", tool: "", root: "", words: [] });
    $("filters").reset();
    for (const pill of $("pills").children) pill.setAttribute("aria-pressed", "false");
    apply();
  };
  const route = () => {
    const target = /^#scenario\/(.+)$/.exec(location.hash);
    if (!target) return;
    try { reach(decodeURIComponent(target[1])); } catch { /* an address somebody mangled names no scenario */ }
  };
  const move = (by) => {
    const heads = [...rows.querySelectorAll(".head")];
    const at = heads.findIndex((head) => head.closest(".row").contains(document.activeElement));
    if (by > 0 && at === heads.length - 1 && drawn < found.length) { draw(PAGE); move(by); return; }
    heads[Math.max(0, Math.min(heads.length - 1, at + by))]?.focus();
  };
  const dialog = $("keys");
  const KEYS = {
    j: () => move(1), k: () => move(-1), d: turn, "?": () => dialog.showModal(),
    "/": () => { $("search")?.focus(); $("search")?.select(); },
  };
  document.addEventListener("keydown", (event) => {
    const typing = /^(INPUT|SELECT|TEXTAREA)$/.test(event.target.tagName);
    if (event.key === "Escape" && event.target === $("search")) { event.target.value = ""; seek(); event.target.blur(); return; }
    if (typing || dialog.open || event.ctrlKey || event.metaKey || event.altKey || !Object.hasOwn(KEYS, event.key)) return;
    event.preventDefault();
    KEYS[event.key]();
  });
  $("help")?.addEventListener("click", () => dialog.showModal());
  if (!scenarios.length) return;

  const seek = () => {
    chosen.words = $("search").value.toLowerCase().split(/\s+/).filter(Boolean);
    apply();
  };
  $("search").addEventListener("input", seek);
  $("filters").addEventListener("submit", (event) => event.preventDefault());
  for (const status of ORDER) {
    const amount = scenarios.filter((one) => one.status === status).length;
    if (!amount) continue;
    const pill = el("button", { type: "button", class: "pill " + is(status), "aria-pressed": "false" }, GLYPHS[status] + " " + status, el("span", { class: "n" }, amount));
    pill.addEventListener("click", () => {
      if (!chosen.status.delete(status)) chosen.status.add(status);
      pill.setAttribute("aria-pressed", String(chosen.status.has(status)));
      apply();
    });
    $("pills").append(pill);
  }
  const lanes = [...new Set(scenarios.flatMap((one) => Object.keys(one.lanes)))];
  select("lane", "any lane", lanes.map((lane) => [lane, lane + " not good"]));
  select("tool", "any tool", tools.map((tool, at) => [at, shorten(tool, 60)]).sort((a, b) => (a[1] < b[1] ? -1 : 1)));
  select("root", "any root", roots.map((one, at) => [at, at + 1 + ". " + shorten(one.message, 60)]));
  $("more").addEventListener("click", () => draw(300));
  addEventListener("hashchange", route);
  addEventListener("beforeprint", () => { draw(found.length); for (const node of document.querySelectorAll(".root details, .difference")) node.open = true; });
  apply();
  route();
})();
