// Writes the kernels in this folder: run `node src/kernels/generate.mjs`. `npm test` checks that
// the files are what this program writes.
//
// Each kernel is the standard's algorithm, unrolled, and there is one for every kind of input. A
// single kernel that called a function to read its block would pay for passing the words of the
// block. The compiler leaves out the kernels for inputs that a canister does not use. The same
// algorithms in plain loops are in `../reference`.
//
// The Internet Computer charges nearly all Wasm instructions alike. These techniques make a kernel
// cheap there:
//
// - Words are `Nat64` in local variables, which the compiler keeps unboxed. The compiler boxes a
//   value of 2^60 or more when it crosses a function's boundary or is stored in an array. So the
//   state is stored in arrays of `Nat32` halves between calls, and a kernel has one function for
//   its rounds and its input.
// - A 32-bit word x is kept as x | x << 32, so that rotating it is one shift. (y & M) *% D computes
//   this form.
// - From round to round the variables change their roles. Their values are not moved.
// - The compiler turns "store x; load x" into one instruction. So a statement costs one instruction
//   less if its first operand is the variable that the statement before it assigned.
// - Loading a byte costs about 62 instructions, most of them for the index and the bounds check.
//   `nat64ToNat(i +% 3)` is the cheapest form of an index. A byte from an accessor that returns
//   zero costs 49 instructions, and a byte from a reader that returns zero costs 35.

import { writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const M = '0xffffffff';
const D = '0x100000001';

/** Returns `count` names: a0, a1, … */
const names = (prefix, count) => Array.from({ length: count }, (_, i) => `${prefix}${i}`);
const times = (count, f) => Array.from({ length: count }, (_, i) => f(i));
const hex = (value) => `0x${value.toString(16)}`;

// ---- input --------------------------------------------------------------------------------------

/**
 * The kinds of input whose length is known. Each has the type of `data` and an expression for the
 * byte at `i + k`. A reader returns its bytes in order, so all code below reads bytes in that
 * order.
 */
const INPUTS = {
  blob: { type: 'Blob', at: (k) => `data[n64(i +% ${k})]` },
  array: { type: '[Nat8]', at: (k) => `data[n64(i +% ${k})]` },
  varArray: { type: '[var Nat8]', at: (k) => `data[n64(i +% ${k})]` },
  accessor: { type: 'Nat -> Nat8', at: (k) => `data(n64(i +% ${k}))` },
  reader: { type: '() -> Nat8', at: () => 'data()' },
};
const capital = (name) => name[0].toUpperCase() + name.slice(1);

const shifted = (x, bits) => (bits === 0 ? x : `(${x} << ${bits})`);

/** Returns an expression for the bytes k, k + 1, … of the input as one big-endian word. */
const bigEndian = (input, bytes) => (k) =>
  times(bytes / 2, (p) => {
    const [high, low] = [0, 1].map((j) => `b16(${INPUTS[input].at(k + 2 * p + j)})`);
    return shifted(`w64(h32((${high} *% 256) | ${low}))`, 8 * (bytes - 2 - 2 * p));
  }).join(' | ');
/** Returns an expression for the bytes k, k + 1, … of the input as one little-endian word. */
const littleEndian = (input, bytes) => (k) =>
  times(bytes / 2, (p) => shifted(`w64(h32(${quarter(input, k + 2 * p)}))`, 16 * p)).join(' | ');
/** Returns an expression for two bytes as a little-endian Nat16. */
const quarter = (input, k) => `b16(${INPUTS[input].at(k)}) | (b16(${INPUTS[input].at(k + 1)}) *% 256)`;

/** Returns an object with the kernel `absorb(input)` for every kind of input, under its heading. */
const absorbs = (absorb, ofBytes) =>
  Object.fromEntries(
    Object.keys(INPUTS).map((input) => [`${input}: absorbs the whole blocks${ofBytes} in \`data\` from \`start\` to \`end\`.`, absorb(input)]),
  );

/**
 * Returns lines that read a block from an iterator's `next`. `place(j)` names the variable for byte
 * j and its shift in bits. If the iterator ends, the lines set `count` to the number of bytes read.
 */
const fromIterator = (bytes, place) =>
  times(bytes, (j) => {
    const [variable, shift] = place(j);
    const isFirst = j === 0 || place(j - 1)[0] !== variable;
    const value = shifted('w64(h32(b16(b)))', shift);
    const set = `${variable} := ${isFirst ? value : `${variable} | ${value}`}`;
    return `switch (next()) { case (?b) { ${set} }; case null { count := ${j}; break absorbing } };`;
  });

/** The kernel for an iterator that leaves the last block to the caller. A block has `size` bytes, in words of `width`. */
const keepsLast = (size, width, begin, block, end) => ({
  'iter: absorbs all that `next` gives but its end, at most a block, which is left in `block`. Gives how much there was.': [
    '(state : [var Nat32], next : () -> ?Nat8, block : [var Nat32]) : Nat64 {',
    ...begin,
    'var absorbed : Nat64 = 0;',
    'var count : Nat64 = 0;',
    'label absorbing loop {',
    // If a block has a first byte, the block before it was not the last one and can be absorbed.
    'switch (next()) {',
    'case (?b) {',
    `if (count == ${size}) {`,
    ...block,
    `absorbed +%= ${size};`,
    '};',
    'm0 := w64(h32(b16(b)));',
    '};',
    'case null { break absorbing };',
    '};',
    ...fromIterator(size, (j) => [`m${Math.floor(j / width)}`, 8 * (j % width)]).slice(1),
    `count := ${size};`,
    '};',
    ...end,
    'absorbed +% count',
    '};',
  ],
});

// ---- SHA-2: FIPS 180-4 §6.2.2 and §6.4.2 --------------------------------------------------------

const SHA2 = {
  32: { rounds: 64, Σ0: [2, 13, 22], Σ1: [6, 11, 25], σ0: [7, 18, 3], σ1: [17, 19, 10] },
  64: { rounds: 80, Σ0: [28, 34, 39], Σ1: [14, 18, 41], σ0: [1, 8, 7], σ1: [19, 61, 6] },
};

/**
 * The forms of a word of each width. A `plain` word has only zeros above its bits. A `ready` word
 * can be rotated. `element` makes a plain word from the Nat32s that `at` names. `halves` turns it
 * back into Nat32s.
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

/**
 * Returns the lines for one block: they load the message's words, `message(i)`, and compute the
 * rounds in the variables w, v and c. The words in c are plain.
 */
function sha2Block(bits, message) {
  const { rounds, Σ0, Σ1, σ0, σ1 } = SHA2[bits];
  const { rotate, ready, plain } = WORDS[bits];
  const constants = primes(rounds).map((p) => rootFraction(BigInt(p), 3n, bits));
  // A plain copy is worth its cost if the word is shifted twice, by σ0 and by σ1.
  const keepsPlain = (i) => bits === 32 && i >= 14 && i < rounds - 15;
  const isRotated = (i) => i > 0 && i < rounds - 2;

  const big = (x, by) => by.map((r) => `(${x} ${rotate} ${r})`).join(' ^ ');
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
    // Maj(a, b, c) = b ^ ((a ^ b) & (b ^ c)), and b ^ c is a ^ b of the previous round.
    const [ab, bc] = t % 2 === 0 ? ['x', 'y'] : ['y', 'x'];
    const newA = [
      `${ab} := ${a} ^ ${b};`,
      `${h} := ${ready(plain(`((${ab} & ${bc}) ^ ${b}) +% t +% (${big(a, Σ0)})`))};`,
    ];
    // In this order most statements begin with the variable that was just assigned.
    if (t < 16) {
      lines.push(`t := ${sum} +% ${w};`, ...newA, newE);
    } else {
      const next = `${w} +% (${small(t - 15, σ0)}) +% w${(t - 7) % 16} +% (${small(t - 2, σ1)})`;
      lines.push(...setWord(t, next, plain), `t := ${w} +% ${sum};`, newE, ...newA);
    }
  }
  return lines;
}

