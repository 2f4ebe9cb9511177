// Measures the bytes that a module adds to a canister: compares small programs that use one
// function each with a program that uses none. The compiler leaves out functions that nothing
// calls.

const PROGRAMS = {
  nothing: ['', '""'],
  '`Sha256.fromBlob`': ['import Sha256 "mo:hashmill/Sha256";', 'Sha256.fromBlob(#sha256, "")'],
  '`Sha512.fromBlob`': ['import Sha512 "mo:hashmill/Sha512";', 'Sha512.fromBlob(#sha512, "")'],
  '`Sm3.fromBlob`': ['import Sm3 "mo:hashmill/Sm3";', 'Sm3.fromBlob(#sm3, "")'],
  '`Sha3.fromBlob`': ['import Sha3 "mo:hashmill/Sha3";', 'Sha3.fromBlob(#sha3_256, "")'],
  '`Ascon.fromBlob`': ['import Ascon "mo:hashmill/Ascon";', 'Ascon.fromBlob(#hash256, "")'],
  '`Blake2b.fromBlob`': ['import Blake2b "mo:hashmill/Blake2b";', 'Blake2b.fromBlob(Blake2b.params, "")'],
  '`Blake3.fromBlob`': ['import Blake3 "mo:hashmill/Blake3";', 'Blake3.fromBlob(Blake3.params, "")'],
  '`hmac/Sha256.fromBlob`': ['import Hmac "mo:hashmill/hmac/Sha256";', 'Hmac.fromBlob(#sha256, "", "")'],
  '`hmac/Sha256.Digest`, `writeBlob` and `sum`': ['import Hmac "mo:hashmill/hmac/Sha256";', 'let d = Hmac.new(#sha256, ""); d.writeBlob(""); d.sum()'],
  '`Hmac.fromBlob` (all hash functions)': ['import Hmac "mo:hashmill/Hmac";', 'Hmac.fromBlob(#sha256, "", "")'],
  '`compat/Sha256.Digest`': ['import Sha256 "mo:hashmill/compat/Sha256";', 'let d = Sha256.Digest(#sha256); d.writeBlob(""); d.sum()'],
  '`Hkdf.derive` over SHA-256': [
    'import Hmac "mo:hashmill/hmac/Sha256"; import Hkdf "mo:hashmill/Hkdf";',
    'Hkdf.derive(Hmac.prf(#sha256), { secret = ""; salt = ""; info = ""; size = 32 })',
  ],
  '`Pbkdf2.derive` over SHA-512': [
    'import Hmac "mo:hashmill/hmac/Sha512"; import Pbkdf2 "mo:hashmill/Pbkdf2";',
    'Pbkdf2.derive(Hmac.prf(#sha512), { password = ""; salt = ""; iterations = 1; size = 64 })',
  ],
  '`MerkleTree`, all of it': [
    'import MerkleTree "mo:hashmill/MerkleTree";',
    'let t = MerkleTree.new(); t.put([], ""); t.remove([]); ignore t.get([]); ignore t.hash(); let w = t.witness([]); ignore MerkleTree.rootOf(w); MerkleTree.encode(w)',
  ],
};

/** The limits in bytes. */
export const SIZE_LIMITS = {
  '`Sha256.fromBlob`': 70_000,
  '`hmac/Sha256.fromBlob`': 90_000,
  '`hmac/Sha256.Digest`, `writeBlob` and `sum`': 90_000,
};

export const JOBS = Object.entries(PROGRAMS).map(([name, [imports, body]], i) => ({
  name,
  path: `sizes/${i}.mo`,
  target: 'wasi',
  text: `import Prim "mo:prim"; ${imports} func use() : Blob { ${body} }; Prim.debugPrint(debug_show (use()));`,
}));

/** Returns the lines of the table for the compiled programs, and the limits that are exceeded. */
export function sizes(compiled) {
  const [nothing, ...sizes] = compiled.map(({ wasm }) => wasm.length);
  const over = [];
  const lines = ['| | adds, bytes |', '|---|---|'];
  for (const [i, size] of sizes.entries()) {
    const { name } = JOBS[i + 1];
    const added = size - nothing;
    if (added > (SIZE_LIMITS[name] ?? Infinity)) over.push(`${name} adds ${added} bytes to a module, more than ${SIZE_LIMITS[name]}`);
    lines.push(`| ${name} | ${added.toLocaleString('en')} |`);
  }
  return { lines, over };
}
