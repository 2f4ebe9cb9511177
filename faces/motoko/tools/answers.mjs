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

function chain(name) {
  const all = createHash('sha256');
  for (let length = 0; length <= 300; length++) {
    const message = Uint8Array.from({ length }, (_, i) => i % 251);
    const options = XOF[name] ? { outputLength: XOF[name] } : {};
    all.update(createHash(CHAINED[name], options).update(message).digest());
  }
  return all.digest('hex');
}

export const text = () => `// Written by tools/answers.mjs from vectors/*.json; do not edit.

module {
  public type Bytes = { #hex : (Text, Nat); #ptn : Nat };

  /// Algorithm, message, output, how much of an XOF's output comes before it, BLAKE2b's output length,
  /// key, salt, personalization.
  public type Answer = (Text, Bytes, Text, Nat, Nat, Bytes, Bytes, Bytes);

  public let all : [Answer] = [
${answers().map(row).join('\n')}
  ];

  /// The SHA-256 of the hashes of the pattern's first 0, 1, … 300 bytes, by OpenSSL. Of SHAKE, ${XOF.SHAKE128} bytes each.
  public let chains : [(Text, Text)] = [
${Object.keys(CHAINED).map((name) => `    ("${name}", "${chain(name)}"),`).join('\n')}
  ];
}
`;

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  writeFileSync(new URL('../test/Answers.mo', import.meta.url), text());
}
