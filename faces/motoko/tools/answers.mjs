// Writes test/Answers.mo, which contains the project's known answers from vectors/*.json at the
// root, for the Motoko tests: run `node tools/answers.mjs`. `npm test` checks that the file is what
// this program writes.

import { createHash, getHashes, hkdfSync, pbkdf2Sync } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const FILES = ['ascon', 'fips-180-4', 'fips-202', 'rfc-7693', 'blake2', 'blake3', 'sm3', 'rfc-2104'];
/** The parameters of BLAKE2b that this package supports. The others are for tree hashing. */
const BLAKE2B = ['output_len', 'key', 'salt', 'personal'];

const read = (name) => JSON.parse(readFileSync(new URL(`../../../vectors/${name}.json`, import.meta.url), 'utf8'));

function answers() {
  return FILES.flatMap((name) => {
    const { published, computed } = read(name);
    return [...published, ...computed];
  }).filter(
    ({ algorithm, message, params = {} }) =>
      message.bits === undefined && // this package hashes whole bytes
      IS_HERE.test(algorithm) &&
      Object.keys(params).every((key) => BLAKE2B.includes(key)),
  );
}

const IS_HERE = /^(HMAC-)?(SHA-(224|256|384|512|512\/224|512\/256)|SM3|SHA3-\d+|SHAKE(128|256)|BLAKE2b|BLAKE3|Ascon-C?XOF128|Ascon-Hash256)$/;

/**
 * Returns bytes in Motoko: hexadecimal digits, repeated, or the length of a pattern (byte i is i
 * mod 251).
 */
function bytes(value) {
  if (value === undefined) return '#hex("", 1)';
  return value.ptn === undefined ? `#hex("${value.hex}", ${value.repeat ?? 1})` : `#ptn(${value.ptn})`;
}

function row({ algorithm, message, key, context, customization, output, skip = 0, params = {} }) {
  const length = params.output_len ?? (algorithm === 'BLAKE2b' ? 64 : 0);
  const rest = [key ?? params.key, params.salt ?? context, params.personal ?? customization].map(bytes).join(', ');
  return `    ("${algorithm}", ${bytes(message)}, "${output}", ${skip}, ${length}, ${rest}),`;
}

/**
 * The algorithms of the answers that OpenSSL has, with their names there: `sha512-256`, `blake2b512`.
 * Each is checked by the SHA-256 of its hashes of the pattern's first 0, 1, … 300 bytes.
 */
const CHAINED = Object.fromEntries(
  answers().flatMap(({ algorithm }) => {
    const lower = algorithm.toLowerCase().replace('sha-', 'sha').replace('/', '-');
    const name = getHashes().find((known) => known === lower || known === `${lower}512`);
    return name ? [[algorithm, name]] : [];
  }),
);
/** The length of SHAKE's output in the tests, in bytes. */
const XOF = { SHAKE128: 200, SHAKE256: 200 };

const openssl = (name) => (message) =>
  createHash(CHAINED[name], XOF[name] ? { outputLength: XOF[name] } : {}).update(message).digest();

function chain(hash) {
  const all = createHash('sha256');
  for (let length = 0; length <= 300; length++) all.update(hash(Uint8Array.from({ length }, (_, i) => i % 251)));
  return all.digest('hex');
}

/**
 * Computes Keccak[512] with 32 bytes of output, as FIPS 202 §3 describes it. OpenSSL has it only
 * with SHA-3's suffix. `chains` throws if the results with that suffix differ.
 */
function keccak256(message, suffix = 0x01) {
  const [rate, lanes] = [136, Array(25).fill(0n)];
  const padded = new Uint8Array((Math.floor(message.length / rate) + 1) * rate);
  padded.set(message);
  padded[message.length] = suffix;
  padded[padded.length - 1] |= 0x80;
  for (let at = 0; at < padded.length; at++) {
    lanes[Math.floor((at % rate) / 8)] ^= BigInt(padded[at]) << BigInt(8 * (at % 8));
    if ((at + 1) % rate === 0) permute(lanes);
  }
  return Buffer.from(Uint8Array.from({ length: 32 }, (_, i) => Number((lanes[Math.floor(i / 8)] >> BigInt(8 * (i % 8))) & 0xffn)));
}

