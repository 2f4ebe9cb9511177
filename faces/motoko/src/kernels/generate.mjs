// Writes the kernels of this folder: `node src/kernels/generate.mjs` (or, to see whether they are
// what it would write, `npm test`). Each kernel is the standard's algorithm, unrolled, once for every
// kind of input. What makes a kernel cheap on the Internet Computer, where every Wasm instruction is
// charged alike:
//
// - Words are `Nat64` in local variables, which the compiler keeps unboxed. One that crosses a
//   function's boundary, or lies in an array, is boxed from 2^60 on: so the state lies in arrays of
//   `Nat32` halves between calls, and a kernel has one function for its rounds and its input.
// - A 32-bit word x is kept as x | x << 32: rotating it is one shift. (y & M) *% D makes it so.
// - Variables change their roles from round to round, not their values.
// - The compiler turns "store x; load x" into one instruction: a statement whose first operand is
//   what the statement before it assigned costs one less.
// - A byte costs about 62 instructions to load, most of them for its index and bounds;
//   `nat64ToNat(i +% 3)` is the cheapest index there is.

import { writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const M = '0xffffffff';
const D = '0x100000001';

/** `count` names: a0, a1, … */
const names = (prefix, count) => Array.from({ length: count }, (_, i) => `${prefix}${i}`);
const times = (count, f) => Array.from({ length: count }, (_, i) => f(i));
const hex = (value) => `0x${value.toString(16)}`;

// ---- input -----------------------------------------------------------------------------------------

/** The message's byte `k` as a Nat16. */
const byte = (k) => `b16(data[n64(i +% ${k})])`;
/** Two bytes as a Nat64; big- or little-endian. */
const pair = (high, low) => `w64(h32((${byte(high)} *% 256) | ${byte(low)}))`;
const shifted = (x, bits) => (bits === 0 ? x : `(${x} << ${bits})`);

/** The bytes k, k+1, … as one word, the first the most significant one. */
const bigEndian = (bytes) => (k) =>
  times(bytes / 2, (p) => shifted(pair(k + 2 * p, k + 2 * p + 1), 8 * (bytes - 2 - 2 * p))).join(' | ');
/** … the least significant one. */
const littleEndian = (bytes) => (k) =>
  times(bytes / 2, (p) => shifted(pair(k + 2 * p + 1, k + 2 * p), 16 * p)).join(' | ');

/**
 * Takes a block's bytes from an iterator's `next`, byte j to a variable and shift, `place(j)`. Where the
 * iterator ends, `count` is set to how many bytes there were.
 */
const fromIterator = (bytes, place) =>
  times(bytes, (j) => {
    const [variable, shift] = place(j);
    const isFirst = j === 0 || place(j - 1)[0] !== variable;
    const value = shifted('w64(h32(b16(b)))', shift);
    const set = `${variable} := ${isFirst ? value : `${variable} | ${value}`}`;
    return `switch (next()) { case (?b) { ${set} }; case null { count := ${j}; break block } };`;
  });

// ---- SHA-2: FIPS 180-4 §6.2.2 and §6.4.2 -------------------------------------------------------------

const SHA2 = {
  32: { rounds: 64, Σ0: [2, 13, 22], Σ1: [6, 11, 25], σ0: [7, 18, 3], σ1: [17, 19, 10] },
  64: { rounds: 80, Σ0: [28, 34, 39], Σ1: [14, 18, 41], σ0: [1, 8, 7], σ1: [19, 61, 6] },
};

/**
 * How words of the width are kept. A `plain` word has nothing above its bits; a `ready` one can be
 * rotated; `element` is the plain word of the Nat32s that `at` names, and `halves` are those again.
 */
const WORDS = {
  32: {
    rotate: '>>',
    ready: (plain) => `(${plain}) *% ${D}`,
    plain: (x) => `(${x}) & ${M}`,
    element: (at, i) => `w64(${at(i)})`,
    halves: (x) => [`w32(${x} & ${M})`],
  },
  64: {
    rotate: '<>>',
    ready: (plain) => plain,
    plain: (x) => x,
    element: (at, i) => `(w64(${at(2 * i)}) << 32) | w64(${at(2 * i + 1)})`,
    halves: (x) => [`w32(${x} >> 32)`, `w32(${x} & ${M})`],
  },
};

/** One block: the message's words, `message(i)`, and the rounds, over the variables w, v and, plain words, c. */
function sha2Block(bits, message) {
  const { rounds, Σ0, Σ1, σ0, σ1 } = SHA2[bits];
  const { rotate, ready, plain } = WORDS[bits];
  const constants = primes(rounds).map((p) => rootFraction(BigInt(p), 3n, bits));
  // A plain copy pays where the word is shifted twice, by σ0 and σ1.
  const keepsPlain = (i) => bits === 32 && i >= 14 && i < rounds - 15;
  const isRotated = (i) => i > 0 && i < rounds - 2;

  /** Three rotations, each by what it has more than the one before: one operation less. */
  const big = (x, [r, s, t]) => `((((${x} <>> ${t - s}) ^ ${x}) <>> ${s - r}) ^ ${x}) ${rotate} ${r}`;
  const small = (i, [r, s, shift]) => {
    const x = `w${i % 16}`;
    const shifted = keepsPlain(i) ? `c${i % 16}` : bits === 32 ? `(${plain(x)})` : x;
    return `(${x} ${rotate} ${r}) ^ (${x} ${rotate} ${s}) ^ (${shifted} >> ${shift})`;
  };
  const setWord = (i, x, clean = (x) => x) => {
    const w = `w${i % 16}`;
    if (!isRotated(i)) return [`${w} := ${x};`];
    if (keepsPlain(i)) return [`c${i % 16} := ${clean(x)};`, `${w} := ${ready(`c${i % 16}`)};`];
    return [`${w} := ${ready(clean(x))};`];
  };

  const lines = times(16, (i) => setWord(i, message(i))).flat();
  lines.push('y := v1 ^ v2;');
  for (let t = 0; t < rounds; t++) {
    const [a, b, , d, e, f, g, h] = times(8, (i) => `v${(i + 8 * rounds - t) % 8}`);
    const w = `w${t % 16}`;
    const sum = `(${big(e, Σ1)}) +% ${h} +% (((${f} ^ ${g}) & ${e}) ^ ${g}) +% ${hex(constants[t])}`;
    const newE = `${d} := ${ready(plain(`t +% ${d}`))};`;
    // Maj(a, b, c) = b ^ ((a ^ b) & (b ^ c)), and b ^ c is the round before's a ^ b.
    const [ab, bc] = t % 2 === 0 ? ['x', 'y'] : ['y', 'x'];
    const newA = [
      `${ab} := ${a} ^ ${b};`,
      `${h} := ${ready(plain(`((${ab} & ${bc}) ^ ${b}) +% t +% (${big(a, Σ0)})`))};`,
    ];
    // The order in which most statements begin with what was just assigned.
    if (t < 16) {
      lines.push(`t := ${sum} +% ${w};`, ...newA, newE);
    } else {
      const next = `${w} +% (${small(t - 15, σ0)}) +% w${(t - 7) % 16} +% (${small(t - 2, σ1)})`;
      lines.push(...setWord(t, next, plain), `t := ${w} +% ${sum};`, newE, ...newA);
    }
  }
  return lines;
}

function sha2(bits) {
  const { element, ready, plain, halves } = WORDS[bits];
  const bytes = bits / 8;
  const zeros = (variables) => variables.map((x) => `var ${x} : Nat64 = 0;`).join(' ');
  const variables = (initial) => [
    ...times(8, (i) => `var s${i} : Nat64 = ${ready(initial(i))}; var v${i} = s${i};`),
    zeros(['t', 'x', 'y', ...names('w', 16), ...(bits === 32 ? names('c', 16) : [])]),
  ];
  const block = (message) => [
    ...sha2Block(bits, message),
    ...times(8, (i) => `s${i} := ${ready(plain(`s${i} +% v${i}`))}; v${i} := s${i};`),
  ];
  const store = (array, x, count) => names(x, count).flatMap(halves).map((half, i) => `${array}[${i}] := ${half};`);
  const absorb = (type) => [
    `(state : [var Nat32], data : ${type}, start : Nat64, end : Nat64) {`,
    ...variables((i) => element((j) => `state[${j}]`, i)),
    'var i = start;',
    'while (i < end) {',
    ...block((i) => bigEndian(bytes)(bytes * i)),
    `i +%= ${16 * bytes};`,
    '};',
    ...store('state', 's', 8),
    '};',
  ];
  const count = bits / 32;
  const [h, m] = [names('h', 8 * count), names('m', 16 * count)];
  const words = (x) => x.map((name) => `${name} : Nat32`).join(', ');
  const tuple = (length) => `(${times(length, () => 'Nat32').join(', ')})`;
  const elements = (array, length) => times(length, (i) => `${array}[${i}]`).join(', ');
  const tail = (type, last) => [
    `(data : ${type}, start : Nat64, end : Nat64, marker : Nat32) : ${tuple(m.length)} {`,
    'let i = start;',
    'let size = end -% start;',
    '(',
    ...m.map((_, j) => {
      const whole = `if (size >= ${4 * j + 4}) w32(${bigEndian(4)(4 * j)})`;
      return `${whole} else if (size < ${4 * j}) 0 else Bytes.${last}(data, i +% ${4 * j}, end, marker),`;
    }),
    ')',
    '};',
  ];
  const block64 = 16 * bytes;
  const lengthAt = block64 - 2 * bytes;
  const finish = (type, name) => [
    `(before : Nat64, data : ${type}, ${words(h)}) : ${tuple(h.length)} {`,
    'let size = n64w(data.size());',
    `let end = size -% (size & ${block64 - 1});`,
    h.map((x, i) => `var s${i} = ${x};`).join(' '),
    'if (end > 0) {',
    `let s = [var ${h.join(', ')}];`,
    `${name}(s, data, 0, end);`,
    h.map((_, i) => `s${i} := s[${i}];`).join(' '),
    '};',
    `let (${m.join(', ')}) = tail${type === 'Blob' ? 'Blob' : 'Array'}(data, end, size, 0x80000000);`,
    'let length = before +% size;',
    `if (size & ${block64 - 1} < ${lengthAt}) return compress(${names('s', h.length).join(', ')}, ${m.slice(0, lengthAt / 4).join(', ')}, ${lengthWords});`,
    `let (${h.map((x) => `t${x}`).join(', ')}) = compress(${[...names('s', h.length), ...m].join(', ')});`,
    `compress(${h.map((x) => `t${x}`).join(', ')}, ${times(lengthAt / 4, () => '0').join(', ')}, ${lengthWords})`,
    '};',
  ];
  const lengthWords = [
    ...(bits === 32 ? [] : ['0', 'w32(length >> 61)']),
    `w32((length >> 29) & ${M})`,
    `w32((length << 3) & ${M})`,
  ].join(', ');
  const exploded = (i) => ['a', 'b', 'c', 'd'].map((x) => `${x}${i}`).join(', ');
  const outputs = bits === 32 ? [7, 8] : [7, 8, 12, 16];
  return kernels(
    `FIPS 180-4 ${bits === 32 ? '§6.2.2' : '§6.4.2'}. The state: 8 words${bits === 32 ? '' : ', each as two halves, the high one first'}.`,
    {
      ['compress: the state h and one block m, to the state after it.']: [
        `(${words([...h, ...m])}) : ${tuple(h.length)} {`,
        ...variables((i) => element((j) => `h${j}`, i)),
        ...sha2Block(bits, (i) => element((j) => `m${j}`, i)),
        ...times(8, (i) => `s${i} := s${i} +% v${i};`),
        `(${names('s', 8).flatMap(halves).join(', ')})`,
        '};',
      ],
      ['words: absorbs one block that lies in words, as the state does.']: [
        '(h : [var Nat32], m : [var Nat32]) {',
        `let (${h.map((x) => `s${x}`).join(', ')}) = compress(${elements('h', h.length)}, ${elements('m', m.length)});`,
        ...h.map((x, i) => `h[${i}] := s${x};`),
        '};',
      ],
      [`blob: absorbs the whole blocks of ${16 * bytes} bytes in \`data\` from \`start\` to \`end\`.`]: absorb('Blob'),
      'array: the same of an array.': absorb('[Nat8]'),
      'tailBlob: the bytes from `start` to `end`, a block at most, then the bytes of `marker`, and zeros.': tail('Blob', 'lastBlob'),
      'tailArray: the same of an array.': tail('[Nat8]', 'lastArray'),
      'finishBlob: the state after `data`, padded, when `before` bytes, whole blocks, led to the state h.': finish('Blob', 'blob'),
      'finishArray: the same of an array.': finish('[Nat8]', 'array'),
      'output: the first `count` words as bytes.': [
        `(count : Nat32, ${words(h)}) : Blob {`,
        ...h.flatMap((x, i) => {
          const ends = outputs.includes(i) ? [`if (count == ${i}) return bytes([${times(i, exploded).join(', ')}]);`] : [];
          return [...ends, `let (${exploded(i)}) = explode(${x});`];
        }),
        `bytes([${h.map((_, i) => exploded(i)).join(', ')}])`,
        '};',
      ],
      [`iter: absorbs all that \`next\` gives; what is not a whole block is left in \`m\`. Gives how much there was.`]: [
        '(state : [var Nat32], next : () -> ?Nat8, m : [var Nat32]) : Nat64 {',
        ...variables((i) => element((j) => `state[${j}]`, i)),
        zeros(names('m', 16)),
        'var blocks : Nat64 = 0;',
        'var count : Nat64 = 0;',
        'label block loop {',
        ...fromIterator(16 * bytes, (j) => [`m${Math.floor(j / bytes)}`, bits - 8 - 8 * (j % bytes)]),
        ...block((i) => `m${i}`),
        'blocks +%= 1;',
        '};',
        ...store('state', 's', 8),
        ...store('m', 'm', 16),
        `blocks *% ${16 * bytes} +% count`,
        '};',
      ],
    },
  );
}

/** The first bits of the fraction of the `degree`th root of n. */
function rootFraction(n, degree, bits) {
  const scaled = n << (BigInt(bits) * degree);
  let root = 0n;
  for (let bit = 1n << BigInt(bits + 8); bit > 0n; bit >>= 1n) if ((root + bit) ** degree <= scaled) root += bit;
  return BigInt.asUintN(bits, root);
}

function primes(count) {
  const found = [];
  for (let n = 2; found.length < count; n++) if (found.every((p) => n % p !== 0)) found.push(n);
  return found;
}

// ---- bytes, in buffers of words ----------------------------------------------------------------------

/** What is the same of every kind of input but its type. */
const perInput = (type) => {
  const name = type === 'Blob' ? 'Blob' : 'Array';
  const at = (k) => `w64(h32(b16(data[n64(i +% ${k})])))`;
  return {
    [`put${name}: puts \`data\` from \`start\` to \`end\` into the buffer from its byte \`at\` on.`]: [
      `(buffer : [var Nat32], at : Nat64, first : Nat64, data : ${type}, start : Nat64, end : Nat64) {`,
      'var p = at;',
      'var i = start;',
      'var word : Nat64 = if (p & 3 == 0) 0 else w64(buffer[n64(p >> 2)]);',
      'while (i < end) {',
      'if (p & 3 == 0 and i +% 4 <= end) {',
      `buffer[n64(p >> 2)] := w32(${times(4, (k) => `(${at(k)} << (first ^ ${8 * k}))`).join(' | ')});`,
      'p +%= 4;',
      'i +%= 4;',
      '} else {',
      `word |= ${at(0)} << (first ^ ((p & 3) << 3));`,
      'buffer[n64(p >> 2)] := w32(word);',
      'p +%= 1;',
      'i +%= 1;',
      'if (p & 3 == 0) word := 0;',
      '};',
      '};',
      '};',
    ],
    [`last${name}: the last bytes of \`data\`, from \`start\` on, fewer than four, then \`marker\` and zeros: big-endian.`]: [
      `(data : ${type}, start : Nat64, end : Nat64, marker : Nat32) : Nat32 {`,
      'var word = w64(marker);',
      'var i = end;',
      'while (i > start) {',
      'i -%= 1;',
      `word := (word >> 8) | (${at(0)} << 24);`,
      '};',
      'w32(word)',
      '};',
    ],
  };
};

const bytes = () =>
  kernels(
    'Bytes in buffers of words, four in each. Its first lies at bit `first`: 24 is big-endian, 0 little-endian.',
    {
      ...perInput('Blob'),
      ...perInput('[Nat8]'),
      'put: puts one byte at the byte `at`; what is behind it in its word becomes zero.': [
        '(buffer : [var Nat32], at : Nat64, first : Nat64, byte : Nat8) {',
        'let word : Nat64 = if (at & 3 == 0) 0 else w64(buffer[n64(at >> 2)]);',
        'buffer[n64(at >> 2)] := w32(word | (w64(h32(b16(byte))) << (first ^ ((at & 3) << 3))));',
        '};',
      ],
      'get: the byte at `at`.': [
        '(buffer : [var Nat32], at : Nat64, first : Nat64) : Nat8 {',
        'b8(w16(w32((w64(buffer[n64(at >> 2)]) >> (first ^ ((at & 3) << 3))) & 0xff)))',
        '};',
      ],
      'end: ends what the buffer holds, `at` bytes, with the byte `marker` and zeros.': [
        '(buffer : [var Nat32], at : Nat64, first : Nat64, marker : Nat8) {',
        'put(buffer, at, first, marker);',
        'var i = n64(at >> 2) + 1;',
        'while (i < buffer.size()) {',
        'buffer[i] := 0;',
        'i += 1;',
        '};',
        '};',
      ],
    },
  );

// ---- the files -----------------------------------------------------------------------------------------

const HEADER = (name) => [
  '// Written by generate.mjs; do not edit.',
  '',
  'import { nat8ToNat16 = b16; nat16ToNat32 = h32; nat32ToNat64 = w64; nat64ToNat = n64 } "mo:prim";',
  'import { nat64ToNat32 = w32; nat32ToNat16 = w16; nat16ToNat8 = b8; natToNat64 = n64w } "mo:prim";',
  'import { explodeNat32 = explode; arrayToBlob = bytes } "mo:prim";',
  ...(name === 'Bytes.mo' ? [] : ['import Bytes "Bytes";']),
  '',
];

/** A module: what it is, and its functions, `'name: what it does'` to their lines. */
function kernels(title, functions) {
  const one = ([heading, [signature, ...lines]]) => {
    const [name, what] = heading.split(/: (.*)/);
    return [`/// ${what[0].toUpperCase()}${what.slice(1)}`, `public func ${name}${signature}`, ...indented(lines)];
  };
  const body = Object.entries(functions).map((f) => one(f).map((line) => `  ${line}`).join('\n'));
  return [`/// ${title}`, 'module {', body.join('\n\n'), '}'];
}

/** Lines indented by the braces that are open before them. */
function indented(lines) {
  let depth = 1;
  return lines.map((line) => {
    const opened = line.split('{').length - line.split('}').length;
    const at = line.startsWith('}') ? depth - 1 : depth;
    depth += opened;
    return '  '.repeat(at) + line;
  });
}

/** What each file must be. */
export const FILES = {
  'Sha256.mo': () => sha2(32),
  'Sha512.mo': () => sha2(64),
  'Bytes.mo': bytes,
};

export const text = (name) => [...HEADER(name), ...FILES[name](), ''].join('\n');

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  for (const name of Object.keys(FILES)) writeFileSync(new URL(name, import.meta.url), text(name));
}
