// The table of what everything costs, from what bench/Instructions.mo printed.

/**
 * What may not be exceeded, in instructions; in the compiler's default mode. Of SHA-512's `iter`, 19,840 are the
 * iterator's own; of HMAC's `whole`, 23,300 are four times SHA-256's rounds, and 4,000 are loading 64 bytes.
 */
export const LIMITS = {
  'SHA-256': { empty: 10_700, blob: 9_700, array: 9_700, iter: 17_000 },
  'SHA-512': { blob: 14_300, array: 14_300, iter: 27_500 },
  'SHA3-256': { blob: 19_200, array: 19_200 },
  'Keccak-256': { blob: 19_200, array: 19_200 },
  BLAKE2b: { blob: 12_000, array: 12_000 },
  'HMAC-SHA-256': { whole: 31_200, prepared: 25_000 },
};

/** How many blocks bench/Instructions.mo's messages have. */
const [FEW, MANY] = [10, 210];
/** Garbage may depend on the values of a state and a block: in 32 bits, numbers above 2^30 are boxed. */
const VALUES = 500;

const BLOCK = { 'SHA-256': 64, 'SHA-512': 128, 'SHA3-256': 136, 'Keccak-256': 136, SHAKE128: 168, BLAKE2b: 128 };

/** `name|input|bytes` to instructions and garbage, the cost of measuring subtracted. */
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

/** The table's lines, and which limits are exceeded. */
export function table(found, limits) {
  const over = [];
  const cell = (name, key, value) => {
    const limit = limits[name]?.[key];
    if (limit !== undefined && value > limit) over.push(`${name}, ${key}: ${value} instructions, more than ${limit}`);
    return Math.round(value).toLocaleString('en').padStart(9) + (limit !== undefined && value > limit ? '!' : ' ');
  };
  const lines = ['               empty      32 B     block     block     block   drained    garbage of a call'];
  lines.push('                Blob      Blob      Blob    [Nat8]      Iter      Iter    Blob [Nat8]  Iter');
  for (const [name, block] of Object.entries(BLOCK)) {
    const at = (input, bytes) => found.get(`${name}|${input}|${bytes}`);
    if (!at('Blob', 0)) continue;
    const perBlock = (input) => (at(input, MANY * block).instructions - at(input, FEW * block).instructions) / (MANY - FEW);
    const garbage = ['Blob', '[Nat8]', 'Iter'].map((input) => {
      const drained = (bytes) => (input === 'Iter' ? at('drained', bytes).garbage : 0);
      const [few, many] = [FEW, MANY].map((blocks) => at(input, blocks * block).garbage - drained(blocks * block));
      if (many - few > VALUES) over.push(`${name}, ${input}: garbage grows with the message: ${few} bytes, then ${many}`);
      return String(many).padStart(6);
    });
    lines.push(
      name.padEnd(11) +
        cell(name, 'empty', at('Blob', 0).instructions) +
        cell(name, 'short', at('Blob', 32).instructions) +
        cell(name, 'blob', perBlock('Blob')) +
        cell(name, 'array', perBlock('[Nat8]')) +
        cell(name, 'iter', perBlock('Iter')) +
        cell(name, 'drained', perBlock('drained')) +
        `  ${garbage.join(' ')}`,
    );
  }
  lines.push('', '                   32 B      32 B');
  lines.push('                         prepared   garbage');
  for (const name of ['HMAC-SHA-256', 'HMAC-SHA-512', 'HMAC-SHA3-256', 'HMAC-BLAKE2b']) {
    const [whole, prepared] = ['key and message', 'prepared key'].map((input) => found.get(`${name}|${input}|32`));
    if (!whole) continue;
    lines.push(
      name.padEnd(14) +
        cell(name, 'whole', whole.instructions) +
        cell(name, 'prepared', prepared.instructions) +
        String(whole.garbage).padStart(7) + String(prepared.garbage).padStart(7),
    );
  }
  return { lines, over };
}