const sha2 = (bits) =>
  ofWords(bits, {
    section: `FIPS 180-4 ${bits === 32 ? '§6.2.2' : '§6.4.2'}`,
    temporaries: ['t', 'x', 'y', ...names('w', 16), ...(bits === 32 ? names('c', 16) : [])],
    rounds: (message) => sha2Block(bits, message),
    combine: '+%',
    outputs: bits === 32 ? [7, 8] : [7, 8, 12, 16],
  });

// ---- SM3: GB/T 32905-2016 §5.3 -------------------------------------------------------------------

/**
 * Returns the lines for one block: they load the message's words, `message(i)`, and compute the
 * rounds in the variables w and v. The rotation of 64 bits keeps a word ready, and so does an
 * exclusive or, so the expansion of the message takes no other operations. What is only added or
 * combined bit by bit afterwards, the words C and G of the state, is shifted and not made ready.
 */
function sm3Block(message) {
  const { ready, plain } = WORDS[32];
  const left = (x, by) => `(${x} <>> ${32 - by})`;
  const shifted = (x, by) => `(${x} >> ${32 - by})`;
  const constant = (j) => BigInt.asUintN(32, ((j < 16 ? 0x79cc4519n : 0x7a879d8an) * (1n << 32n | 1n)) >> BigInt(32 - (j % 32)));
  const word = (j) => `w${j % 16}`;
  const expand = (j) => [
    `t := ${word(j + 7)} ^ ${word(j)} ^ ${left(word(j + 13), 15)};`,
    `${word(j)} := t ^ ${left('t', 15)} ^ ${left('t', 23)} ^ ${left(word(j + 3), 7)} ^ ${word(j + 10)};`,
  ];
  const lines = times(16, (j) => `${word(j)} := ${ready(message(j))};`);
  for (let j = 0; j < 64; j++) {
    // A round computes A in the place of D, and E in that of H.
    const [a, b, c, d, e, f, g, h] = times(8, (i) => `v${(i & 4) + ((i + 64 - j) % 4)}`);
    const [ff, gg] =
      j < 16
        ? [`(${a} ^ ${b} ^ ${c})`, `(${e} ^ ${f} ^ ${g})`]
        : [`(((${a} ^ ${b}) & (${c} ^ ${b})) ^ ${b})`, `(((${f} ^ ${g}) & ${e}) ^ ${g})`];
    lines.push(
      `x := ${shifted(a, 12)};`,
      `t := x +% ${e} +% ${hex(constant(j))};`,
      `t := ${shifted(`(${ready(`t & ${M}`)})`, 7)};`, // SS1
      `${d} := ${ready(plain(`(t ^ x) +% ${d} +% (${word(j)} ^ ${word(j + 4)}) +% ${ff}`))};`, // TT1
      `${h} := ${ready(plain(`t +% ${h} +% ${word(j)} +% ${gg}`))};`, // TT2
      `${h} := ${h} ^ ${left(h, 9)} ^ ${left(h, 17)};`,
      `${b} := ${shifted(b, 9)};`,
      `${f} := ${shifted(f, 19)};`,
      ...(j < 52 ? expand(j) : []),
    );
  }
  return lines;
}

const sm3 = () =>
  ofWords(32, {
    section: 'GB/T 32905-2016 §5.3',
    temporaries: ['t', 'x', ...names('w', 16)],
    rounds: sm3Block,
    combine: '^',
    outputs: [8],
  });

// ---- hash functions with SHA-2's padding ---------------------------------------------------------

/**
 * Returns the kernels of a hash function whose state has eight words and whose block has 16. `rounds`
 * returns the lines of a block over the variables `temporaries`, `combine` is the operator between
 * the states before and after them, and `outputs` has the numbers of Nat32s of the hashes.
 */
