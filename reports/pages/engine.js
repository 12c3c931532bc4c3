"use strict";
// The algebra of the page: a port of model/, operation by operation, with the same refusals and witnesses.
// Integers are BigInt throughout. tests/reports/test_explorer.py compares it with Python.
const Engine = (() => {
  class Input extends Error {
    constructor(message, text = null, position = null) {
      super(message);
      this.text = text;
      this.position = position;
    }
  }
  class Refuted extends Error {
    constructor(reason, witness = null) {
      super(reason);
      this.witness = witness;
    }
  }
  class Undecided extends Error {}

  const MAX_LENGTH = 65536, MAX_DEPTH = 64, MAX_DIGITS = 640, MAX_BITS = 4096n;
  const EVENTS = 1 << 16, POINTS = 1n << 18n, NODES = 1 << 18, FORCED = 1n << 16n;

  const abs = (a) => (a < 0n ? -a : a);
  const mod = (a, b) => ((a % b) + b) % b;
  const div = (a, b) => (a - mod(a, b)) / b; // towards minus infinity
  const ceil = (a, b) => -div(-a, b);
  const gcd = (a, b) => { a = abs(a); b = abs(b); while (b) [a, b] = [b, a % b]; return a; };
  const bits = (a) => (a === 0n ? 0n : BigInt(abs(a).toString(2).length));
  const min = (...all) => all.reduce((a, b) => (b < a ? b : a));
  const max = (...all) => all.reduce((a, b) => (b > a ? b : a));

  // Stride elements: a BigInt, a coordinate {terms: [[path, scale], …]} or a vector over F₂ {bits}.
  class Along {
    constructor(terms) { this.terms = terms; }
    get(path) { return this.terms.find(([p]) => samePath(p, path))?.[1] ?? 0n; }
  }
  class Bits {
    constructor(value) { this.bits = value; }
  }
  const samePath = (p, q) => p.length === q.length && p.every((step, k) => step === q[k]);
  const byPath = (p, q) => {
    for (let k = 0; k < Math.min(p.length, q.length); k++) if (p[k] !== q[k]) return p[k] < q[k] ? -1 : 1;
    return p.length - q.length;
  };
  const kind = (e) => (e instanceof Along ? "coordinate" : e instanceof Bits ? "F2" : "integer");
  const isZero = (e) => (e instanceof Along ? !e.terms.length : e instanceof Bits ? e.bits === 0n : e === 0n);
  const basis = (path) => new Along([[path, 1n]]);

  function add(a, b) {
    if (a === 0n) return b;
    if (b === 0n) return a;
    if (kind(a) !== kind(b)) throw new Input(`${show(a)} and ${show(b)} belong to different semimodules`);
    if (a instanceof Bits) return new Bits(a.bits ^ b.bits);
    if (!(a instanceof Along)) return a + b;
    const terms = a.terms.map(([path, scale]) => [path, scale]);
    for (const [path, scale] of b.terms) {
      const known = terms.find(([p]) => samePath(p, path));
      if (known) known[1] += scale;
      else terms.push([path, scale]);
    }
    const left = terms.filter(([, scale]) => scale).sort(([p], [q]) => byPath(p, q));
    for (let k = 1; k < left.length; k++) {
      const [shorter, longer] = [left[k - 1][0], left[k][0]];
      if (samePath(longer.slice(0, shorter.length), shorter)) {
        throw new Input(`${show(a)} and ${show(b)} name a mode both whole and by parts`);
      }
    }
    return new Along(left);
  }
  function times(e, scale) {
    if (e instanceof Along) return new Along(e.terms.map(([p, s]) => [p, s * scale]).filter(([, s]) => s));
    if (!(e instanceof Bits)) return e * scale;
    if (scale < 0n) throw new Input("F2 has no product with a negative integer");
    let product = 0n;
    for (let shift = 0n; scale; shift += 1n, scale >>= 1n) if (scale & 1n) product ^= e.bits << shift;
    return new Bits(product);
  }
  function same(a, b) {
    if (isZero(a) && isZero(b)) return true;
    if (kind(a) !== kind(b)) return false;
    if (a instanceof Bits) return a.bits === b.bits;
    if (!(a instanceof Along)) return a === b;
    return a.terms.length === b.terms.length && a.terms.every(([p, s], k) => samePath(p, b.terms[k][0]) && s === b.terms[k][1]);
  }
  function show(e) {
    if (Array.isArray(e)) return `(${e.map(show).join(",")})`;
    if (e === null) return "_";
    if (e instanceof Layout) return `${show(e.shape)}:${show(e.stride)}`;
    if (e instanceof Swizzle) return `S<${e.bits},${e.base},${e.shift}>`;
    if (e instanceof Composed) return `${show(e.function)} o ${show(e.offset)} o ${show(e.layout)}`;
    if (e instanceof Bits) return `f${e.bits}`;
    if (!(e instanceof Along)) return String(e);
    if (!e.terms.length) return "0";
    let text = "";
    for (const [path, scale] of e.terms) {
      const sign = scale < 0n ? "-" : text ? "+" : "";
      if (path.length === 1) text += `${sign}${abs(scale) === 1n ? "" : abs(scale)}e${path[0]}`;
      else text += `${sign}${abs(scale)}` + [...path].reverse().map((step) => `@${step}`).join("");
    }
    return text;
  }
  function semimodule(elements) {
    let first = null;
    for (const e of elements) {
      if (e === 0n) continue;
      if (first === null) first = e;
      else if (kind(first) !== kind(e)) throw new Input(`${show(first)} and ${show(e)} belong to different semimodules`);
    }
    return first === null ? "integer" : kind(first);
  }

  // HTuples are BigInts (or elements, or null) and arrays of HTuples.
  const leaves = (t) => (Array.isArray(t) ? t.flatMap(leaves) : [t]);
  const size = (shape) => leaves(shape).reduce((a, b) => a * b, 1n);
  const mapLeaves = (f, t) => (Array.isArray(t) ? t.map((m) => mapLeaves(f, m)) : f(t));
  const unflatten = (flat, profile) => { let k = 0; return mapLeaves(() => flat[k++], profile); };
  const congruent = (p, s) =>
    Array.isArray(p) && Array.isArray(s) ? p.length === s.length && p.every((m, k) => congruent(m, s[k])) : !Array.isArray(p) && !Array.isArray(s);
  const weakly = (p, s) =>
    !Array.isArray(p) || (Array.isArray(s) && p.length === s.length && p.every((m, k) => weakly(m, s[k])));
  const at = (t, path) => {
    for (const step of path) {
      if (!Array.isArray(t) || step >= BigInt(t.length)) return undefined;
      t = t[Number(step)];
    }
    return t;
  };
  function inBounds(crd, shape) {
    if (!weakly(crd, shape)) return false;
    if (Array.isArray(crd)) return crd.every((c, k) => inBounds(c, shape[k]));
    return 0n <= crd && crd < size(shape);
  }
  function idx2crd(index, shape) {
    if (!Array.isArray(shape)) return index;
    const crd = [];
    for (const mode of shape.slice(0, -1)) {
      const n = size(mode);
      crd.push(idx2crd(mod(index, n), mode));
      index = div(index, n);
    }
    return [...crd, idx2crd(index, shape[shape.length - 1])];
  }
  function crd2idx(crd, shape) {
    if (!Array.isArray(crd)) return crd;
    let index = 0n, scale = 1n;
    crd.forEach((c, k) => { index += scale * crd2idx(c, shape[k]); scale *= size(shape[k]); });
    return index;
  }
  function asCoordinate(offset, shape) {
    if (!(offset instanceof Along)) return offset;
    for (const [path] of offset.terms) {
      if (at(shape, path) === undefined) {
        throw new Input(`the offset ${show(offset)} is along a mode that the shape ${show(shape)} does not have`);
      }
    }
    const build = (part, path) => {
      const known = offset.terms.find(([p]) => samePath(p, path));
      const below = offset.terms.some(([p]) => samePath(p.slice(0, path.length), path));
      if (known || !Array.isArray(part) || !below) return known ? known[1] : 0n;
      return part.map((mode, k) => build(mode, [...path, BigInt(k)]));
    };
    return build(shape, []);
  }

  class Layout {
    constructor(shape, stride) {
      this.shape = shape;
      this.stride = stride;
      const sizes = leaves(shape), strides = leaves(stride);
      this.modes = sizes.map((s, k) => [s, strides[k]]);
    }
    get semimodule() { return semimodule(this.modes.map(([, d]) => d)); }
    mode(k) { return Array.isArray(this.shape) ? new Layout(this.shape[k], this.stride[k]) : this; }
    get rank() { return Array.isArray(this.shape) ? this.shape.length : 1; }
    get parts() { return Array.from({ length: this.rank }, (_, k) => this.mode(k)); }
    call(crd) {
      if (!weakly(crd, this.shape)) throw new Input(`${show(crd)} is no coordinate of the shape ${show(this.shape)}`);
      return inner(crd, this.shape, this.stride);
    }
  }
  function atIndex(index, modes) {
    let offset = 0n;
    modes.forEach(([s, d], k) => {
      if (k === modes.length - 1) { offset = add(offset, times(d, index)); return; }
      const digit = mod(index, s);
      index = div(index, s);
      if (digit) offset = add(offset, times(d, digit));
    });
    return offset;
  }
  function inner(crd, shape, stride) {
    if (Array.isArray(crd)) return crd.reduce((sum, c, k) => add(sum, inner(c, shape[k], stride[k])), 0n);
    if (Array.isArray(shape)) {
      const strides = leaves(stride);
      return atIndex(crd, leaves(shape).map((s, k) => [s, strides[k]]));
    }
    return times(stride, crd);
  }
  function layoutOf(shape, stride) {
    for (const s of leaves(shape)) if (s < 1n) throw new Input(`a size must be positive, not ${s}`);
    if (bits(size(shape)) > MAX_BITS) throw new Input(`a layout of more than 2^${MAX_BITS} elements`);
    if (stride === undefined) stride = compact(shape);
    else {
      if (!congruent(shape, stride)) {
        throw new Input(`the stride ${show(stride)} is not congruent with the shape ${show(shape)}`);
      }
      semimodule(leaves(stride));
      if (leaves(stride).some((d) => typeof d === "bigint" && bits(d) > MAX_BITS)) {
        throw new Input(`a stride of more than ${MAX_BITS} bits`);
      }
      stride = mapLeaves((d) => (isZero(d) ? 0n : d), stride);
    }
    return new Layout(shape, stride);
  }
  function compact(shape) {
    let scale = 1n;
    return mapLeaves((s) => { const d = scale; scale *= s; return d; }, shape);
  }

  class Swizzle {
    constructor(b, m, s) {
      this.bits = b; this.base = m; this.shift = s;
      if (b < 0n || m < 0n) throw new Input(`${show(this)} needs bits and base of at least 0`);
      if (max(b, m, abs(s)) > MAX_BITS) throw new Input(`${show(this)} reaches beyond ${MAX_BITS} bits`);
      if (s === 0n && b > 0n) {
        throw new Input(`${show(this)} is no bijection: with shift 0 it clears bits instead of exchanging them`);
      }
      this.mask = ((1n << b) - 1n) << (m + max(s, 0n));
    }
    call(x) { const read = x & this.mask; return x ^ (this.shift >= 0n ? read >> this.shift : read << -this.shift); }
  }
  class Composed {
    constructor(f, offset, layout) { this.function = f; this.offset = offset; this.layout = layout; }
    get shape() { return this.layout.shape; }
    call(crd) {
      const place = add(this.offset, this.layout.call(crd));
      return this.function.call(this.function instanceof Swizzle ? place : asCoordinate(place, this.function.shape));
    }
  }

  // The notation, as model/notation.py reads it.
  class Parser {
    constructor(text) {
      if ([...text].length > MAX_LENGTH) throw new Input(`the text is longer than ${MAX_LENGTH} characters`);
      this.text = text;
      this.tokens = [...text.trimEnd().matchAll(/\s*([0-9]+|[A-Za-z][A-Za-z]*|.)/gsu)].map((m) => [m[1], m.index + m[0].length - m[1].length]);
      this.k = 0;
      this.depth = 0;
    }
    peek(ahead = 0) { return this.tokens[this.k + ahead]?.[0] ?? ""; }
    place() { return this.tokens[this.k]?.[1] ?? this.text.trimEnd().length; }
    fail(message, position = this.place()) { return new Input(message, this.text, position); }
    take(...wanted) { if (this.peek() && wanted.includes(this.peek())) { this.k += 1; return true; } return false; }
    need(...wanted) { if (!this.take(...wanted)) throw this.fail(`${wanted.join(" or ")} is expected here, not ${this.shown()}`); }
    shown() { return this.peek() ? `'${this.peek().slice(0, 20)}'` : "the end"; }
    end() { if (this.peek()) throw this.fail(`nothing more is expected here, but there is ${this.shown()}`); }
    number() {
      if (this.peek() === "_" && /^[0-9]/.test(this.peek(1))) this.k += 1;
      const token = this.peek();
      if (!/^[0-9]/.test(token)) throw this.fail(`an integer is expected here, not ${this.shown()}`);
      if (token.length > MAX_DIGITS) throw this.fail(`an integer of more than ${MAX_DIGITS} digits`);
      this.k += 1;
      return BigInt(token);
    }
    integer() { return this.take("-") ? -this.number() : this.number(); }
    sizeLeaf() {
      const position = this.place();
      if (this.peek() === "?") throw this.fail("a size known only at run time ('?'): give its value");
      if (/^\p{L}/u.test(this.peek())) throw this.fail(`the size ${this.shown()} has no value: sizes with names are not read here`);
      const value = this.integer();
      if (value < 1n) throw this.fail(`a size must be positive, not ${value}`, position);
      return value;
    }
    coordinateLeaf() {
      if (this.peek() === "_" && !/^[0-9]/.test(this.peek(1))) { this.k += 1; return null; }
      return this.integer();
    }
    strideLeaf() {
      const position = this.place();
      let total = this.term(this.take("-") ? -1n : 1n);
      while (["+", "-"].includes(this.peek())) {
        const sign = this.take("-") ? -1n : 1n;
        this.take("+");
        const term = this.term(sign);
        if (typeof total === "bigint" && typeof term === "bigint") throw this.fail("integers are not summed in a stride", position);
        try { total = add(total, term); } catch (error) { throw this.fail(error.message, position); }
      }
      return total;
    }
    term(sign) {
      if (this.peek() === "f") {
        this.k += 1;
        const position = this.place(), value = this.number();
        if (sign < 0n) throw this.fail("an element of F2 has no sign", position);
        return new Bits(value);
      }
      if (this.take("e")) return times(basis([this.number()]), sign);
      if (this.peek() === "?") throw this.fail("a stride known only at run time ('?'): give its value");
      if (/^\p{L}/u.test(this.peek())) throw this.fail(`a stride is an integer, e0, 2e1, 2@1 or f5, not ${this.shown()}`);
      const scale = sign * this.number();
      if (this.take("*")) { this.need("e"); return times(basis([this.number()]), scale); }
      if (this.take("e")) return times(basis([this.number()]), scale);
      const path = [];
      while (this.take("@")) path.push(this.number());
      return path.length ? times(basis(path.reverse()), scale) : scale;
    }
    htuple(leaf) {
      if (this.peek() !== "(") return leaf();
      this.k += 1;
      if (++this.depth > MAX_DEPTH) throw this.fail(`nested deeper than ${MAX_DEPTH}`);
      const modes = [this.htuple(leaf)];
      while (this.take(",")) {
        if (this.peek() === ")") break;
        modes.push(this.htuple(leaf));
      }
      this.need(")");
      this.depth -= 1;
      return modes;
    }
    layout() {
      const position = this.place();
      const shape = this.htuple(() => this.sizeLeaf());
      if (!this.take(":")) {
        try { return layoutOf(shape); } catch (error) { throw this.fail(error.message, position); }
      }
      const place = this.place();
      const stride = this.htuple(() => this.strideLeaf());
      try { return layoutOf(shape, stride); } catch (error) {
        throw this.fail(error.message, error.message.includes("stride") ? place : position);
      }
    }
    swizzle() {
      const position = this.place();
      this.need("S", "Sw");
      this.need("<");
      const parts = [this.integer()];
      for (let k = 0; k < 2; k++) { this.need(","); parts.push(this.integer()); }
      this.need(">");
      try { return new Swizzle(...parts); } catch (error) { throw this.fail(error.message, position); }
    }
    composed() {
      if (++this.depth > MAX_DEPTH) throw this.fail(`nested deeper than ${MAX_DEPTH}`);
      const f = ["S", "Sw"].includes(this.peek()) ? this.swizzle() : this.layout();
      if (!this.take("o", "∘")) { this.depth -= 1; return f; }
      const offset = this.strideLeaf();
      this.need("o", "∘");
      const layout = this.composed();
      this.depth -= 1;
      return new Composed(f, offset, layout);
    }
    tiler() {
      if (this.take("<", "⟨")) {
        if (++this.depth > MAX_DEPTH) throw this.fail(`nested deeper than ${MAX_DEPTH}`);
        const modes = [this.tiler()];
        while (this.take(",")) modes.push(this.tiler());
        this.need(">", "⟩");
        this.depth -= 1;
        return modes;
      }
      if (this.peek() === "_" && !/^[0-9]/.test(this.peek(1))) { this.k += 1; return null; }
      const start = this.k;
      const shape = this.htuple(() => (this.peek() === "_" ? this.coordinateLeaf() : this.sizeLeaf()));
      if (this.peek() === ":") { this.k = start; return this.layout(); }
      return shape;
    }
  }
  const whole = (text, rule) => { const p = new Parser(text); const found = rule(p); p.end(); return found; };
  const parse = (text) => whole(text, (p) => p.composed());
  const parseCoordinate = (text) => whole(text, (p) => p.htuple(() => p.coordinateLeaf()));
  const parseTiler = (text) => whole(text, (p) => p.tiler());
  function plain(operand, operation) {
    if (operand instanceof Layout) return operand;
    throw new Input(`${operation} takes a layout S:D, not a swizzle or a composed layout`);
  }

  // Coalesce.
  function fromModes(modes) {
    if (!modes.length) return new Layout(1n, 0n);
    if (modes.length === 1) return new Layout(...modes[0]);
    return new Layout(modes.map(([s]) => s), modes.map(([, d]) => d));
  }
  function coalesce(layout) {
    const modes = [];
    for (const [s, d] of layout.modes) {
      if (s === 1n) continue;
      const last = modes[modes.length - 1];
      if (last && continues(last[0], last[1], d)) modes[modes.length - 1] = [last[0] * s, last[1]];
      else modes.push([s, d]);
    }
    return fromModes(modes);
  }
  function continues(s, d, following) {
    if (d instanceof Bits || following instanceof Bits) {
      return ((s & (s - 1n)) === 0n && same(following, times(d, s))) || (isZero(d) && isZero(following));
    }
    return same(following, times(d, s));
  }

  // Composition, on the floor form of A.
  function floorForm(layout, paths) {
    const slopes = [], floors = [];
    paths.forEach((path, axis) => {
      const shape = at(layout.shape, path);
      if (shape === undefined) throw new Input(`${path.length === 1 ? `e${path[0]}` : `1${[...path].reverse().map((p) => `@${p}`).join("")}`} names no mode of ${show(layout)}`);
      const strides = leaves(at(layout.stride, path));
      const places = [1n], coefficients = [0n];
      let p = 1n, carried = 0n;
      leaves(shape).forEach((s, k) => {
        if (p !== places[places.length - 1]) { places.push(p); coefficients.push(0n); }
        const last = coefficients.length - 1;
        coefficients[last] = add(add(coefficients[last], strides[k]), carried);
        p *= s;
        carried = times(strides[k], -s);
      });
      places.slice(1).forEach((q, k) => { if (!isZero(coefficients[k + 1])) floors.push([axis, q, coefficients[k + 1]]); });
      slopes.push(coefficients[0]);
    });
    const value = (x) => floors.reduce(
      (sum, [axis, p, e]) => add(sum, times(e, div(x[axis], p))),
      slopes.reduce((sum, slope, k) => add(sum, times(slope, x[k])), 0n));
    const step = (stride) => {
      if (stride instanceof Along) return paths.map((path) => stride.get(path));
      return paths.length === 1 && !paths[0].length ? [stride] : paths.map(() => 0n);
    };
    return { floors, value, step };
  }
  function runOf(floors, step, limit) {
    const wrapping = floors.map(([axis, p, e]) => [p, mod(step[axis], p), e]).filter(([, r]) => r);
    if (!wrapping.length) return limit;
    const counts = wrapping.map(() => 1n);
    const next = (k) => ceil(counts[k] * wrapping[k][0], wrapping[k][1]);
    let total = 0n;
    for (let events = 0; events < EVENTS; events++) {
      let k = 0;
      for (let j = 1; j < wrapping.length; j++) if (next(j) < next(k)) k = j;
      const index = next(k);
      if (index >= limit) return limit;
      total = add(total, wrapping[k][2]);
      counts[k] += 1n;
      if (!wrapping.some((_, j) => next(j) === index) && !isZero(total)) return index;
    }
    throw new Undecided(`${EVENTS} carries cancelled one another before a run of ${limit} elements was decided`);
  }
  function carry(floors, crd, steps) {
    return floors.reduce((total, [axis, p, e]) => {
      const count = div(crd.reduce((sum, c, k) => sum + c * mod(steps[k][axis], p), 0n), p);
      return count ? add(total, times(e, count)) : total;
    }, 0n);
  }
  function firstCarry(floors, sizes, steps) {
    const carrying = floors.filter(([axis, p]) => sizes.reduce((sum, n, k) => sum + (n - 1n) * mod(steps[k][axis], p), 0n) >= p);
    if (!carrying.length) return null;
    const live = sizes.map((_, k) => k).filter((k) => sizes[k] > 1n && carrying.some(([axis, p]) => mod(steps[k][axis], p)));
    const box = live.map((k) => sizes[k]), moves = live.map((k) => steps[k]);
    const wholeOf = (crd) => { const full = sizes.map(() => 0n); live.forEach((k, j) => { full[k] = crd[j]; }); return full; };
    const points = box.reduce((a, b) => a * b, 1n);
    for (let index = 0n; index < points; index++) {
      if (index >= POINTS) throw new Undecided(`${points} coordinates are more than this page looks at: ask the command line`);
      let rest = index;
      const crd = box.map((n) => { const digit = rest % n; rest /= n; return digit; });
      if (!isZero(carry(carrying, crd, moves))) return wholeOf(crd);
    }
    return null;
  }
  const axesOf = (b) => {
    const paths = [];
    for (const [, d] of b.modes) {
      if (d instanceof Along) for (const [path] of d.terms) if (!paths.some((p) => samePath(p, path))) paths.push(path);
    }
    return paths.length ? paths.sort(byPath) : [[]];
  };
  function composition(a, b) {
    plain(a, "composition here"); plain(b, "composition here");
    const paths = axesOf(b);
    for (let k = 1; k < paths.length; k++) {
      if (samePath(paths[k].slice(0, paths[k - 1].length), paths[k - 1])) throw new Input(`${show(b)} names a mode of ${show(a)} both whole and by parts`);
    }
    if (b.semimodule === "F2") throw new Input(`the offsets of ${show(b)} live in F2 and are no coordinates of ${show(a)}`);
    let inside = true;
    for (const path of paths) {
      let low = 0n, high = 0n;
      for (const [s, d] of b.modes) {
        const x = !path.length ? d : d instanceof Along ? d.get(path) : 0n;
        if (x < 0n) low += (s - 1n) * x; else high += (s - 1n) * x;
      }
      const mode = at(a.shape, path);
      if (mode === undefined) throw new Input(`${show(b)} gives coordinates that ${show(a)} does not have`);
      if (low < 0n || high >= size(mode)) inside = false;
    }
    if (a.semimodule === "F2") throw new Undecided("compositions over F2 are decided by the command line only");
    const form = floorForm(a, paths);
    const found = [];
    b.modes.forEach(([s, d], leaf) => {
      let step = form.step(d), left = s;
      const modes = [];
      while (left > 1n) {
        const run = runOf(form.floors, step, left);
        if (left % run) {
          const crd = b.modes.map(() => 0n);
          crd[leaf] = (s / left) * run;
          throw new Refuted(
            `no layout has the values of ${show(a)} at the first ${s} multiples of ${show(d)}: a run of ${run} does not divide ${left}`,
            witness("run", a, b, crd, times(form.value(step), run), { run, size: left }));
        }
        const value = form.value(step);
        modes.push([run, step, isZero(value) ? 0n : value]);
        left /= run;
        step = step.map((x) => run * x);
      }
      found.push(modes.length ? modes : [[1n, step, 0n]]);
    });
    const flat = found.flat();
    const where = firstCarry(form.floors, flat.map(([n]) => n), flat.map(([, x]) => x));
    if (where !== null) {
      let k = 0, got = 0n;
      const crd = found.map((modes) => {
        let index = 0n, scale = 1n;
        for (const [n, , value] of modes) {
          const digit = where[k++];
          got = add(got, times(value, digit));
          index += scale * digit;
          scale *= n;
        }
        return index;
      });
      throw new Refuted(`no layout compatible with ${show(b)} equals ${show(a)} after it: the parts of its modes do not add up`, witness("difference", a, b, crd, got, {}));
    }
    const grouped = (parts) => (parts.length === 1 ? parts[0] : parts);
    const result = new Layout(
      unflatten(found.map((modes) => grouped(modes.map(([n]) => n))), b.shape),
      unflatten(found.map((modes) => grouped(modes.map(([, , d]) => (isZero(d) ? 0n : d)))), b.shape));
    return { result, in_bounds: inside, exact: true, out_of_range: 0n };
  }
  function witness(what, a, b, crd, got, more) {
    const natural = unflatten(crd, b.shape);
    return { kind: what, coordinate: natural, index: crd2idx(natural, b.shape), expected: a.call(asCoordinate(b.call(natural), a.shape)), got, ...more };
  }

  // Two coordinates with one offset: a zero of the strides' combinations.
  function findZero(ranges) {
    const order = ranges.map((_, k) => k).sort((i, j) => (abs(ranges[i][2]) < abs(ranges[j][2]) ? -1 : abs(ranges[i][2]) > abs(ranges[j][2]) ? 1 : i - j));
    const box = order.map((k) => ranges[k]);
    if (!box.length) return null;
    const reaches = [[0n, 0n, 0n]];
    for (const [low, high, d] of box) {
      const [least, greatest, g] = reaches[reaches.length - 1];
      reaches.push([least + min(low * d, high * d), greatest + max(low * d, high * d), gcd(g, d)]);
    }
    let budget = NODES;
    const coefficients = function* (top, total) {
      let [least, greatest, g] = reaches[top + 1];
      if (-total < least || -total > greatest || (g ? total % g : total)) return;
      if (--budget < 0) throw new Undecided(`more than ${NODES} partial sums were tried for two coordinates with one offset`);
      let [low, high, d] = box[top];
      [least, greatest, g] = reaches[top];
      const ends = d > 0n ? [-total - greatest, -total - least] : [total + least, total + greatest];
      const [first, last] = [min(...ends), max(...ends)];
      const step0 = abs(d);
      low = max(low, -div(-first, step0));
      high = min(high, div(last, step0));
      let step = 1n;
      if (g) {
        const common = gcd(step0, g);
        if (total % common) return;
        step = g / common;
        if (step > 1n) {
          const residue = mod((d > 0n ? div(-total, common) : div(total, common)) * inverse(step0 / common, step), step);
          low += mod(residue - low, step);
        }
      }
      const count = high < low ? 0n : (high - low) / step + 1n;
      if (count < 4096n) {
        const all = Array.from({ length: Number(count) }, (_, k) => low + BigInt(k) * step);
        yield* all.sort((x, y) => (abs(x) < abs(y) ? -1 : abs(x) > abs(y) ? 1 : x < y ? -1 : 1));
      } else for (let c = low; c <= high; c += step) yield c;
    };
    const search = function* (top, total) {
      for (const c of coefficients(top, total)) {
        const sum = total + c * box[top][2];
        if (top === 0) { if (sum === 0n) yield [c]; } else for (const rest of search(top - 1, sum)) yield [...rest, c];
      }
    };
    for (const found of search(box.length - 1, 0n)) {
      if (found.some((c) => c)) {
        const result = ranges.map(() => 0n);
        order.forEach((place, k) => { result[place] = found[k]; });
        return result;
      }
    }
    return null;
  }
  function inverse(a, m) {
    let [r, s, x, y] = [mod(a, m), m, 1n, 0n];
    while (s) { const q = r / s; [r, s] = [s, r - q * s]; [x, y] = [y, x - q * y]; }
    return mod(x, m);
  }
  function refuteInjective(layout) {
    const modes = layout.modes;
    let reach = 0n, clear = true;
    for (const [s, d] of byStride(modes)) {
      if (d <= reach) { clear = false; break; }
      reach += (s - 1n) * d;
    }
    if (clear) return null;
    const zeros = modes.map(() => 0n);
    const collision = (first, second) => {
      const [c, o] = [unflatten(first, layout.shape), unflatten(second, layout.shape)];
      return { kind: "collision", coordinate: c, other: o, offset: layout.call(c) };
    };
    for (let i = 0; i < modes.length; i++) {
      if (modes[i][0] > 1n && modes[i][1] === 0n) return collision(zeros, zeros.map((_, k) => (k === i ? 1n : 0n)));
    }
    const live = modes.map((_, k) => k).filter((k) => modes[k][0] > 1n);
    const found = findZero(live.map((k) => [1n - modes[k][0], modes[k][0] - 1n, modes[k][1]]));
    if (found === null) return null;
    const first = [...zeros], second = [...zeros];
    live.forEach((k, j) => { first[k] = max(found[j], 0n); second[k] = max(-found[j], 0n); });
    let place = modes.length - 1;
    while (first[place] === second[place]) place -= 1;
    return first[place] > second[place] ? collision(second, first) : collision(first, second);
  }
  const byStride = (modes) => modes.filter(([s]) => s > 1n).map(([s, d]) => [s, abs(d)]).sort(([, d], [, e]) => (d < e ? -1 : d > e ? 1 : 0));

  // Complement.
  function complement(layout, bound) {
    if (bound < 1n) throw new Input(`a bound must be a positive integer, not ${bound}`);
    plain(layout, "complement");
    const where = layout.semimodule;
    if (where === "coordinate") throw new Input(`the offsets of ${show(layout)} are coordinates: only the extended complement goes axis by axis`);
    if (where === "F2") throw new Undecided("complements over F2 are decided by the command line only");
    const gaps = [], filled = [];
    let top = 1n;
    const sorted = layout.modes.filter(([s]) => s > 1n).sort(([, d], [, e]) => (d < e ? -1 : d > e ? 1 : 0));
    for (const [s, d] of sorted) {
      if (d <= 0n || d % top) throw refusal(layout, filled, gaps, d);
      if (d > top) gaps.push([d / top, top]);
      filled.push([s, d]);
      top = s * d;
    }
    const rest = ceil(bound, top);
    const modes = rest > 1n ? [...gaps, [rest, top]] : gaps;
    const reached = top * rest;
    return { result: fromModes(modes), in_bounds: null, exact: reached === bound, out_of_range: reached - bound };
  }
  function refusal(layout, filled, gaps, d) {
    if (layout.modes.some(([s, e]) => s > 1n && e < 0n)) {
      const index = firstAtLeast(layout.modes.map(([s, e]) => [s, -e]), 1n);
      const crd = idx2crd(index, layout.shape);
      return new Refuted(`${show(layout)} has a negative offset, and a complement counts from 0`, { kind: "negative", coordinate: crd, offset: layout.call(crd) });
    }
    const meets = refuteInjective(layout);
    if (meets) return new Refuted(`${show(layout)} is not injective, so nothing completes it to a bijection`, meets);
    const found = forced(layout);
    if (found) {
      return new Refuted(
        `no complement of ${show(layout)} tiles any size: counting up, every offset not yet covered forces a shift of the layout, and the shift by ${found[0]} meets another at ${found[1]}`,
        { kind: "unreachable", offset: found[0], meets: found[1] });
    }
    const offset = hole(filled, gaps, d);
    return new Refuted(
      `no complement of ${show(layout)} tiles any size: a shift of it that reaches the offset ${offset} collides with one that every tiling needs`,
      { kind: "unreachable", offset });
  }
  function forced(layout) {
    if (size(layout.shape) > FORCED) return null;
    const image = [];
    for (let i = 0n; i < size(layout.shape); i++) image.push(layout.call(i));
    image.sort((a, b) => (a < b ? -1 : a > b ? 1 : 0));
    const covered = new Set();
    let shift = 0n, steps = 0n;
    while (steps < FORCED) {
      for (const x of image) {
        if (covered.has(shift + x)) return [shift, shift + x];
        covered.add(shift + x);
      }
      steps += BigInt(image.length);
      while (covered.has(shift)) { covered.delete(shift); shift += 1n; }
    }
    return null;
  }
  function hole(filled, gaps, d) {
    const [s, p] = filled[filled.length - 1];
    const top = s * p;
    if (d < top) return d % p;
    const wanted = (d % top) - filled.reduce((sum, [n, e]) => sum + (n - 1n) * e, 0n);
    let least = 0n, below = gaps.reduce((sum, [n, e]) => sum + (n - 1n) * e, 0n);
    for (const [n, e] of [...gaps].reverse()) {
      below -= (n - 1n) * e;
      least += max(0n, ceil(wanted - least - below, e)) * e;
    }
    return (d / top) * top + least;
  }
  function firstAtLeast(modes, wanted) {
    let below = modes.reduce((sum, [s, d]) => sum + (s - 1n) * max(d, 0n), 0n), index = 0n;
    if (below < wanted) return null;
    for (const [s, d] of [...modes].reverse()) {
      below -= (s - 1n) * max(d, 0n);
      const digit = d > 0n && wanted > below ? ceil(wanted - below, d) : 0n;
      wanted -= digit * d;
      index = index * s + digit;
    }
    return index;
  }

  // Divide.
  const joined = (parts) => new Layout(parts.map((p) => p.shape), parts.map((p) => p.stride));
  function divide(layout, tiler, form) {
    const pieces = divided(plain(layout, "a divide"), tiler);
    let result = pieces.logical;
    if (form === "zipped") {
      if (pieces.tile === null) throw new Input("a tiler of `_` alone divides nothing");
      result = joined([pieces.tile, pieces.rest]);
    }
    const outside = pieces.covered - size(layout.shape);
    return { result, in_bounds: !outside, exact: !outside, out_of_range: outside };
  }
  function divided(layout, tiler) {
    if (tiler === null) return { logical: layout, tile: null, rest: layout, covered: size(layout.shape) };
    if (Array.isArray(tiler)) {
      if ((!Array.isArray(layout.shape) && tiler.length > 1) || tiler.length > layout.rank) {
        throw new Input(`the tiler has ${tiler.length} modes, more than ${show(layout)}`);
      }
      const parts = layout.parts.map((mode, k) => divided(mode, k < tiler.length ? tiler[k] : null));
      const tiles = parts.map((p) => p.tile).filter((t) => t !== null);
      return {
        logical: joined(parts.map((p) => p.logical)), tile: tiles.length ? joined(tiles) : null,
        rest: joined(parts.map((p) => p.rest)), covered: parts.reduce((n, p) => n * p.covered, 1n),
      };
    }
    const tile = tiler instanceof Layout ? tiler : new Layout(tiler, 1n);
    if (tile.semimodule !== "integer") throw new Input(`the tile ${show(tile)} gives ${tile.semimodule} offsets: divide by integers, or by mode`);
    const wrapped = (question) => {
      try { return question(); } catch (error) {
        if (!(error instanceof Refuted)) throw error;
        throw new Refuted(`${show(layout)} is not divided by ${show(tile)}: ${error.message}`, error.witness);
      }
    };
    const completed = wrapped(() => complement(tile, size(layout.shape)));
    const both = joined([tile, completed.result]);
    const { result } = wrapped(() => composition(coalesce(layout), both));
    return { logical: result, tile: result.mode(0), rest: result.mode(1), covered: size(both.shape) };
  }

  // One question: texts in, an answer as --json prints it (result, verdict, reason, witness).
  function ask(operation, operands, form = "logical") {
    try {
      const found = answer(operation, operands, form);
      return { verdict: "proved", result: show(found.result), reason: null, witness: null, value: found.result,
        in_bounds: found.in_bounds, exact: found.exact, out_of_range: found.out_of_range };
    } catch (error) {
      if (error instanceof Refuted) return { verdict: "refuted", result: null, reason: error.message, witness: error.witness };
      if (error instanceof Undecided) return { verdict: "unknown", result: null, reason: error.message, witness: null };
      if (error instanceof Input) return { verdict: "input", result: null, reason: error.message, witness: null, text: error.text, position: error.position };
      throw error;
    }
  }
  function answer(operation, operands, form) {
    if (operation === "eval") {
      const layout = parse(operands[0]), crd = parseCoordinate(operands[1]);
      if (leaves(crd).includes(null)) throw new Input("an integer is expected here: '_' keeps a mode in a slice only", operands[1], operands[1].indexOf("_"));
      if (layout instanceof Swizzle) throw new Input("a swizzle has no size of its own: compose it with a layout");
      return { result: layout.call(crd), in_bounds: inBounds(crd, layout.shape), exact: null, out_of_range: 0n };
    }
    if (operation === "coalesce") return { result: coalesce(plain(parse(operands[0]), "coalesce")), in_bounds: null, exact: true, out_of_range: 0n };
    if (operation === "compose") return composition(parse(operands[0]), parse(operands[1]));
    if (operation === "divide") return divide(parse(operands[0]), parseTiler(operands[1]), form);
    if (operation === "complement") {
      const bound = parseCoordinate(operands[1]);
      if (typeof bound !== "bigint" || bound < 1n) throw new Input(`a positive integer is expected here, not ${show(bound)}`, operands[1], 0);
      return complement(parse(operands[0]), bound);
    }
    throw new Input(`no operation is named ${operation}`);
  }
  // An answer as JSON's own types: offsets that are no integers as their notation.
  function json(value) {
    if (typeof value === "bigint") return value >= -9007199254740991n && value <= 9007199254740991n ? Number(value) : String(value);
    if (value instanceof Along || value instanceof Bits) return show(value);
    if (Array.isArray(value)) return value.map(json);
    if (value && typeof value === "object") return Object.fromEntries(Object.entries(value).map(([k, v]) => [k, json(v)]));
    return value;
  }
  function told(operation, operands, form) {
    const { value, text, position, ...rest } = ask(operation, operands, form);
    return json(rest);
  }
  return { ask, told, parse, parseCoordinate, parseTiler, show, size, leaves, idx2crd, crd2idx, asCoordinate, inBounds, Layout, Swizzle, Along, Bits, weakly };
})();
