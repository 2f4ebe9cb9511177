// Makes the tables of instruction counts from the output of bench/Instructions.mo.

/**
 * Limits in instructions, for the compiler's default mode. Some parts of these counts cannot be
 * reduced. Of SHA-512's `iter`, the iterator itself takes 19,840. Of SHA-256's `reader`, the reader
 * itself takes all that exceeds `zeroReader`. Of `whole` of HMAC-SHA-256, four times SHA-256's
 * rounds take 23,300, and loading 64 bytes takes 4,000.
 */
export const LIMITS = {
  'SHA-256': { empty: 10_700, blob: 9_700, array: 9_700, varArray: 9_680, accessor: 11_600, reader: 18_900, iter: 17_000, zeroAccessor: 8_900, zeroReader: 7_900 },
  'SHA-512': { blob: 14_300, array: 14_300, varArray: 14_130, accessor: 17_800, reader: 32_400, iter: 27_500, zeroAccessor: 12_500, zeroReader: 10_600 },
  SM3: { empty: 9_400, blob: 10_200, array: 10_100, varArray: 10_100, accessor: 12_000, reader: 19_400, iter: 16_800, zeroAccessor: 9_300, zeroReader: 8_350 },
  'SHA3-256': { blob: 19_200, array: 19_200, varArray: 19_200, accessor: 23_200, reader: 38_600, iter: 35_200, zeroAccessor: 17_400, zeroReader: 15_500 },
  'Keccak-256': { blob: 19_200, array: 19_200, varArray: 19_200, accessor: 23_200, reader: 38_600, iter: 35_200, zeroAccessor: 17_400, zeroReader: 15_500 },
  'Ascon-Hash256': { empty: 14_700, blob: 1_880, array: 1_880, varArray: 1_880, accessor: 2_090, reader: 3_000, iter: 2_680, zeroAccessor: 1_760, zeroReader: 1_640 },
  BLAKE2b: { blob: 12_000, array: 12_000, varArray: 11_780, accessor: 15_500, reader: 30_100, iter: 25_200, zeroAccessor: 10_100, zeroReader: 8_300 },
  BLAKE3: { blob: 7_850, array: 7_850, varArray: 7_750, accessor: 9_600, reader: 17_000, iter: 14_500, zeroAccessor: 6_900, zeroReader: 6_000 },
  'HMAC-SHA-256': { whole: 31_200, prepared: 18_000, iteration: 12_900 },
  'HMAC-SHA-512': { whole: 37_500, prepared: 22_500, iteration: 15_300 },
  'HMAC-SM3': { whole: 33_700, prepared: 18_950, iteration: 13_650 },
  'HMAC-SHA3-256': { whole: 132_000, prepared: 69_000 },
  'HMAC-BLAKE2b': { whole: 92_000, prepared: 56_500 },
  'Merkle tree': { put: 23_000, hash: 470_000, encode: 270_000 },
};

/** The kinds of input, each with its name in the benchmark, in the limits and in the tables. */
const INPUTS = [
  ['Blob', 'blob', 'Blob'],
  ['[Nat8]', 'array', '`[Nat8]`'],
  ['[var Nat8]', 'varArray', '`[var Nat8]`'],
  ['accessor', 'accessor', 'accessor'],
  ['reader', 'reader', 'reader'],
  ['Iter', 'iter', 'Iter'],
];

/**
 * Measurements of the kernels without the cost of the input, and of the iterator without a kernel.
 */
const ALONE = [
  ['constant accessor', 'zeroAccessor', 'accessor of zeros'],
  ['constant reader', 'zeroReader', 'reader of zeros'],
  ['drained', 'drained', 'the iterator alone'],
];

/** The lengths of the messages in bench/Instructions.mo, in blocks. */
const [FEW, MANY] = [10, 210];
/**
 * The amount by which garbage may depend on the values of a state and a block, in bytes: in the
 * 32-bit mode, numbers above 2^30 are boxed.
 */
const VALUES = 500;

/**
 * Bytes of garbage that a block of the message may make beyond that. BLAKE3 stores its state after
 * each chunk of 16 blocks, so that more values are boxed in the 32-bit mode.
 */
const GROWTH = { BLAKE3: 2 };

const BLOCK = { 'SHA-256': 64, 'SHA-512': 128, SM3: 64, 'SHA3-256': 136, 'Keccak-256': 136, SHAKE128: 168, 'Ascon-Hash256': 8, BLAKE2b: 128, BLAKE3: 64 };
const HMAC = ['HMAC-SHA-256', 'HMAC-SHA-512', 'HMAC-SM3', 'HMAC-SHA3-256', 'HMAC-BLAKE2b'];

/**
 * The instruction counts of the package `sha2`, measured in the same way, for the empty message and
 * for one block. Each is the lower count of version 0.1.10 and of 1.0.0 in its repository. The
 * comparison in README.md is checked against them.
 */
const SHA2 = {
  'SHA-256': { empty: 24_496, blob: 19_757, array: 19_629, varArray: 19_631, accessor: 21_421, reader: 27_091, iter: 27_671 },
  'SHA-512': { empty: 26_170, blob: 18_956, array: 18_700, varArray: 18_700, accessor: 22_284, reader: 33_586, iter: 34_853 },
};
/**
 * The claims in README.md: algorithm, input, and the factor by which `sha2` takes more
 * instructions.
 */