function ofWords(bits, { section, temporaries, rounds, combine, outputs }) {
  const { element, ready, plain, halves } = WORDS[bits];
  const bytes = bits / 8;
  const variables = (initial) => [
    ...times(8, (i) => `var s${i} : Nat64 = ${ready(initial(i))}; var v${i} = s${i};`),
    zeros(temporaries),
  ];
  const block = (message) => [
    ...rounds(message),
    ...times(8, (i) => `s${i} := ${ready(plain(`s${i} ${combine} v${i}`))}; v${i} := s${i};`),
  ];
  const store = (array, x, count) => names(x, count).flatMap(halves).map((half, i) => `${array}[${i}] := ${half};`);
  const absorb = (input) => [
    `(state : [var Nat32], data : ${INPUTS[input].type}, start : Nat64, end : Nat64) {`,
    ...variables((i) => element((j) => `state[${j}]`, i)),
    'var i = start;',
    'while (i < end) {',
    ...block((i) => bigEndian(input, bytes)(bytes * i)),
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
  const tail = (input) => [
    `(data : ${INPUTS[input].type}, start : Nat64, end : Nat64, marker : Nat32) : ${tuple(m.length)} {`,
    'let i = start;',
    'let size = end -% start;',
    '(',
    ...m.map((_, j) => {
      const whole = `if (size >= ${4 * j + 4}) w32(${bigEndian(input, 4)(4 * j)})`;
      return `${whole} else if (size < ${4 * j}) 0 else Bytes.last${capital(input)}(data, i +% ${4 * j}, end, marker),`;
    }),
    ')',
    '};',
  ];
  const blockBytes = 16 * bytes;
  const lengthAt = blockBytes - 2 * bytes;
  const finish = (input) => [
    `(before : Nat64, data : ${INPUTS[input].type}, ${words(h)}) : ${tuple(h.length)} {`,
    'let size = n64w(data.size());',
    `let end = size -% (size & ${blockBytes - 1});`,
    h.map((x, i) => `var s${i} = ${x};`).join(' '),
    'if (end > 0) {',
    `let s = [var ${h.join(', ')}];`,
    `${input}(s, data, 0, end);`,
    h.map((_, i) => `s${i} := s[${i}];`).join(' '),
    '};',
    `let (${m.join(', ')}) = tail${capital(input)}(data, end, size, 0x80000000);`,
    'let length = before +% size;',
    `if (size & ${blockBytes - 1} < ${lengthAt}) return compress(${names('s', h.length).join(', ')}, ${m.slice(0, lengthAt / 4).join(', ')}, ${lengthWords});`,
    `let (${h.map((x) => `t${x}`).join(', ')}) = compress(${[...names('s', h.length), ...m].join(', ')});`,
    `compress(${h.map((x) => `t${x}`).join(', ')}, ${times(lengthAt / 4, () => '0').join(', ')}, ${lengthWords})`,
    '};',
  ];
  // HMAC, RFC 2104, with the words in local variables. The outer hash continues from the states
  // after the outer block and absorbs one more block: the first `count` words of the inner hash,
  // and the padding.
  const [s, k] = [names('s', h.length), names('k', m.length)];
  const outer = (states, hash) => {
    const padded = m.map((_, j) => {
      if (j === m.length - 1) return `((count << 5) +% ${8 * blockBytes})`;
      if (j < outputs[0]) return `${hash}${j}`;
      const word = j < outputs.at(-1) ? `if (count > ${j}) ${hash}${j} else ` : '';
      const marker = outputs.includes(j) ? `if (count == ${j}) 0x80000000 else ` : '';
      return word || marker ? `(${word}${marker}0)` : '0';
    });
    return `compress(${states}, ${padded.join(', ')})`;
  };
  const masked = (mask) => k.map((x) => `${x} ^ ${mask}`).join(', ');
  const inKey = (part) => elements(part, h.length);
  const hmac = {
    'tag: the HMAC of `message` with `key`, a block at most, of the hash with the initial state s and `count` words.': [
      `(count : Nat32, key : Blob, message : Blob, ${words(s)}) : Blob {`,
      `let (${k.join(', ')}) = tailBlob(key, 0, n64w(key.size()), 0);`,
      `let (${names('i', h.length).join(', ')}) = compress(${s.join(', ')}, ${masked('0x36363636')});`,
      `let (${names('o', h.length).join(', ')}) = compress(${s.join(', ')}, ${masked('0x5c5c5c5c')});`,
      `let (${h.join(', ')}) = finishBlob(${blockBytes}, message, ${names('i', h.length).join(', ')});`,
      `let (${names('t', h.length).join(', ')}) = ${outer(names('o', h.length).join(', '), 'h')};`,
      `output(count, ${names('t', h.length).join(', ')})`,
      '};',
    ],
    'prepare: the states after the inner and the outer block of `key`, a block at most; s is the initial state.': [
      `(key : Blob, ${words(s)}) : { inner : [Nat32]; outer : [Nat32] } {`,
      `let (${k.join(', ')}) = tailBlob(key, 0, n64w(key.size()), 0);`,
      `let (${names('i', h.length).join(', ')}) = compress(${s.join(', ')}, ${masked('0x36363636')});`,
      `let (${names('o', h.length).join(', ')}) = compress(${s.join(', ')}, ${masked('0x5c5c5c5c')});`,
      `{ inner = [${names('i', h.length).join(', ')}]; outer = [${names('o', h.length).join(', ')}] }`,
      '};',
    ],
    'tagPrepared: the HMAC of `message` with a prepared key.': [
      '(count : Nat32, { inner; outer } : { inner : [Nat32]; outer : [Nat32] }, message : Blob) : Blob {',
      `let (${h.join(', ')}) = finishBlob(${blockBytes}, message, ${inKey('inner')});`,
      `let (${names('t', h.length).join(', ')}) = ${outer(inKey('outer'), 'h')};`,
      `output(count, ${names('t', h.length).join(', ')})`,
      '};',
    ],
    'chain: RFC 8018 §5.2: the exclusive or of `rounds` tags, the first of `message`, each other of the tag before it.': [
      '(count : Nat32, { inner; outer } : { inner : [Nat32]; outer : [Nat32] }, message : Blob, rounds : Nat) : Blob {',
      `let (${s.join(', ')}) = finishBlob(${blockBytes}, message, ${inKey('inner')});`,
      `let (${names('t', h.length).join(', ')}) = ${outer(inKey('outer'), 's')};`,
      ...h.map((_, i) => `var u${i} = t${i}; var x${i} = t${i};`),
      'var left = rounds;',
      'while (left > 1) {',
      'left -= 1;',
      `let (${h.join(', ')}) = ${outer(inKey('inner'), 'u')};`,
      `let (${names('v', h.length).join(', ')}) = ${outer(inKey('outer'), 'h')};`,
      ...h.map((_, i) => `u${i} := v${i}; x${i} ^= v${i};`),
      '};',
      `output(count, ${names('x', h.length).join(', ')})`,
      '};',
    ],
  };
  const lengthWords = [
    ...(bits === 32 ? [] : ['0', 'w32(length >> 61)']),
    `w32((length >> 29) & ${M})`,
    `w32((length << 3) & ${M})`,
  ].join(', ');
  const exploded = (i) => ['a', 'b', 'c', 'd'].map((x) => `${x}${i}`).join(', ');
  return kernels(
    `${section}. The state: 8 words${bits === 32 ? '' : ', each as two halves, the high one first'}.`,
    {
      'compress: the state h and one block m, to the state after it.': [
        `(${words([...h, ...m])}) : ${tuple(h.length)} {`,
        ...variables((i) => element((j) => `h${j}`, i)),
        ...rounds((i) => element((j) => `m${j}`, i)),
        ...times(8, (i) => `s${i} := s${i} ${combine} v${i};`),
        `(${names('s', 8).flatMap(halves).join(', ')})`,
        '};',
      ],
      'words: absorbs one block that lies in words, as the state does.': [
        '(h : [var Nat32], m : [var Nat32]) {',
        `let (${h.map((x) => `s${x}`).join(', ')}) = compress(${elements('h', h.length)}, ${elements('m', m.length)});`,
        ...h.map((x, i) => `h[${i}] := s${x};`),
        '};',
      ],
      ...absorbs(absorb, ` of ${16 * bytes} bytes`),
      ...Object.fromEntries(
        ['blob', 'array', 'varArray'].flatMap((input) => [
          [`tail${capital(input)}: the bytes from \`start\` to \`end\`, a block at most, then the bytes of \`marker\`, and zeros.`, tail(input)],
          [`finish${capital(input)}: the state after \`data\`, padded, when \`before\` bytes, whole blocks, led to the state h.`, finish(input)],
        ]),
      ),
      'output: the first `count` words as bytes.': [
        `(count : Nat32, ${words(h)}) : Blob {`,
        ...h.flatMap((x, i) => {
          const ends = outputs.includes(i) ? [`if (count == ${i}) return bytes([${times(i, exploded).join(', ')}]);`] : [];
          return [...ends, `let (${exploded(i)}) = explode(${x});`];
        }),
        `bytes([${h.map((_, i) => exploded(i)).join(', ')}])`,
        '};',
      ],
      ...hmac,
      [`iter: absorbs all that \`next\` gives; what is not a whole block is left in \`m\`. Gives how much there was.`]: [
        '(state : [var Nat32], next : () -> ?Nat8, m : [var Nat32]) : Nat64 {',
        ...variables((i) => element((j) => `state[${j}]`, i)),
        zeros(names('m', 16)),
        'var blocks : Nat64 = 0;',
        'var count : Nat64 = 0;',
        'label absorbing loop {',
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

/** Returns the first bits of the fractional part of the `degree`th root of n. */
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

// ---- lanes of 64 bits, little-endian: the low half first ----------------------------------------

const lane = (array, i) => `w64(${array}[${2 * i}]) | (w64(${array}[${2 * i + 1}]) << 32)`;
const storeLane = (array, i, x) => [`${array}[${2 * i}] := w32(${x} & ${M});`, `${array}[${2 * i + 1}] := w32(${x} >> 32);`];
const declare = (variables, initial) => variables.map((x, i) => `var ${x} : Nat64 = ${initial(i)};`);
const zeros = (variables) => variables.map((x) => `var ${x} : Nat64 = 0;`).join(' ');

// ---- Keccak-p[1600, 24]: FIPS 202 §3.2 and §3.3 -------------------------------------------------

/** Lane (x, y) is number x + 5y. */
const LANES = names('a', 25);
const RATES = [72, 104, 136, 144, 168];

/** Returns lines for lanes 0 to 20. Each group of lanes runs only if the rate includes it. */
function uptoRate(lines) {
  const bounds = RATES.map((rate) => rate / 8);
  return bounds.flatMap((bound, i) => {
    const group = lines.slice(bounds[i - 1] ?? 0, bound).flat();
    return i === 0 ? group : [`if (rate >= ${RATES[i]}) {`, ...group, '};'];
  });
}

function keccakRounds() {
  const at = (x, y) => (x % 5) + 5 * (y % 5);
  const offsets = [0];
  for (let [x, y, t] = [1, 0, 0]; t < 24; t++, [x, y] = [y, (2 * x + 3 * y) % 5]) offsets[at(x, y)] = (((t + 1) * (t + 2)) / 2) % 64;
  const rotated = (x, by) => (by === 0 ? x : `(${x}) <<> ${by}`);
  return roundConstants().flatMap((constant) => [
    ...times(5, (x) => `c${x} := ${times(5, (y) => LANES[at(x, y)]).join(' ^ ')};`), // θ
    ...times(5, (x) => `d${x} := (c${(x + 1) % 5} <<> 1) ^ c${(x + 4) % 5};`),
    ...times(25, (i) => { // θ, ρ, π
      const [x, y] = [i % 5, Math.floor(i / 5)];
      return `e${at(y, 2 * x + 3 * y)} := ${rotated(`a${i} ^ d${x}`, offsets[i])};`;
    }),
    ...times(25, (i) => { // χ, ι
      const [x, y] = [i % 5, Math.floor(i / 5)];
      const chi = `((^ e${at(x + 1, y)}) & e${at(x + 2, y)}) ^ e${i}`;
      return `a${i} := ${i === 0 ? `${chi} ^ ${hex(constant)}` : chi};`;
    }),
  ]);
}

/** FIPS 202 algorithm 5: a shift register of 8 bits produces seven bits of each constant. */
function roundConstants() {
  let register = 1;
  return times(24, () => {
    let constant = 0n;
    for (let j = 0; j <= 6; j++) {
      if (register & 1) constant |= 1n << BigInt(2 ** j - 1);
      register = register & 0x80 ? ((register << 1) ^ 0x171) & 0xff : register << 1;
    }
    return constant;
  });
}

function keccak() {
  // The elements are read by calls, because reading an element of an array in place takes several
  // variables, and this function already has too many.
  const half = names('s', 50);
  const begin = [
    `let (${half.join(', ')}) = load(state);`,
    ...declare(LANES, (i) => `w64(s${2 * i}) | (w64(s${2 * i + 1}) << 32)`),
    zeros([...names('e', 25), ...names('c', 5), ...names('d', 5)]),
  ];
  const end = [`store(state, ${LANES.flatMap((a) => [`w32(${a} & ${M})`, `w32(${a} >> 32)`]).join(', ')});`];
  const message = names('m', 21);
  const absorb = (input) => [
    `(rate : Nat64, state : [var Nat32], data : ${INPUTS[input].type}, start : Nat64, end : Nat64) {`,
    ...begin,
    'var i = start;',
    'while (i < end) {',
    ...uptoRate(
      times(21, (j) => {
        if (j < 17) return [`a${j} := (${littleEndian(input, 8)(8 * j)}) ^ a${j};`];
        // Only SHA3-224 and SHAKE128 reach these lanes. They use calls, to stay below 1,500
        // variables.
        const call = `Bytes.lane${capital(input)}(data, i +% ${8 * j})`;
        const quarters = times(4, (q) => `q${4 * j + q}`);
        const value = quarters.map((x, q) => shifted(`w64(h32(${x}))`, 16 * q)).join(' | ');
        return [`let (${quarters.join(', ')}) = ${call};`, `a${j} := (${value}) ^ a${j};`];
      }),
    ),
    ...keccakRounds(),
    'i +%= rate;',
    '};',
    ...end,
    '};',
  ];
  return kernels('FIPS 202 §3: Keccak-p[1600, 24] on blocks of `rate` bytes. The state: 25 lanes, each as two halves, the low one first.', {
    'words: absorbs one block that lies in words, as the state does.': [
      '(rate : Nat64, state : [var Nat32], block : [var Nat32]) {',
      ...begin,
      ...uptoRate(times(21, (j) => [`a${j} := (${lane('block', j)}) ^ a${j};`])),
      ...keccakRounds(),
      ...end,
      '};',
    ],
    ...absorbs(absorb, ''),
    'iter: absorbs all that `next` gives; what is not a whole block is left in `block`. Gives how much there was.': [
      '(rate : Nat64, state : [var Nat32], next : () -> ?Nat8, block : [var Nat32]) : Nat64 {',
      ...begin,
      zeros([...message, 'shift', 'absorbed', 'count']),
      'label absorbing loop {',
      // A loop for each lane, not a line for each byte: 168 lines would take more than 1,500
      // variables.
      ...uptoRate(
        message.map((m, j) => [
          `${m} := 0;`,
          'shift := 0;',
          'while (shift < 64) {',
          `switch (next()) { case (?b) { ${m} |= w64(h32(b16(b))) << shift }; case null { count := ${8 * j} +% (shift >> 3); break absorbing } };`,
          'shift +%= 8;',
          '};',
        ]),
      ),
      ...message.map((m, j) => `a${j} := ${m} ^ a${j};`),
      ...keccakRounds(),
      'absorbed +%= rate;',
      '};',
      ...end,
      ...uptoRate(message.map((m, j) => storeLane('block', j, m))),
      'absorbed +% count',
      '};',
    ],
    'load: a state as values.': [
      `(state : [var Nat32]) : (${half.map(() => 'Nat32').join(', ')}) {`,
      `(${half.map((_, i) => `state[${i}]`).join(', ')})`,
      '};',
    ],
    'store: values as the state.': [
      `(state : [var Nat32], ${half.map((x) => `${x} : Nat32`).join(', ')}) {`,
      ...half.map((x, i) => `state[${i}] := ${x};`),
      '};',
    ],
  });
}

// ---- Ascon-p[12]: SP 800-232 §3 -----------------------------------------------------------------

/** §3.4: the two rotations of each word, in bits. */
const ASCON_SIGMA = [[19, 28], [61, 39], [1, 6], [10, 17], [7, 41]];

/**
 * Returns the lines of the twelve rounds in the variables a and e. The order of the lines is that in
 * which the next one begins with the variable of the one before it. The substitution ends with the
 * complement of a2. We leave it out, because the linear layer keeps a complement, and the next
 * round's constant makes up for it.
 */
function asconRounds() {
  const sigma = (i) => `a${i} := e${i} ^ ${ASCON_SIGMA[i].map((by) => `(e${i} <>> ${by})`).join(' ^ ')};`;
  const chi = (i) => `e${i} := ((^ a${(i + 1) % 5}) & a${(i + 2) % 5}) ^ a${i};`;
  const rounds = times(12, (round) => {
    const constant = BigInt(0xf0 - 15 * round); // §3.2, Table 5
    return [
      `a2 := a2 ^ a1 ^ ${hex(round === 0 ? constant : BigInt.asUintN(64, ~constant))};`,
      chi(1),
      'a0 := a0 ^ a4;',
      'a4 := a4 ^ a3;',
      chi(3),
      ...[chi(2), 'e3 := e2 ^ e3;'],
      ...[chi(4), chi(0), 'e1 := e0 ^ e1;'],
      ...[sigma(1), 'e0 := e4 ^ e0;', sigma(0), sigma(4), sigma(3), sigma(2)],
    ];
  });
  return [...rounds.flat(), 'a2 := ^ a2;'];
}

function ascon() {
  const a = names('a', 5);
  const begin = [...declare(a, (i) => lane('state', i)), zeros(names('e', 5))];
  const end = a.flatMap((x, i) => storeLane('state', i, x));
  const absorb = (input) => [
    `(state : [var Nat32], data : ${INPUTS[input].type}, start : Nat64, end : Nat64) {`,
    ...begin,
    'var i = start;',
    'while (i < end) {',
    `a0 := (${littleEndian(input, 8)(0)}) ^ a0;`,
    ...asconRounds(),
    'i +%= 8;',
    '};',
    ...end,
    '};',
  ];
  return kernels('SP 800-232 §3: Ascon-p[12] on blocks of 8 bytes. The state: 5 words, each as two halves, the low one first.', {
    'words: absorbs one block that lies in words, as the state does.': [
      '(state : [var Nat32], block : [var Nat32]) {',
      ...begin,
      `a0 := (${lane('block', 0)}) ^ a0;`,
      ...asconRounds(),
      ...end,
      '};',
    ],
    ...absorbs(absorb, ' of 8 bytes'),
    'iter: absorbs all that `next` gives; what is not a whole block is left in `block`. Gives how much there was.': [
      '(state : [var Nat32], next : () -> ?Nat8, block : [var Nat32]) : Nat64 {',
      ...begin,
      zeros(['m', 'absorbed', 'count']),
      'label absorbing loop {',
      ...fromIterator(8, (j) => ['m', 8 * j]),
      'a0 := m ^ a0;',
      ...asconRounds(),
      'absorbed +%= 8;',
      '};',
      ...end,
      ...storeLane('block', 0, 'm'),
      'absorbed +% count',
      '};',
    ],
    'squeeze: fills `words`, an even number of them, with the output of the state, which stays as it is.': [
      '(state : [var Nat32], words : [var Nat32]) {',
      ...begin,
      'let size = n64w(words.size());',
      'var i : Nat64 = 0;',
      'while (i < size) {',
      'if (i > 0) {',
      ...asconRounds(),
      '};',
      `words[n64(i)] := w32(a0 & ${M});`,
      'words[n64(i +% 1)] := w32(a0 >> 32);',
      'i +%= 2;',
      '};',
      '};',
    ],
  });
}

// ---- BLAKE2b: RFC 7693 §3 -----------------------------------------------------------------------

/** RFC 7693 §2.7. */
const SIGMA = [
  [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15],
  [14, 10, 4, 8, 9, 15, 13, 6, 1, 12, 0, 2, 11, 7, 5, 3],
  [11, 8, 12, 0, 5, 2, 15, 13, 10, 14, 3, 6, 7, 1, 9, 4],
  [7, 9, 3, 1, 13, 12, 11, 14, 2, 6, 5, 10, 4, 0, 15, 8],
  [9, 0, 5, 7, 2, 4, 10, 15, 14, 1, 11, 12, 6, 8, 3, 13],
  [2, 12, 6, 10, 0, 11, 8, 3, 4, 13, 7, 5, 15, 14, 1, 9],
  [12, 5, 1, 15, 14, 13, 4, 10, 0, 7, 6, 3, 9, 2, 8, 11],
  [13, 11, 7, 14, 12, 1, 3, 9, 5, 0, 15, 4, 8, 6, 2, 10],
  [6, 15, 14, 9, 11, 3, 0, 8, 12, 2, 13, 7, 1, 4, 10, 5],
  [10, 2, 8, 4, 7, 6, 1, 5, 15, 11, 9, 14, 3, 12, 13, 0],
];
const COLUMNS_AND_DIAGONALS = [
  [0, 4, 8, 12], [1, 5, 9, 13], [2, 6, 10, 14], [3, 7, 11, 15],
  [0, 5, 10, 15], [1, 6, 11, 12], [2, 7, 8, 13], [3, 4, 9, 14],
];

/**
 * Returns the lines that absorb one block of words m into the state h, with the counter t and the
 * flag f.
 */
function blake2bBlock() {
  const iv = primes(8).map((p) => hex(rootFraction(BigInt(p), 2n, 64)));
  const mix = ([a, b, c, d], x, y) => [
    // The order of the operands: each statement begins with the variable that the one before it
    // assigned.
    `v${a} := v${a} +% v${b} +% m${x};`,
    `v${d} := (v${a} ^ v${d}) <>> 32;`,
    `v${c} := v${d} +% v${c};`,
    `v${b} := (v${c} ^ v${b}) <>> 24;`,
    `v${a} := v${b} +% v${a} +% m${y};`,
    `v${d} := (v${a} ^ v${d}) <>> 16;`,
    `v${c} := v${d} +% v${c};`,
    `v${b} := (v${c} ^ v${b}) <>> 63;`,
  ];
  return [
    't +%= 128;',
    ...times(8, (i) => `v${i} := h${i};`),
    ...times(8, (i) => `v${i + 8} := ${iv[i]}${{ 4: ' ^ t', 6: ' ^ f' }[i] ?? ''};`),
    ...times(12, (round) => COLUMNS_AND_DIAGONALS.flatMap((g, i) => mix(g, SIGMA[round % 10][2 * i], SIGMA[round % 10][2 * i + 1]))).flat(),
    ...times(8, (i) => `h${i} := h${i} ^ v${i} ^ v${i + 8};`),
  ];
}

function blake2b() {
  const [h, v, m] = [names('h', 8), names('v', 16), names('m', 16)];
  const begin = [...declare(h, (i) => lane('state', i)), `var t : Nat64 = ${lane('state', 8)};`, `let f : Nat64 = ${lane('state', 9)};`, zeros([...v, ...m])];
  const end = [...h, 't'].flatMap((x, i) => storeLane('state', i, x));
  const absorb = (input) => [
    `(state : [var Nat32], data : ${INPUTS[input].type}, start : Nat64, end : Nat64) {`,
    ...begin,
    'var i = start;',
    'while (i < end) {',
    ...times(16, (j) => `m${j} := ${littleEndian(input, 8)(8 * j)};`),
    ...blake2bBlock(),
    'i +%= 128;',
    '};',
    ...end,
    '};',
  ];
  const title = 'RFC 7693 §3.2. The state: 8 words, the number of bytes before the block, and the flag of the last one, each as two halves, the low one first.';
  return kernels(title, {
    'words: absorbs one block that lies in words, as the state does.': [
      '(state : [var Nat32], block : [var Nat32]) {',
      ...begin,
      ...times(16, (j) => `m${j} := ${lane('block', j)};`),
      ...blake2bBlock(),
      ...end,
      '};',
    ],
    ...absorbs(absorb, ' of 128 bytes'),
    ...keepsLast(128, 8, begin, blake2bBlock(), [...end, ...m.flatMap((x, j) => storeLane('block', j, x))]),
  });
}

// ---- BLAKE3: the BLAKE3 paper §2 ----------------------------------------------------------------

/** §2.2, Table 2. */
const PERMUTATION = [2, 6, 3, 10, 7, 0, 4, 13, 1, 11, 12, 5, 9, 14, 15, 8];
/** The words of the message in the order in which each of the 7 rounds reads them. */
const SCHEDULE = times(6, () => PERMUTATION).reduce((all, p) => [...all, p.map((i) => all.at(-1)[i])], [times(16, (i) => i)]);
/** The places in the state, in words. */
const [COUNTER, BLOCKS, FLAGS, KEY, STACK] = [8, 10, 11, 12, 20];

/**
 * Returns the lines of the compression function: the variables v from the chaining value h, the
 * words m and the last four words of the input. Above the low 32 bits of a word there may be others.
 */
function blake3Rounds(last) {
  const iv = primes(4).map((p) => hex(rootFraction(BigInt(p), 2n, 32)));
  const rotated = (x, y, by) => `(((v${x} ^ v${y}) & ${M}) *% ${D}) >> ${by}`;
  const mix = ([a, b, c, d], x, y) => [
    `v${a} := v${a} +% v${b} +% m${x};`,
    `v${d} := ${rotated(a, d, 16)};`,
    `v${c} := v${d} +% v${c};`,
    `v${b} := ${rotated(c, b, 12)};`,
    `v${a} := v${b} +% v${a} +% m${y};`,
    `v${d} := ${rotated(a, d, 8)};`,
    `v${c} := v${d} +% v${c};`,
    `v${b} := ${rotated(c, b, 7)};`,
  ];
  return [
    ...times(8, (i) => `v${i} := h${i};`),
    ...times(4, (i) => `v${i + 8} := ${iv[i]};`),
    ...last.map((x, i) => `v${i + 12} := ${x};`),
    ...SCHEDULE.flatMap((words) => COLUMNS_AND_DIAGONALS.flatMap((g, i) => mix(g, words[2 * i], words[2 * i + 1]))),
  ];
}

function blake3() {
  const [h, v, m] = [names('h', 8), names('v', 16), names('m', 16)];
  const word = (array, i) => `w64(${array}[${i}])`;
  const load = [...h.map((x, i) => `${x} := ${word('state', i)};`), `t0 := ${word('state', COUNTER)};`, `t1 := ${word('state', COUNTER + 1)};`];
  const store = h.map((x, i) => `state[${i}] := w32(${x} & ${M});`);
  const begin = [
    zeros([...h, 't0', 't1', ...v, ...m]),
    ...load,
    `var n : Nat64 = ${word('state', BLOCKS)};`,
    `let mode : Nat64 = ${word('state', FLAGS)};`,
  ];
  const end = [...store, `state[${BLOCKS}] := w32(n);`];
  // CHUNK_START is 1, CHUNK_END 2.
  const block = [
    ...blake3Rounds(['t0', 't1', '64', 'mode | (if (n == 0) 1 else if (n == 15) 2 else 0)']),
    ...times(8, (i) => `h${i} := v${i} ^ v${i + 8};`),
    'n +%= 1;',
    'if (n == 16) {',
    ...store,
    'endChunk(state);',
    ...load,
    'n := 0;',
    '};',
  ];
  const absorb = (input) => [
    `(state : [var Nat32], data : ${INPUTS[input].type}, start : Nat64, end : Nat64) {`,
    ...begin,
    'var i = start;',
    'while (i < end) {',
    ...times(16, (j) => `m${j} := ${littleEndian(input, 4)(4 * j)};`),
    ...block,
    'i +%= 64;',
    '};',
    ...end,
    '};',
  ];
  const title = [
    'The BLAKE3 paper §2. The state, in words: the chaining value of the chunk (8); the number of chunks before it (2, the low half first);',
    'the number of its blocks so far; the flags of all nodes; the key (8); the chaining values of the complete subtrees, the largest first (54 times 8), and room for one more.',
  ].join(' ');
  return kernels(title, {
    'words: absorbs one block, not the last of the message, that lies in words.': [
      '(state : [var Nat32], block : [var Nat32]) {',
      ...begin,
      ...times(16, (j) => `m${j} := ${word('block', j)};`),
      ...block,
      ...end,
      '};',
    ],
    'node: computes a node: the chaining value in `from` from word `at` on, the block in `block` from word `blockAt` on. Writes the first 8 words of the result to `out` from word `outAt` on, and the others after them if `isOutput`.': [
      '(from : [var Nat32], at : Nat64, block : [var Nat32], blockAt : Nat64, t : Nat64, length : Nat32, flags : Nat32, out : [var Nat32], outAt : Nat64, isOutput : Bool) {',
      ...h.map((x, i) => `let ${x} : Nat64 = w64(from[n64(at +% ${i})]);`),
      ...m.map((x, i) => `let ${x} : Nat64 = w64(block[n64(blockAt +% ${i})]);`),
      zeros(v),
      ...blake3Rounds([`t & ${M}`, 't >> 32', 'w64(length)', 'w64(flags)']),
      ...h.map((_, i) => `out[n64(outAt +% ${i})] := w32((v${i} ^ v${i + 8}) & ${M});`),
      'if (isOutput) {',
      ...h.map((x, i) => `out[n64(outAt +% ${i + 8})] := w32((v${i + 8} ^ ${x}) & ${M});`),
      '};',
      '};',
    ],
    'endChunk: adds the chunk, whose chaining value the state begins with, to the subtrees, and begins the next one. Two subtrees of one size are replaced by their parent, which is not the root, because a byte follows.': [
      '(state : [var Nat32]) {',
      `let chunks = (${lane('state', COUNTER / 2)}) +% 1;`,
      `var at : Nat64 = ${STACK};`,
      'var others = chunks -% 1;',
      'while (others != 0) {',
      'others &= others -% 1;',
      'at +%= 8;',
      '};',
      ...h.map((_, i) => `state[n64(at +% ${i})] := state[${i}];`),
      'var left = chunks;',
      'while (left & 1 == 0) {',
      'at -%= 8;',
      // PARENT is 4.
      `node(state, ${KEY}, state, at, 0, 64, state[${FLAGS}] | 4, state, at, false);`,
      'left >>= 1;',
      '};',
      ...h.map((_, i) => `state[${i}] := state[${KEY + i}];`),
      ...storeLane('state', COUNTER / 2, 'chunks'),
      `state[${BLOCKS}] := 0;`,
      '};',
    ],
    ...absorbs(absorb, ' of 64 bytes'),
    ...keepsLast(64, 4, begin, block, [...end, ...m.map((x, j) => `block[${j}] := w32(${x});`)]),
  });
}

// ---- bytes, in buffers of words -----------------------------------------------------------------

/** The functions that differ only in the type of the input. */
const perInput = (input) => {
  const { type, at: byte } = INPUTS[input];
  const name = capital(input);
  const at = (k) => `w64(h32(b16(${byte(k)})))`;
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
    ...(['blob', 'array', 'varArray'].includes(input) && { [`last${name}: the last bytes of \`data\`, from \`start\` on, fewer than four, then \`marker\` and zeros: big-endian.`]: [
      `(data : ${type}, start : Nat64, end : Nat64, marker : Nat32) : Nat32 {`,
      'var word = w64(marker);',
      'var i = end;',
      'while (i > start) {',
      'i -%= 1;',
      `word := (word >> 8) | (${at(0)} << 24);`,
      '};',
      'w32(word)',
      '};',
    ] }),
    [`lane${name}: eight bytes from \`at\` on as a little-endian word: its quarters, the low one first. They are never boxed.`]: [
      `(data : ${type}, ${input === 'reader' ? '_' : 'at'} : Nat64) : (Nat16, Nat16, Nat16, Nat16) {`,
      // A parameter is boxed and would be unboxed at every use, so it is copied to a variable.
      ...(input === 'reader' ? [] : ['let i = at;']),
      `(${times(4, (q) => quarter(input, 2 * q)).join(', ')})`,
      '};',
    ],
  };
};

const explodedLittle = (i) => ['p', 'q', 'r', 's'].map((x) => `${x}${i}`).join(', ');

const bytes = () =>
  kernels(
    'Bytes in buffers of words, four in each. Its first lies at bit `first`: 24 is big-endian, 0 little-endian.',
    {
      ...Object.assign({}, ...Object.keys(INPUTS).map(perInput)),
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
        'let size = n64w(buffer.size());',
        'var i = (at >> 2) +% 1;',
        'while (i < size) {',
        'buffer[n64(i)] := 0;',
        'i +%= 1;',
        '};',
        '};',
      ],
      'little: the first words, 7, 8, 12 or 16 of them, as little-endian bytes.': [
        '(words : [var Nat32], count : Nat) : Blob {',
        ...times(16, (i) => {
          const ends = [7, 8, 12].includes(i) ? [`if (count == ${i}) return bytes([${times(i, explodedLittle).join(', ')}]);`] : [];
          return [...ends, `let (s${i}, r${i}, q${i}, p${i}) = explode(words[${i}]);`];
        }).flat(),
        `bytes([${times(16, explodedLittle).join(', ')}])`,
        '};',
      ],
    },
  );

// ---- the files ----------------------------------------------------------------------------------

const HEADER = (name) => [
  '// Written by generate.mjs; do not edit.',
  '',
  'import { nat8ToNat16 = b16; nat16ToNat32 = h32; nat32ToNat64 = w64; nat64ToNat = n64 } "mo:prim";',
  'import { nat64ToNat32 = w32; nat32ToNat16 = w16; nat16ToNat8 = b8; natToNat64 = n64w } "mo:prim";',
  'import { explodeNat32 = explode; arrayToBlob = bytes } "mo:prim";',
  ...(name === 'Bytes.mo' ? [] : ['import Bytes "Bytes";']),
  '',
];

/**
 * Returns the lines of a module with the given title. `functions` maps `'name: what it does'` to
 * the lines of each function.
 */
function kernels(title, functions) {
  const one = ([heading, [signature, ...lines]]) => {
    const [name, what] = heading.split(/: (.*)/);
    return [`/// ${what[0].toUpperCase()}${what.slice(1)}`, `public func ${name}${signature}`, ...indented(lines)];
  };
  const body = Object.entries(functions).map((f) => one(f).map((line) => `  ${line}`).join('\n'));
  return [`/// ${title}`, 'module {', body.join('\n\n'), '}'];
}

/** Returns the lines, each indented by the number of braces that are open before it. */
function indented(lines) {
  let depth = 1;
  return lines.map((line) => {
    const opened = line.split('{').length - line.split('}').length;
    const at = line.startsWith('}') ? depth - 1 : depth;
    depth += opened;
    return '  '.repeat(at) + line;
  });
}

/** The files, each with the function that returns its lines. */
export const FILES = {
  'Sha256.mo': () => sha2(32),
  'Sha512.mo': () => sha2(64),
  'Sm3.mo': () => sm3(),
  'Keccak.mo': keccak,
  'Ascon.mo': ascon,
  'Blake2b.mo': blake2b,
  'Blake3.mo': blake3,
  'Bytes.mo': bytes,
};

export const text = (name) => [...HEADER(name), ...FILES[name](), ''].join('\n');

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  for (const name of Object.keys(FILES)) writeFileSync(new URL(name, import.meta.url), text(name));
}