function permute(a) {
  const rotate = (x, by) => BigInt.asUintN(64, (x << BigInt(by)) | (x >> BigInt(64 - by)));
  let register = 1;
  for (let round = 0; round < 24; round++) {
    const parity = [0, 1, 2, 3, 4].map((x) => a[x] ^ a[x + 5] ^ a[x + 10] ^ a[x + 15] ^ a[x + 20]);
    for (let i = 0; i < 25; i++) a[i] ^= parity[(i + 4) % 5] ^ rotate(parity[(i + 1) % 5], 1); // θ
    const b = Array(25);
    b[0] = a[0];
    for (let [t, x, y] = [0, 1, 0]; t < 24; t++, [x, y] = [y, (2 * x + 3 * y) % 5]) {
      b[y + 5 * ((2 * x + 3 * y) % 5)] = rotate(a[x + 5 * y], (((t + 1) * (t + 2)) / 2) % 64); // ρ, π
    }
    for (let i = 0; i < 25; i++) {
      const row = i - (i % 5);
      a[i] = b[i] ^ (BigInt.asUintN(64, ~b[row + ((i + 1) % 5)]) & b[row + ((i + 2) % 5)]); // χ
    }
    for (let j = 0; j < 7; j++) { // ι
      if (register & 1) a[0] ^= 1n << BigInt(2 ** j - 1);
      register = register & 0x80 ? ((register << 1) ^ 0x171) & 0xff : register << 1;
    }
  }
}

function chains() {
  const sha3 = chain((message) => keccak256(message, 0x06));
  if (sha3 !== chain(openssl('SHA3-256'))) throw new Error('Keccak here and SHA3-256 of OpenSSL differ');
  return [...Object.keys(CHAINED).map((name) => [name, chain(openssl(name))]), ['Keccak-256', chain(keccak256)]];
}

const hexOf = (bytes) => Buffer.from(bytes).toString('hex');
/** Returns the bytes from `first` to `last`, in hexadecimal. */
const span = (first, last) => hexOf(Uint8Array.from({ length: last - first + 1 }, (_, i) => first + i));

/**
 * Answers of HKDF: RFC 5869 appendix A.1 to A.3, then computed ones of edge lengths for every hash
 * function.
 */
function hkdf() {
  const published = [
    { secret: '0b'.repeat(22), salt: span(0, 12), info: span(0xf0, 0xf9), output: '3cb25f25faacd57a90434f64d0362f2a2d2d0a90cf1a5a4c5db02d56ecc4c5bf34007208d5b887185865' },
    { secret: span(0, 0x4f), salt: span(0x60, 0xaf), info: span(0xb0, 0xff), output: 'b11e398dc80327a1c8e7f78c596a49344f012eda2d4efad8a050cc4c19afa97c59045a99cac7827271cb41c65e590e09da3275600c2f09b8367793a9aca3db71cc30c58179ec3e87c14c01d5c1f3434f1d87' },
    { secret: '0b'.repeat(22), salt: '', info: '', output: '8da4e775a563c18f715f802a063c5a31b8a11f5c5ee1879ec3454e5f3c738d2d9d201395faa4b61a96c8' },
  ];
  const compute = (name, { secret, salt, info }, size) =>
    hexOf(hkdfSync(CHAINED[name], ...[secret, salt, info].map((x) => Buffer.from(x, 'hex')), size));
  for (const answer of published) {
    if (compute('SHA-256', answer, answer.output.length / 2) !== answer.output) throw new Error('HKDF: OpenSSL and RFC 5869 differ');
  }
  const computed = MACS.flatMap((name) =>
    [1, 64, 65, 200].map((size) => {
      const answer = { secret: span(0, size), salt: span(3, 2 * size % 150 + 3), info: span(5, size % 77 + 5) };
      return [name, { ...answer, output: compute(name, answer, size) }];
    }),
  );
  return [...published.map((answer) => ['SHA-256', answer]), ...computed];
}

/**
 * Answers of PBKDF2: the first of RFC 7914 §11 (the second has 80,000 iterations), then computed
 * ones for every hash function.
 */