const CLAIMS = [
  ['SHA-256', 'blob', 2],
  ['SHA-256', 'array', 2],
  ['SHA-256', 'varArray', 2],
  ['SHA-512', 'blob', 1.35],
  ['SHA-512', 'array', 1.35],
  ['SHA-512', 'varArray', 1.35],
];

/**
 * Returns a map from `name|input|bytes` to the instructions and the garbage of each measurement,
 * minus the cost of measuring.
 */
export function measurements(lines) {
  const found = new Map();
  for (let i = 0; i + 2 < lines.length; i++) {
    const [[heading], [open, start], [close, end]] = lines.slice(i, i + 3);
    if (open !== '[' || close !== ']') continue;
    const [name, input, bytes, garbage] = heading.split('|');
    found.set(`${name}|${input}|${bytes.replaceAll('_', '')}`, {
      instructions: Number(end - start),
      garbage: Number(garbage.replaceAll('_', '')),
    });
  }
  const nothing = found.get('nothing||0');
  for (const m of found.values()) {
    if (m === nothing) continue;
    m.instructions -= nothing.instructions;
    m.garbage -= nothing.garbage;
  }
  return found;
}

const number = (value) => Math.round(value).toLocaleString('en');
const row = (cells) => `| ${cells.join(' | ')} |`;
const heading = (cells) => [row(cells), `|${'---|'.repeat(cells.length)}`];

/** Returns the lines of the tables and the limits that are exceeded. */
export function table(found, limits) {
  const over = [];
  const check = (name, key, value) => {
    const limit = limits[name]?.[key];
    if (limit !== undefined && value > limit) over.push(`${name}, ${key}: ${value} instructions, more than ${limit}`);
    return number(value);
  };
  const blocks = heading(['a block', 'bytes', ...INPUTS.map(([, , title]) => title)]);
  const alone = heading(['a block', ...ALONE.map(([, , title]) => title)]);
  const calls = heading(['a call', 'empty', '32 bytes', ...INPUTS.map(([, , title]) => `garbage, ${title}`)]);
  const against = heading(['times fewer than `sha2`', 'empty', ...INPUTS.map(([, , title]) => title)]);
  for (const [name, block] of Object.entries(BLOCK)) {
    const at = (input, bytes) => found.get(`${name}|${input}|${bytes}`);
    const perBlock = (input) => (at(input, MANY * block).instructions - at(input, FEW * block).instructions) / (MANY - FEW);
    const cells = (inputs) => inputs.map(([input, key]) => check(name, key, perBlock(input)));
    const garbage = INPUTS.map(([input]) => {
      const drained = (bytes) => (input === 'Iter' ? at('drained', bytes).garbage : 0);
      const [few, many] = [FEW, MANY].map((count) => at(input, count * block).garbage - drained(count * block));
      if (many - few > VALUES + (GROWTH[name] ?? 0) * (MANY - FEW)) over.push(`${name}, ${input}: garbage grows with the message: ${few} bytes, then ${many}`);
      return number(many);
    });
    const empty = at('Blob', 0).instructions;
    blocks.push(row([name, block, ...cells(INPUTS)]));
    alone.push(row([name, ...cells(ALONE)]));
    calls.push(row([name, check(name, 'empty', empty), number(at('Blob', 32).instructions), ...garbage]));
    if (limits[name] && perBlock('[var Nat8]') > 1.03 * perBlock('[Nat8]')) over.push(`${name}: [var Nat8] costs over 3 % more than [Nat8]`);
    if (limits[name] && SHA2[name]) {
      const times = (key, value) => SHA2[name][key] / value;
      against.push(row([name, times('empty', empty).toFixed(2), ...INPUTS.map(([input, key]) => times(key, perBlock(input)).toFixed(2))]));
      for (const [input, key] of INPUTS) {
        const [, , claim] = CLAIMS.find(([algorithm, claimed]) => algorithm === name && claimed === key) ?? [, , 1];
        if (times(key, perBlock(input)) < claim) over.push(`${name} of ${input}: not ${claim} times fewer instructions than sha2`);
      }
    }
  }

  const macs = heading(['32 bytes', 'HMAC', 'with a prepared key', 'HKDF', 'an iteration of PBKDF2']);
  for (const name of HMAC) {
    const at = (input, bytes) => found.get(`${name}|${input}|${bytes}`).instructions;
    macs.push(
      row([
        name,
        check(name, 'whole', at('key and message', 32)),
        check(name, 'prepared', at('prepared key', 32)),
        number(at('HKDF', 32)),
        check(name, 'iteration', (at('PBKDF2', 101) - at('PBKDF2', 1)) / 100),
      ]),
    );
  }
  const tree = (input) => found.get(`Merkle tree|${input}|1000`).instructions;
  const trees = [
    ...heading(['a Merkle tree of 1,000 values', '`put`', '`put` and `hash`', '`witness`', '`witness` and `encode`']),
    row([
      'one of its values',
      check('Merkle tree', 'put', tree('put')),
      check('Merkle tree', 'hash', tree('put and hash')),
      number(tree('witness')),
      check('Merkle tree', 'encode', tree('encoded witness')),
    ]),
  ];
  const tables = { blocks, alone, calls, ...(Object.keys(limits).length > 0 && { against }), macs, trees };
  return { tables, over };
}
