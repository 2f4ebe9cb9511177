// Counts the instructions that the Internet Computer charges: rewrites a Wasm module so that its
// exported global `instructions` contains the cost of the execution so far.
//
// The weights and the division into basic blocks are those of the replica: `instruction_to_cost`
// and `injections` in rs/embedders/src/wasm_utils/instrumentation.rs of github.com/dfinity/ic. Each
// basic block is charged at its start. Each function is charged one instruction more, and each bulk
// operation its number of bytes.

/** Weights that are not 1, by opcode; loads and stores are below. */
const WEIGHTS = new Map([
  ...[0x02, 0x03, 0x05, 0x0b].map((op) => [op, 0]), // block, loop, else, end
  ...[0x04, 0x0c, 0x0d, 0x0e].map((op) => [op, 2]), // if, br, br_if, br_table
  [0x10, 5], // call
  [0x11, 10], // call_indirect
  ...[0x23, 0x24].map((op) => [op, 2]), // global.get, global.set
  ...[0x25, 0x26].map((op) => [op, 5]), // table.get, table.set
  [0x3f, 20], // memory.size
  [0x40, 300], // memory.grow
  ...range(0x5b, 0x66).map((op) => [op, 3]), // comparisons of floats
  ...[0x6d, 0x6e, 0x6f, 0x70, 0x7f, 0x80, 0x81, 0x82].map((op) => [op, 10]), // div, rem
  ...[0x8d, 0x8e, 0x8f, 0x90, 0x92, 0x93, 0x94].map((op) => [op, 2]), // f32: simple arithmetic
  ...[0x9b, 0x9c, 0x9d, 0x9e, 0xa0, 0xa1, 0xa2].map((op) => [op, 2]), // f64: simple arithmetic
  ...[[0x91, 5], [0x95, 3], [0x98, 2], [0x9f, 8], [0xa3, 5], [0xa6, 3]], // sqrt, div, copysign
  ...[0x96, 0x97, 0xa4, 0xa5].map((op) => [op, 18]), // min, max
  ...[0xa8, 0xa9, 0xaa, 0xab, 0xae, 0xaf, 0xb0, 0xb1].map((op) => [op, 20]), // trunc
  ...[0xb2, 0xb4, 0xb7, 0xb9].map((op) => [op, 3]), // convert, signed
  ...[0xb3, 0xb5, 0xb8, 0xba].map((op) => [op, 16]), // convert, unsigned
  [0xd1, 5], // ref.is_null
  [0xd2, 130], // ref.func
]);
/**
 * The weights of the instructions 0xfc …: trunc_sat, memory.init, data.drop, memory.copy,
 * memory.fill.
 */
const weightOfFc = (sub) => (sub < 8 ? 20 : sub === 9 ? 300 : 100);

const isLoadOrStore = (op) => op >= 0x28 && op <= 0x3e;
/**
 * The opcodes that end a basic block: loop, if, else, end, br, br_if, br_table, return,
 * unreachable.
 */
const ENDS_BLOCK = new Set([0x00, 0x03, 0x04, 0x05, 0x0b, 0x0c, 0x0d, 0x0e, 0x0f]);
const SECTION = { custom: 0, type: 1, import: 2, function: 3, table: 4, memory: 5, global: 6, export: 7, element: 9, code: 10 };

/**
 * Rewrites the module `bytes` so that it counts. Returns the new module, whether its memory is 64
 * bits wide, and for every function its name (from the name section, or else its index) and its
 * number of locals, including the parameters.
 *
 * A table with 64-bit indices is rewritten to one with 32-bit indices, for engines that support
 * 64-bit memories but not 64-bit tables.
 */
export function instrument(bytes) {
  const sections = readSections(bytes);
  const memory64 = readMemory64(sections);
  const table64 = readTable64(sections);
  const types = readTypes(sections);
  const imported = readImports(sections);
  const typeOf = readVector(sections, SECTION.function, (reader) => reader.u32());
  const globals = readVector(sections, SECTION.global, (reader) => reader.skipGlobal()).length + imported.globals;
  const names = readNames(sections);

  // One global and two functions are added at the ends of their index spaces, so nothing is
  // renumbered.
  const charge32 = imported.functions + typeOf.length;
  const context = { memory64, table64, counter: globals, charge32, charge64: charge32 + 1 };
  const bodies = readVector(sections, SECTION.code, (reader) => reader.take(reader.u32()));
  const functions = [];
  const rewritten = bodies.map((body, i) => {
    const { code, locals } = rewrite(body, context);
    functions.push({ name: names.get(imported.functions + i) ?? `#${i}`, locals: locals + types[typeOf[i]] });
    return code;
  });
  rewritten.push(chargeBody(context, [0xad]), chargeBody(context, []));

  const out = [bytes.slice(0, 8)];
  for (const { id, content } of sections) {
    if (id === SECTION.type) out.push(append(id, content, [[0x60, 1, 0x7f, 1, 0x7f], [0x60, 1, 0x7e, 1, 0x7e]]));
    else if (id === SECTION.function) out.push(append(id, content, [unsigned(types.length), unsigned(types.length + 1)]));
    else if (id === SECTION.global) out.push(append(id, content, [[0x7e, 1, 0x42, 0, 0x0b]]));
    else if (id === SECTION.export) out.push(append(id, content, [exportEntry('instructions', 3, context.counter)]));
    else if (id === SECTION.table && table64) out.push(section(id, table32(content)));
    else if (id === SECTION.element && table64) out.push(section(id, elements32(content)));
    else if (id === SECTION.code) out.push(section(id, [unsigned(rewritten.length), ...rewritten.flatMap((b) => [unsigned(b.length), b])]));
    else out.push(section(id, [content]));
  }
  return { module: concat(out), memory64, functions };
}