function pbkdf2() {
  const text = (x) => hexOf(Buffer.from(x));
  const published = { password: text('passwd'), salt: text('salt'), iterations: 1, output: '55ac046e56e3089fec1691c22544b605f94185216dde0465e68b9d57c20dacbc49ca9cccf179b645991664b39d77ef317c71b845b1e30bd509112041d3a19783' };
  const compute = (name, { password, salt, iterations }, size) =>
    hexOf(pbkdf2Sync(Buffer.from(password, 'hex'), Buffer.from(salt, 'hex'), iterations, size, CHAINED[name]));
  if (compute('SHA-256', published, 64) !== published.output) throw new Error('PBKDF2: OpenSSL and RFC 7914 differ');
  const computed = MACS.flatMap((name) =>
    [[8, 2, 64], [150, 5, 20], [0, 3, 130]].map(([length, iterations, size]) => {
      const answer = { password: text('p'.repeat(length)), salt: text(`${name}, ${length}`), iterations };
      return [name, { ...answer, output: compute(name, answer, size) }];
    }),
  );
  // BIP-39: the mnemonic's seed.
  const words = 'abandon '.repeat(11) + 'about';
  const seed = { password: text(words), salt: text('mnemonicTREZOR'), iterations: 2048, output: 'c55257c360c07c72029aebc1b53c05ed0362ada38ead3e3e9efa3708e53495531f09a6987599d18264c1e1c92f2cf141630c7a3c4ab7c81b2f001698e7463b04' };
  if (compute('SHA-512', seed, 64) !== seed.output) throw new Error('PBKDF2: OpenSSL and BIP-39 differ');
  return [['SHA-256', published], ...computed, ['SHA-512', seed]];
}

/** The hash functions that HMAC uses. */
const MACS = Object.keys(CHAINED).filter((name) => !name.startsWith('SHAKE'));

/**
 * Answers of Keccak-256, which no standard defines: it is SHA3-256 of FIPS 202 without the suffix.
 */
const KECCAK = [
  // Ethereum's yellow paper, appendix F and §4.1: KEC(()).
  { algorithm: 'Keccak-256', message: { hex: '' }, output: 'c5d2460186f7233c927e7db2dcc703c0e500b653ca82273b7bfad8045d85a470' },
  // ERC-20: the topic of its event Transfer(address,address,uint256).
  { algorithm: 'Keccak-256', message: { hex: Buffer.from('Transfer(address,address,uint256)').toString('hex') }, output: 'ddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef' },
];

export const text = () => `// Written by tools/answers.mjs from vectors/*.json; do not edit.

module {
  public type Bytes = { #hex : (Text, Nat); #ptn : Nat };

  /// Algorithm, message, output, how much of an XOF's output comes before it, BLAKE2b's output
  /// length, key, salt (of BLAKE3: the context), personalization (of Ascon-CXOF128: the
  /// customization string).
  public type Answer = (Text, Bytes, Text, Nat, Nat, Bytes, Bytes, Bytes);

  public let all : [Answer] = [
${[...answers(), ...KECCAK].map(row).join('\n')}
  ];

  /// The SHA-256 of the hashes of the pattern's first 0, 1, … 300 bytes, by OpenSSL (Keccak-256: by
  /// tools/answers.mjs). Of SHAKE, ${XOF.SHAKE128} bytes each.
  public let chains : [(Text, Text)] = [
${chains().map(([name, hash]) => `    ("${name}", "${hash}"),`).join('\n')}
  ];

  /// Each with the hash function of its HMAC; hexadecimal. Published ones, and OpenSSL's.
  public let hkdf : [(Text, { secret : Text; salt : Text; info : Text; output : Text })] = [
${hkdf().map(([name, { secret, salt, info, output }]) => `    ("${name}", { secret = "${secret}"; salt = "${salt}"; info = "${info}"; output = "${output}" }),`).join('\n')}
  ];

  public let pbkdf2 : [(Text, { password : Text; salt : Text; iterations : Nat; output : Text })] = [
${pbkdf2().map(([name, { password, salt, iterations, output }]) => `    ("${name}", { password = "${password}"; salt = "${salt}"; iterations = ${iterations}; output = "${output}" }),`).join('\n')}
  ];
}
`;

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  writeFileSync(new URL('../test/Answers.mo', import.meta.url), text());
}
