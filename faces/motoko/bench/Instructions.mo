/// Measures instructions and garbage. For each measurement it prints `name|input|bytes|garbage`,
/// prints `[`, runs the measured function, and prints `]`. The program that runs this
/// (tools/check.mjs) counts the instructions between the brackets.

import Prim "mo:prim";
import Ascon "../src/Ascon";
import Blake2b "../src/Blake2b";
import Blake3 "../src/Blake3";
import Hkdf "../src/Hkdf";
import Hmac "../src/Hmac";
import MerkleTree "../src/MerkleTree";
import Pbkdf2 "../src/Pbkdf2";
import Sha256 "../src/Sha256";
import Sha3 "../src/Sha3";
import Sha512 "../src/Sha512";
import Sm3 "../src/Sm3";

module {
  type Iter = { next : () -> ?Nat8 };

  type Face = {
    blob : Blob -> Blob;
    array : [Nat8] -> Blob;
    varArray : [var Nat8] -> Blob;
    accessor : (Nat -> Nat8, Nat, Nat) -> Blob;
    reader : (() -> Nat8, Nat) -> Blob;
    iter : Iter -> Blob;
  };

  public func run() {
    measure("nothing", "", 0, func() {});

    hash("SHA-256", 64, sha256(#sha256));
    hash("SHA-512", 128, sha512(#sha512));
    hash("SM3", 64, sm3);
    hash("SHA3-256", 136, sha3(#sha3_256));
    hash("Keccak-256", 136, sha3(#keccak256));
    hash("SHAKE128", 168, sha3(#shake128 32));
    hash("Ascon-Hash256", 8, ascon(#hash256));
    hash("BLAKE2b", 128, blake2b(Blake2b.params));
    hash("BLAKE3", 64, blake3(Blake3.params));

    for ((name, algo) in ([("HMAC-SHA-256", #sha256), ("HMAC-SHA-512", #sha512), ("HMAC-SM3", #sm3), ("HMAC-SHA3-256", #sha3_256), ("HMAC-BLAKE2b", #blake2b)] : [(Text, Hmac.Algorithm)]).vals()) {
      let data = message(32);
      let key = Hmac.prepare(algo, data);
      measure(name, "key and message", 32, func() = ignore Hmac.fromBlob(algo, data, data));
      measure(name, "prepared key", 32, func() = ignore key.mac(data));
      let prf = Hmac.prf(algo);
      measure(name, "HKDF", 32, func() = ignore Hkdf.derive(prf, { secret = data; salt = ""; info = ""; size = 32 }));
      for (iterations in [1, 101].vals()) {
        measure(name, "PBKDF2", iterations, func() = ignore Pbkdf2.derive(prf, { password = data; salt = data; iterations; size = 32 }));
      };
    };

    // A tree of 1,000 values: changes one of them and computes the root hash.
    let tree = MerkleTree.new();
    let paths = Prim.Array_tabulate<[Blob]>(1000, func i = ["values", Prim.arrayToBlob([Prim.natToNat8(i / 256), Prim.natToNat8(i % 256)])]);
    for (path in paths.vals()) tree.put(path, path[1]);
    ignore tree.hash();
    let (value, path) = (message(32), paths[700]);
    measure("Merkle tree", "put", 1000, func() = tree.put(path, value));
    measure("Merkle tree", "put and hash", 1000, func() { tree.put(path, value); ignore tree.hash() });
    measure("Merkle tree", "witness", 1000, func() = ignore tree.witness([path]));
    measure("Merkle tree", "encoded witness", 1000, func() = ignore MerkleTree.encode(tree.witness([path])));
  };

  func measure(name : Text, input : Text, bytes : Nat, run : () -> ()) {
    let before = Prim.rts_total_allocation();
    run();
    let garbage = Prim.rts_total_allocation() - before : Nat;
    Prim.debugPrint(name # "|" # input # "|" # debug_show Prim.natToNat64(bytes) # "|" # debug_show Prim.natToNat64(garbage));
    Prim.debugPrint("[");
    run();
    Prim.debugPrint("]");
  };

  /// Returns pseudorandom bytes.
  func message(size : Nat) : Blob {
    var x : Nat32 = 0x9e3779b9;
    Prim.arrayToBlob(
      Prim.Array_tabulate<Nat8>(
        size,
        func _ {
          x := x *% 1664525 +% 1013904223;
          Prim.natToNat8(Prim.nat32ToNat(x >> 24));
        },
      )
    );
  };

  func hash(name : Text, block : Nat, face : Face) {
    for (size in [0, 32, 10 * block, 210 * block].vals()) {
      let data = message(size);
      let bytes = Prim.blobToArray(data);
      let varBytes = Prim.Array_tabulateVar<Nat8>(size, func i = data[i]);
      measure(name, "Blob", size, func() = ignore face.blob(data));
      measure(name, "[Nat8]", size, func() = ignore face.array(bytes));
      measure(name, "[var Nat8]", size, func() = ignore face.varArray(varBytes));
      measure(name, "accessor", size, func() = ignore face.accessor(func i = bytes[i], 0, size));
      measure(name, "reader", size, func() = ignore face.reader(reader(bytes), size));
      measure(name, "Iter", size, func() = ignore face.iter(data.vals()));
      // The part of the cost that the input takes: an accessor and a reader that only return zero,
      // and an iterator that is emptied without hashing.
      measure(name, "constant accessor", size, func() = ignore face.accessor(func _ = 0, 0, size));
      measure(name, "constant reader", size, func() = ignore face.reader(func() = 0, size));
      measure(name, "drained", size, func() { for (_ in data.vals()) {} });
    };
  };

  func reader(bytes : [Nat8]) : () -> Nat8 {
    var i = 0;
    func() {
      i += 1;
      bytes[i - 1 : Nat];
    };
  };

  func sha256(algo : Sha256.Algorithm) : Face = {
    blob = func x = Sha256.fromBlob(algo, x);
    array = func x = Sha256.fromArray(algo, x);
    varArray = func x = Sha256.fromVarArray(algo, x);
    accessor = func(at, start, count) = Sha256.fromAccessor(algo, at, start, count);
    reader = func(next, count) = Sha256.fromReader(algo, next, count);
    iter = func x = Sha256.fromIter(algo, x);
  };

  func sha512(algo : Sha512.Algorithm) : Face = {
    blob = func x = Sha512.fromBlob(algo, x);
    array = func x = Sha512.fromArray(algo, x);
    varArray = func x = Sha512.fromVarArray(algo, x);
    accessor = func(at, start, count) = Sha512.fromAccessor(algo, at, start, count);
    reader = func(next, count) = Sha512.fromReader(algo, next, count);
    iter = func x = Sha512.fromIter(algo, x);
  };

  let sm3 : Face = {
    blob = func x = Sm3.fromBlob(#sm3, x);
    array = func x = Sm3.fromArray(#sm3, x);
    varArray = func x = Sm3.fromVarArray(#sm3, x);
    accessor = func(at, start, count) = Sm3.fromAccessor(#sm3, at, start, count);
    reader = func(next, count) = Sm3.fromReader(#sm3, next, count);
    iter = func x = Sm3.fromIter(#sm3, x);
  };

  func sha3(algo : Sha3.Algorithm) : Face = {
    blob = func x = Sha3.fromBlob(algo, x);
    array = func x = Sha3.fromArray(algo, x);
    varArray = func x = Sha3.fromVarArray(algo, x);
    accessor = func(at, start, count) = Sha3.fromAccessor(algo, at, start, count);
    reader = func(next, count) = Sha3.fromReader(algo, next, count);
    iter = func x = Sha3.fromIter(algo, x);
  };

  func ascon(algo : Ascon.Algorithm) : Face = {
    blob = func x = Ascon.fromBlob(algo, x);
    array = func x = Ascon.fromArray(algo, x);
    varArray = func x = Ascon.fromVarArray(algo, x);
    accessor = func(at, start, count) = Ascon.fromAccessor(algo, at, start, count);
    reader = func(next, count) = Ascon.fromReader(algo, next, count);
    iter = func x = Ascon.fromIter(algo, x);
  };

  func blake2b(params : Blake2b.Params) : Face = {
    blob = func x = Blake2b.fromBlob(params, x);
    array = func x = Blake2b.fromArray(params, x);
    varArray = func x = Blake2b.fromVarArray(params, x);
    accessor = func(at, start, count) = Blake2b.fromAccessor(params, at, start, count);
    reader = func(next, count) = Blake2b.fromReader(params, next, count);
    iter = func x = Blake2b.fromIter(params, x);
  };

  func blake3(params : Blake3.Params) : Face = {
    blob = func x = Blake3.fromBlob(params, x);
    array = func x = Blake3.fromArray(params, x);
    varArray = func x = Blake3.fromVarArray(params, x);
    accessor = func(at, start, count) = Blake3.fromAccessor(params, at, start, count);
    reader = func(next, count) = Blake3.fromReader(params, next, count);
    iter = func x = Blake3.fromIter(params, x);
  };
}