/** Copies a function's body with a charge at the start of every basic block. */
function rewrite(body, { memory64, table64, counter, charge32, charge64 }) {
  const reader = new Reader(body);
  let locals = 0;
  for (let groups = reader.u32(); groups > 0; groups--) {
    locals += reader.u32();
    reader.u8();
  }
  const out = [body.subarray(0, reader.at)];
  let start = reader.at; // of the basic block
  let copied = []; // the block so far
  let cost = 1; // even an empty function costs one
  const flush = () => {
    if (cost > 0) out.push([0x23, ...unsigned(counter), 0x42, ...signed(cost), 0x7c, 0x24, ...unsigned(counter)]);
    out.push(...copied, body.subarray(start, reader.at));
    start = reader.at;
    copied = [];
    cost = 0;
  };
  const before = (at, inserted) => {
    copied.push(body.subarray(start, at), inserted);
    start = at;
  };
  while (reader.at < body.length) {
    const at = reader.at;
    const { op, sub } = reader.instruction();
    if (op === 0xfc) {
      cost += weightOfFc(sub);
      if (sub === 8) before(at, [0x10, ...unsigned(charge32)]); // memory.init: always 32 bits
      if (sub >= 10) before(at, [0x10, ...unsigned(memory64 ? charge64 : charge32)]);
    } else {
      cost += isLoadOrStore(op) ? (memory64 ? 2 : 1) : (WEIGHTS.get(op) ?? 1);
      if (op === 0x11 && table64) before(at, [0xa7]); // i32.wrap_i64
      if ((op === 0x25 || op === 0x26) && table64) throw new Error('table.get and table.set of a 64-bit table');
    }
    if (ENDS_BLOCK.has(op)) flush();
  }
  return { code: concat(out), locals };
}

/** `(param n) (result n)`: adds n, extended to 64 bits, to the counter and returns n. */
function chargeBody({ counter }, extend) {
  return Uint8Array.from([0, 0x23, ...unsigned(counter), 0x20, 0, ...extend, 0x7c, 0x24, ...unsigned(counter), 0x20, 0, 0x0b]);
}

class Reader {
  constructor(bytes) {
    this.bytes = bytes;
    this.at = 0;
  }
  u8() {
    return this.bytes[this.at++];
  }
  u32() {
    let value = 0;
    for (let shift = 1; ; shift *= 128) {
      const byte = this.u8();
      value += (byte & 127) * shift;
      if (byte < 128) return value;
    }
  }
  leb() {
    while (this.u8() >= 128);
  }
  take(length) {
    this.at += length;
    return this.bytes.subarray(this.at - length, this.at);
  }
  name() {
    return new TextDecoder().decode(this.take(this.u32()));
  }
  limits() {
    const flags = this.u8();
    this.leb();
    if (flags & 1) this.leb();
    return flags;
  }
  skipGlobal() {
    this.at += 2;
    while (this.instruction().op !== 0x0b);
  }
  /**
   * Reads one instruction. It supports every instruction that moc writes and throws for any other.
   */
  instruction() {
    const op = this.u8();
    let sub;
    if (op === 0x02 || op === 0x03 || op === 0x04) this.leb(); // a block type
    else if (op === 0x0c || op === 0x0d || op === 0x10 || (op >= 0x20 && op <= 0x26) || op === 0xd2) this.leb();
    else if (op === 0x0e) for (let n = this.u32() + 1; n > 0; n--) this.leb();
    else if (op === 0x11) (this.leb(), this.leb());
    else if (isLoadOrStore(op)) (this.leb(), this.leb());
    else if (op === 0x3f || op === 0x40 || op === 0xd0) this.u8();
    else if (op === 0x41 || op === 0x42) this.leb();
    else if (op === 0x43) this.at += 4;
    else if (op === 0x44) this.at += 8;
    else if (op === 0xfc) {
      sub = this.u32();
      for (let n = { 8: 2, 9: 1, 10: 2, 11: 1 }[sub] ?? 0; n > 0; n--) this.leb();
      if (sub > 11) throw new Error(`instruction 0xfc ${sub} is not known here`);
    } else if (!([0x00, 0x01, 0x05, 0x0b, 0x0f, 0x1a, 0x1b, 0xd1].includes(op) || (op >= 0x45 && op <= 0xc4))) {
      throw new Error(`instruction 0x${op.toString(16)} is not known here`);
    }
    return { op, sub };
  }
}

