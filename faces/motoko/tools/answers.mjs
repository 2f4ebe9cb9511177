// Writes test/Answers.mo: the project's answers, from vectors/*.json at the root, for Motoko's tests.
// `node tools/answers.mjs` writes it; the tests fail where it is not what this would write.

import { createHash } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const FILES = ['fips-180-4', 'fips-202', 'rfc-7693', 'blake2', 'rfc-2104'];
/** What BLAKE2b takes here: RFC 7693's parameters, salt and personalization. The rest is for trees. */
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

const IS_HERE = /^(HMAC-)?(SHA-(224|256|384|512|512\/224|512\/256)|SHA3-\d+|SHAKE(128|256)|BLAKE2b)$/;

/** Hexadecimal, repeated; or so many bytes of the pattern, byte i being i mod 251. */
function bytes(value) {
  if (value === undefined) return '#hex("", 1)';
  return value.ptn === undefined ? `#hex("${value.hex}", ${value.repeat ?? 1})` : `#ptn(${value.ptn})`;
}

function row({ algorithm, message, key, output, skip = 0, params = {} }) {
  const length = params.output_len ?? (algorithm === 'BLAKE2b' ? 64 : 0);
  const rest = [key ?? params.key, params.salt, params.personal].map(bytes).join(', ');
  return `    ("${algorithm}", ${bytes(message)}, "${output}", ${skip}, ${length}, ${rest}),`;
}

/** Algorithms that OpenSSL has: the SHA-256 of the hashes of the pattern's first 0, 1, … 300 bytes. */
const CHAINED = {
  'SHA-224': 'sha224', 'SHA-256': 'sha256', 'SHA-384': 'sha384', 'SHA-512': 'sha512',
  'SHA-512/224': 'sha512-224', 'SHA-512/256': 'sha512-256',
  'SHA3-224': 'sha3-224', 'SHA3-256': 'sha3-256', 'SHA3-384': 'sha3-384', 'SHA3-512': 'sha3-512',
  SHAKE128: 'shake128', SHAKE256: 'shake256', BLAKE2b: 'blake2b512',
};
/** Their output, in bytes, as the tests ask for it. */
const XOF = { SHAKE128: 200, SHAKE256: 200 };

const openssl = (name) => (message) =>
  createHash(CHAINED[name], XOF[name] ? { outputLength: XOF[name] } : {}).update(message).digest();

function chain(hash) {
  const all = createHash('sha256');
  for (let length = 0; length <= 300; length++) all.update(hash(Uint8Array.from({ length }, (_, i) => i % 251)));
  return all.digest('hex');
}

/**
 * Keccak[512] of 32 bytes, by FIPS 202 §3 as it is written there. OpenSSL has it with SHA-3's suffix only,
 * and agrees with that, or this throws.
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

/** Keccak-256 is no standard of its own: FIPS 202 without its suffix. */
const KECCAK = [
  // Ethereum's yellow paper, appendix F and §4.1: KEC(()).
  { algorithm: 'Keccak-256', message: { hex: '' }, output: 'c5d2460186f7233c927e7db2dcc703c0e500b653ca82273b7bfad8045d85a470' },
  // ERC-20: the topic of its event Transfer(address,address,uint256).
  { algorithm: 'Keccak-256', message: { hex: Buffer.from('Transfer(address,address,uint256)').toString('hex') }, output: 'ddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef' },
];

export const text = () => `// Written by tools/answers.mjs from vectors/*.json; do not edit.

module {
  public type Bytes = { #hex : (Text, Nat); #ptn : Nat };

  /// Algorithm, message, output, how much of an XOF's output comes before it, BLAKE2b's output length,
  /// key, salt, personalization.
  public type Answer = (Text, Bytes, Text, Nat, Nat, Bytes, Bytes, Bytes);

  public let all : [Answer] = [
${[...answers(), ...KECCAK].map(row).join('\n')}
  ];

  /// The SHA-256 of the hashes of the pattern's first 0, 1, … 300 bytes, by OpenSSL (Keccak-256: by tools/answers.mjs). Of SHAKE, ${XOF.SHAKE128} bytes each.
  public let chains : [(Text, Text)] = [
${chains().map(([name, hash]) => `    ("${name}", "${hash}"),`).join('\n')}
  ];
}
`;

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  writeFileSync(new URL('../test/Answers.mo', import.meta.url), text());
}
