"use strict";
(() => {
  const root = document.documentElement;
  const get = (id) => document.getElementById(id);
  const fields = { a: get("a"), b: get("b"), c: get("c"), operation: get("operation"), form: get("form") };
  const MOST = 64;
  let state = { indices: 1n, index: 0n, coordinate: null };

  const make = (name, text, class_) => {
    const node = document.createElement(name);
    if (text !== undefined) node.textContent = text;
    if (class_) node.className = class_;
    return node;
  };
  const { show, size, leaves } = Engine;
  const call = (crd) => { const text = show(crd); return text.startsWith("(") ? text : `(${text})`; };

  // The question as it stands in the address, and back.
  function read() {
    const given = new URLSearchParams(location.hash.slice(1));
    for (const name of ["operation", "a", "b", "c", "form"]) {
      const value = given.get(name);
      if (value === null) continue;
      if (fields[name].tagName !== "SELECT" || [...fields[name].options].some((o) => o.value === value)) fields[name].value = value;
    }
  }
  function write() {
    const told = new URLSearchParams();
    for (const name of ["operation", "a", "b", "form", "c"]) if (fields[name].value) told.set(name, fields[name].value);
    try { history.replaceState(null, "", `#${told}`); } catch { /* a page that may not: the link is not kept */ }
  }

  function sides(shape) {
    if (!Array.isArray(shape) || shape.length < 2) return [1n, shape];
    return [shape[0], shape.length === 2 ? shape[1] : shape.slice(1)];
  }
  function levels(shape) {
    const found = [];
    leaves(shape).slice(0, -1).reduce((product, s) => { found.push(product * s); return product * s; }, 1n);
    return found.filter((level) => level > 1n);
  }
  // A layout as a table: the first mode down, the others across; at most MOST each way.
  function grid(name, layout, here, bad, text) {
    const [down, across] = sides(layout.shape);
    const rows = size(down), columns = size(across);
    const shownRows = Number(rows < MOST ? rows : MOST), shownColumns = Number(columns < MOST ? columns : MOST);
    const table = make("table");
    table.tabIndex = 0;
    const cut = rows > MOST || columns > MOST ? `, ${shownRows} of ${rows} rows and ${shownColumns} of ${columns} columns` : "";
    table.append(make("caption", `${layout.modes || layout.layout ? `${name} = ${show(layout)}` : name}${cut}`));
    const head = make("tr");
    head.append(make("td", ""));
    head.firstChild.style.border = "0";
    for (let j = 0; j < shownColumns; j++) { const th = make("th", String(j)); th.scope = "col"; head.append(th); }
    const top = make("thead");
    top.append(head);
    const body = make("tbody");
    const values = [];
    for (let i = 0; i < shownRows; i++) for (let j = 0; j < shownColumns; j++) values.push(layout.call(BigInt(i) + rows * BigInt(j)));
    const numbers = values.map((v) => (v instanceof Engine.Bits ? v.bits : v)).filter((v) => typeof v === "bigint");
    const low = numbers.reduce((a, b) => (b < a ? b : a), numbers[0] ?? 0n), high = numbers.reduce((a, b) => (b > a ? b : a), low);
    const [rowLevels, columnLevels] = [levels(down), levels(across)];
    for (let i = 0; i < shownRows; i++) {
      const row = make("tr");
      const th = make("th", String(i));
      th.scope = "row";
      row.append(th);
      for (let j = 0; j < shownColumns; j++) {
        const index = BigInt(i) + rows * BigInt(j);
        const value = values[i * shownColumns + j];
        const number = value instanceof Engine.Bits ? value.bits : value;
        const td = make("td", text && index === here ? text : show(value));
        const classes = [typeof number === "bigint" ? `q${((number - low) * 8n) / (high - low + 1n)}` : "q0"];
        if (i && rowLevels.some((level) => BigInt(i) % level === 0n)) classes.push("nr");
        if (j && columnLevels.some((level) => BigInt(j) % level === 0n)) classes.push("nc");
        if (index === here) classes.push("here", ...(bad ? ["bad"] : []));
        td.className = classes.join(" ");
        if (index === here) td.setAttribute("aria-current", "true");
        row.append(td);
      }
      body.append(row);
    }
    table.append(top, body);
    return table;
  }
  function digits(name, layout, crd) {
    if (!(layout instanceof Engine.Layout)) return [`${name}${call(crd)} = ${show(layout.call(crd))}`];
    const natural = (c, shape) => Array.isArray(c) ? c.map((x, k) => natural(x, shape[k])) : Engine.idx2crd(c, shape);
    const parts = leaves(natural(crd, layout.shape));
    const strides = leaves(layout.stride);
    return [`${name}${call(crd)} = ${parts.map((c, k) => `${c}⋅${show(strides[k])}`).join(" + ")} = ${show(layout.call(crd))}`];
  }
  const attempt = (question) => { try { return question(); } catch { return null; } };

  function told(answer) {
    const box = get("answer");
    box.replaceChildren();
    const word = { proved: "✓ proved", refuted: "✗ refuted", unknown: "? unknown", input: "not understood" }[answer.verdict];
    const first = make("p");
    first.append(make("strong", word, answer.verdict === "proved" ? "proved" : answer.verdict === "refuted" ? "refuted" : ""));
    if (answer.result !== null) first.append(": ", make("code", answer.result));
    if (answer.reason) first.append(`: ${answer.reason}`);
    box.append(first);
    if (answer.verdict === "input" && answer.text !== null && answer.position !== null) {
      box.append(make("pre", `${answer.text}\n${" ".repeat(answer.position)}^`));
    }
    if (answer.witness) {
      const w = answer.witness;
      const parts = Object.entries(w).filter(([k]) => k !== "kind").map(([k, v]) => `${k} ${show(v)}`);
      box.append(make("p", `witness: ${parts.join(", ")}`));
    }
    if (answer.verdict === "proved") {
      const notes = [];
      if (answer.in_bounds === false) notes.push("not in bounds");
      if (answer.exact === false) notes.push("not exact");
      if (answer.out_of_range) notes.push(`${answer.out_of_range} out of range`);
      if (notes.length) box.append(make("p", notes.join("; ")));
    }
  }

  function draw(answer) {
    const operation = fields.operation.value;
    const a = attempt(() => Engine.parse(fields.a.value));
    const layoutOf = (x) => (x instanceof Engine.Layout || (x && x.layout instanceof Engine.Layout) ? x : null);
    const isComposition = operation === "compose";
    const b = isComposition ? attempt(() => Engine.parse(fields.b.value)) : null;
    const stepped = isComposition ? layoutOf(b) : layoutOf(a);
    const grids = get("grids"), trace = get("trace");
    grids.replaceChildren();
    trace.replaceChildren();
    if (!layoutOf(a) || (isComposition && !layoutOf(b))) return;
    state.indices = size(stepped.shape);
    let crd = attempt(() => Engine.parseCoordinate(fields.c.value));
    if (crd === null || !Engine.inBounds(crd, stepped.shape)) crd = Engine.idx2crd(0n, stepped.shape);
    state.index = Engine.crd2idx(crd, stepped.shape);
    const w = answer.witness;
    const fails = isComposition && w && "expected" in w && Engine.crd2idx(w.coordinate, b.shape) === state.index;
    const say = (lines) => { for (const line of lines) { const li = make("li"); li.append(make("code", line)); trace.append(li); } };
    if (isComposition) {
      const middle = attempt(() => Engine.asCoordinate(b.call(crd), a.shape));
      say(digits("B", b, crd));
      grids.append(grid("B", b, state.index, fails));
      if (middle !== null && Engine.weakly(middle, a.shape)) {
        say(digits("A", a, middle));
        const value = a.call(middle);
        grids.append(grid("A", a, Engine.crd2idx(middle, a.shape), fails));
        if (fails) say([`expected ${show(value)}, got ${show(w.got)}: no layout`]);
        if (answer.verdict === "refuted") {
          const values = { shape: b.shape, call: (i) => a.call(Engine.asCoordinate(b.call(i), a.shape)) };
          grids.append(grid("A(B(c))", values, state.index, fails, fails ? `${show(value)}≠${show(w.got)}` : undefined));
        }
      }
    } else {
      say(digits("A", a, crd));
      grids.append(grid("A", a, state.index, false));
    }
    if (answer.value instanceof Engine.Layout) {
      const here = isComposition || operation === "coalesce" ? state.index : -1n;
      grids.append(grid("R", answer.value, here, false));
    }
  }

  function update(fromQuestion) {
    const operation = fields.operation.value;
    const operands = operation === "coalesce" ? [fields.a.value] : [fields.a.value, fields.b.value];
    const answer = Engine.ask(operation, operands, fields.form.value);
    if (fromQuestion) {
      const failing = operation === "compose" && answer.witness && "coordinate" in answer.witness;
      fields.c.value = failing ? show(answer.witness.coordinate) : "";
    }
    fields.b.disabled = operation === "coalesce";
    fields.form.disabled = operation !== "divide";
    told(answer);
    draw(answer);
    write();
  }
  function move(by) {
    const operation = fields.operation.value;
    const layout = attempt(() => Engine.parse(operation === "compose" ? fields.b.value : fields.a.value));
    if (!layout || !layout.shape) return;
    const next = (state.index + by + state.indices) % state.indices;
    fields.c.value = show(Engine.idx2crd(next, layout.shape));
    update(false);
  }

  for (const name of ["a", "b", "operation", "form"]) fields[name].addEventListener("input", () => update(true));
  fields.c.addEventListener("input", () => update(false));
  get("question").addEventListener("submit", (event) => event.preventDefault());
  get("back").addEventListener("click", () => move(-1n));
  get("next").addEventListener("click", () => move(1n));
  for (const button of document.querySelectorAll(".example")) {
    button.addEventListener("click", () => {
      fields.operation.value = button.dataset.operation;
      fields.a.value = button.dataset.a;
      fields.b.value = button.dataset.b;
      update(true);
    });
  }
  get("theme").addEventListener("click", () => {
    const dark = root.dataset.theme ? root.dataset.theme === "dark" : matchMedia("(prefers-color-scheme: dark)").matches;
    root.dataset.theme = dark ? "light" : "dark";
  });
  addEventListener("hashchange", () => { read(); update(!fields.c.value); });
  read();
  update(!fields.c.value);
})();