function readSections(bytes) {
  const reader = new Reader(bytes);
  reader.at = 8;
  const sections = [];
  while (reader.at < bytes.length) sections.push({ id: reader.u8(), content: reader.take(reader.u32()) });
  return sections;
}

function readVector(sections, id, read) {
  const found = sections.find((s) => s.id === id);
  if (!found) return [];
  const reader = new Reader(found.content);
  return Array.from({ length: reader.u32() }, () => read(reader));
}

const readMemory64 = (sections) => readVector(sections, SECTION.memory, (reader) => reader.limits())[0] >= 4;
const readTable64 = (sections) =>
  readVector(sections, SECTION.table, (reader) => (reader.u8(), reader.limits())).some((flags) => flags >= 4);

/** Returns the number of parameters of each type. */
function readTypes(sections) {
  return readVector(sections, SECTION.type, (reader) => {
    if (reader.u8() !== 0x60) throw new Error('a type that is not a function');
    const parameters = reader.take(reader.u32()).length;
    reader.take(reader.u32()); // results
    return parameters;
  });
}

function readImports(sections) {
  const kinds = readVector(sections, SECTION.import, (reader) => {
    reader.name();
    reader.name();
    const kind = reader.u8();
    if (kind === 0) reader.leb();
    else if (kind === 3) reader.at += 2;
    else throw new Error('an imported memory or table');
    return kind;
  });
  return { functions: kinds.filter((k) => k === 0).length, globals: kinds.filter((k) => k === 3).length };
}

/** Returns the function names by index, from the custom section "name". */
function readNames(sections) {
  const names = new Map();
  for (const { id, content } of sections) {
    if (id !== SECTION.custom) continue;
    const reader = new Reader(content);
    if (reader.name() !== 'name') continue;
    while (reader.at < content.length) {
      const [kind, length] = [reader.u8(), reader.u32()];
      const end = reader.at + length;
      if (kind === 1) for (let n = reader.u32(); n > 0; n--) names.set(reader.u32(), reader.name());
      reader.at = end;
    }
  }
  return names;
}

/** Returns the table section with 32-bit indices in every table. */
function table32(content) {
  const reader = new Reader(content);
  const count = reader.u32();
  const out = [unsigned(count)];
  for (let i = 0; i < count; i++) {
    const type = reader.u8();
    const flags = reader.u8();
    const limits = reader.at;
    reader.leb();
    if (flags & 1) reader.leb();
    out.push([type, flags & ~4], content.subarray(limits, reader.at));
  }
  return out;
}

/**
 * Returns the element section with `i32.const` instead of `i64.const` offsets. The constants' bytes
 * stay.
 */
function elements32(content) {
  const reader = new Reader(content);
  const count = reader.u32();
  const out = [unsigned(count)];
  for (let i = 0; i < count; i++) {
    const flags = reader.u32();
    if (flags !== 0 || reader.u8() !== 0x42) throw new Error('an element segment that is not active');
    const offset = reader.at;
    reader.leb();
    reader.u8();
    for (let n = reader.u32(); n > 0; n--) reader.leb();
    out.push([0, 0x41], content.subarray(offset, reader.at));
  }
  return out;
}

function exportEntry(name, kind, index) {
  return [...unsigned(name.length), ...new TextEncoder().encode(name), kind, ...unsigned(index)];
}

/** Returns a section that is a vector, with `entries` appended. */
function append(id, content, entries) {
  const reader = new Reader(content);
  const count = reader.u32();
  return section(id, [unsigned(count + entries.length), content.subarray(reader.at), ...entries]);
}

function section(id, parts) {
  const content = concat(parts);
  return concat([[id], unsigned(content.length), content]);
}

function concat(parts) {
  const out = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0));
  let at = 0;
  for (const part of parts) {
    out.set(part, at);
    at += part.length;
  }
  return out;
}

function unsigned(value) {
  const out = [];
  for (; value >= 128; value = Math.floor(value / 128)) out.push((value % 128) | 128);
  return [...out, value];
}

/** Encodes a nonnegative number as signed LEB128: bit 6 of the last byte must be clear. */
function signed(value) {
  const out = unsigned(value);
  if (out.at(-1) < 64) return out;
  out[out.length - 1] |= 128;
  return [...out, 0];
}

function range(first, last) {
  return Array.from({ length: last - first + 1 }, (_, i) => first + i);
}
