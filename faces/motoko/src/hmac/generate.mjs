// Writes the modules of HMAC, each over one family of hash functions: run
// `node src/hmac/generate.mjs`. `npm test` checks that the files are what this program writes. The
// modules differ in the family, and Motoko has no modules with parameters.

import { writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

/**
 * The parts that differ between the modules. `words` is the number of Nat32s in a state; it is
 * present only if the family's kernels have functions for HMAC.
 */
const FAMILIES = {
  'Sha256.mo': { module: 'Sha256', title: 'HMAC-SHA-256 and HMAC-SHA-224', algorithm: 'Sha256.Algorithm', example: '#sha256', block: 64, words: 8 },
  'Sha512.mo': { module: 'Sha512', title: 'HMAC-SHA-512 and its truncations', algorithm: 'Sha512.Algorithm', example: '#sha512', block: 128, words: 16 },
  'Sm3.mo': { module: 'Sm3', title: 'HMAC-SM3', algorithm: 'Sm3.Algorithm', example: '#sm3', block: 64, words: 8 },
  'Sha3.mo': { module: 'Sha3', title: 'HMAC over the four functions of SHA-3', algorithm: '{ #sha3_224; #sha3_256; #sha3_384; #sha3_512 }', example: '#sha3_256' },
  'Blake2b.mo': { module: 'Blake2b', title: 'HMAC over BLAKE2b with 64 bytes of output', algorithm: '{ #blake2b }', example: '#blake2b' },
};

const list = (prefix, count) => Array.from({ length: count }, (_, i) => `${prefix}${i}`).join(', ');

function text(name) {
  const { module, title, algorithm, example, block, words } = FAMILIES[name];
  const isBlake2b = module === 'Blake2b';
  const family = (algo) => (isBlake2b ? 'Blake2b.family()' : `${module}.family(${algo})`);
  const ofKey = family('self.key.algo');
  const hash = `hash(self)`;
  const write = (writer, parameters, passed, doc) => [
    ...(doc ? [`  /// ${doc}`] : []),
    `  public func ${writer}(self : Digest, ${parameters}) = ${module}.${writer}(${hash}, ${passed});`,
    '',
  ];
  const lines = [
    '// Written by generate.mjs; do not edit.',
    '',
    `/// ${title}: RFC 2104, FIPS 198-1. The same functions as in \`Hmac\`, which has every algorithm; this`,
    '/// module adds only these to a canister.',
    '///',
    '/// ```motoko',
    `/// import Hmac "mo:hashmill/hmac/${module}";`,
    '///',
    `/// let tag = Hmac.fromBlob(${example}, "key", "message");`,
    '/// ```',
    '',
    'import Prim "mo:prim";',
    `import ${module} "../${module}";`,
    'import Stream "../Stream";',
    ...(words ? [`import K "../kernels/${module}";`] : []),
    'import Core "Core";',
    '',
    'module {',
    `  public type Algorithm = ${algorithm};`,
    '',
    '  /// A key, absorbed: immutable data that may be stored, as secret as the key.',
    '  public type Key = Core.Key<Algorithm>;',
    '',
    '  /// A message on its way to its tag: data that may lie in a stable variable, as secret as the key.',
    '  public type Digest = { key : Key; stream : Stream.Stream };',
    '',
    '  /// A digest as immutable data; `share` returns it. It is as secret as the key.',
    '  public type DigestShared = Stream.Shared and { key : Key };',
    '',
    '  public type Iter = Stream.Iter;',
    '',
    '  /// Returns the tag of one message.',
    ...(words
      ? [
          '  public func fromBlob(algo : Algorithm, key : Blob, message : Blob) : Blob {',
          `    if (key.size() > ${block}) return fromBlob(algo, ${module}.fromBlob(algo, key), message);`,
          `    let (${list('s', words)}) = ${module}.initial(algo);`,
          `    K.tag(${module}.words(algo), key, message, ${list('s', words)});`,
          '  };',
        ]
      : ['  public func fromBlob(algo : Algorithm, key : Blob, message : Blob) : Blob = mac(prepare(algo, key), message);']),
    '',
    '  /// Absorbs a key of any length.',
    ...(words
      ? [
          '  public func prepare(algo : Algorithm, key : Blob) : Key {',
          `    if (key.size() > ${block}) return prepare(algo, ${module}.fromBlob(algo, key));`,
          `    let (${list('s', words)}) = ${module}.initial(algo);`,
          `    { K.prepare(key, ${list('s', words)}) with algo };`,
          '  };',
        ]
      : [`  public func prepare(algo : Algorithm, key : Blob) : Key = Core.prepare<Algorithm>(${family('algo')}, algo, key);`]),
    '',
    '  /// Returns the tag of one message.',
    '  public func mac(self : Key, message : Blob) : Blob = ' +
      (words ? `K.tagPrepared(${module}.words(self.algo), self, message);` : `Core.mac<Algorithm>(${family('self.algo')}, self, message);`),
    '',
    '  /// Begins a message.',
    `  public func begin(self : Key) : Digest = { key = self; stream = Core.begin<Algorithm>(${family('self.algo')}, self) };`,
    '',
    '  public func new(algo : Algorithm, key : Blob) : Digest = begin(prepare(algo, key));',
    '',
    '  /// Begins a new message with the same key.',
    `  public func reset(self : Digest) = Core.reset<Algorithm>(${ofKey}, self.key, self.stream);`,
    '',
    '  /// Returns an independent copy.',
    '  public func clone(self : Digest) : Digest = { key = self.key; stream = Stream.clone(self.stream) };',
    '',
    ...write('writeBlob', 'data : Blob', 'data'),
    ...write('writeArray', 'data : [Nat8]', 'data'),
    ...write('writeVarArray', 'data : [var Nat8]', 'data'),
    ...write('writeIter', 'data : Iter', 'data', 'Writes all bytes that the iterator returns.'),
    ...write('writeAccessor', 'at : Nat -> Nat8, start : Nat, count : Nat', 'at, start, count', 'Writes `count` bytes: `at(start)`, `at(start + 1)`, …'),
    ...write('writeReader', 'next : () -> Nat8, count : Nat', 'next, count', 'Writes the bytes that `count` calls of `next` return.'),
    '  /// Ends the message and gives its tag. Traps if it is ended already.',
    `  public func sum(self : Digest) : Blob = Core.sum<Algorithm>(${ofKey}, self.key, self.stream);`,
    '',
    '  /// Returns the tag of the bytes written so far. The digest does not change. Traps if the message has ended.',
    '  public func peekSum(self : Digest) : Blob = sum(clone(self));',
    '',
    '  /// Ends the message and says whether `tag` is its tag, whole, in a time that does not depend on the bytes of either.',
    '  public func verify(self : Digest, tag : Blob) : Bool = Core.equal(sum(self), tag);',
    '',
    '  /// The digest as immutable data. Traps if its message is ended.',
    `  public func share(self : Digest) : DigestShared = { Stream.share(self.stream, ${ofKey}.kernel) with key = self.key };`,
    '',
    '  /// Returns a digest that continues from `saved`. Traps if no message can have this state.',
    '  public func unshare(saved : DigestShared) : Digest {',
    '    let ?digest = tryUnshare(saved) else Prim.trap("hashmill: this is not a shared digest of HMAC");',
    '    digest;',
    '  };',
    '',
    '  /// Like `unshare`, but returns null if no message can have the state `saved`.',
    '  public func tryUnshare(saved : DigestShared) : ?Digest {',
    `    let ?stream = Core.tryUnshare<Algorithm>(${family('saved.key.algo')}, saved.key, saved) else return null;`,
    '    ?{ key = saved.key; stream };',
    '  };',
    '',
    '  /// Whether two tags are equal. The time depends only on their lengths.',
    '  public func equal(a : Blob, b : Blob) : Bool = Core.equal(a, b);',
    '',
    '  /// For `Hkdf` and `Pbkdf2`.',
    ...(words
      ? [
          '  public func prf(algo : Algorithm) : Core.Prf {',
          `    let count = ${module}.words(algo);`,
          '    {',
          '      size = Prim.nat32ToNat(count) * 4;',
          '      prepare = func key {',
          '        let prepared = prepare(algo, key);',
          '        {',
          '          mac = func message = K.tagPrepared(count, prepared, message);',
          '          chain = func(message, rounds) = K.chain(count, prepared, message, rounds);',
          '        };',
          '      };',
          '    };',
          '  };',
        ]
      : [`  public func prf(algo : Algorithm) : Core.Prf = Core.prf<Algorithm>(${family('algo')}, algo);`]),
    '',
    `  func hash({ key; stream } : Digest) : ${module}.Digest = ` +
      (isBlake2b ? '{ params = Blake2b.params; stream };' : '{ algo = key.algo; stream };'),
    '}',
    '',
  ];
  return lines.join('\n').replace('({ key; stream } : Digest)', isBlake2b ? '({ stream } : Digest)' : '({ key; stream } : Digest)');
}

/** The files, each with the function that returns its text. */
export const FILES = Object.fromEntries(Object.keys(FAMILIES).map((name) => [name, () => text(name)]));

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  for (const name of Object.keys(FILES)) writeFileSync(new URL(name, import.meta.url), FILES[name]());
}
