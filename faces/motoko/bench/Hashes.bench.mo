/// The benchmark for `mops bench`: one call of every hash function with every kind of input. To
/// count instructions without a replica, tools/check.mjs uses bench/Instructions.mo.

import Prim "mo:prim";
import Bench "mo:bench";
import Blake2b "../src/Blake2b";
import Sha256 "../src/Sha256";
import Sha3 "../src/Sha3";
import Sha512 "../src/Sha512";
import Sm3 "../src/Sm3";

module {
  let columns : [(Text, Nat)] = [("empty", 0), ("32 bytes", 32), ("10 kB", 10_000), ("1 MB", 1_000_000)];

  /// The same bytes as each kind of input that the rows hash.
  type Data = { blob : Blob; array : [Nat8]; varArray : [var Nat8] };

  let rows : [(Text, Data -> Blob)] = [
    ("SHA-256, Blob", func({ blob }) = Sha256.fromBlob(#sha256, blob)),
    ("SHA-256, [Nat8]", func({ array }) = Sha256.fromArray(#sha256, array)),
    ("SHA-256, [var Nat8]", func({ varArray }) = Sha256.fromVarArray(#sha256, varArray)),
    ("SHA-256, accessor", func({ array }) = Sha256.fromAccessor(#sha256, func i = array[i], 0, array.size())),
    ("SHA-256, reader", func({ array }) = Sha256.fromReader(#sha256, reader(array), array.size())),
    ("SHA-256, Iter", func({ blob }) = Sha256.fromIter(#sha256, blob.vals())),
    ("SHA-512, Blob", func({ blob }) = Sha512.fromBlob(#sha512, blob)),
    ("SHA-512, [Nat8]", func({ array }) = Sha512.fromArray(#sha512, array)),
    ("SHA-512, [var Nat8]", func({ varArray }) = Sha512.fromVarArray(#sha512, varArray)),
    ("SHA-512, accessor", func({ array }) = Sha512.fromAccessor(#sha512, func i = array[i], 0, array.size())),
    ("SHA-512, reader", func({ array }) = Sha512.fromReader(#sha512, reader(array), array.size())),
    ("SHA-512, Iter", func({ blob }) = Sha512.fromIter(#sha512, blob.vals())),
    ("SM3, Blob", func({ blob }) = Sm3.fromBlob(#sm3, blob)),
    ("SM3, [Nat8]", func({ array }) = Sm3.fromArray(#sm3, array)),
    ("SM3, [var Nat8]", func({ varArray }) = Sm3.fromVarArray(#sm3, varArray)),
    ("SM3, accessor", func({ array }) = Sm3.fromAccessor(#sm3, func i = array[i], 0, array.size())),
    ("SM3, reader", func({ array }) = Sm3.fromReader(#sm3, reader(array), array.size())),
    ("SM3, Iter", func({ blob }) = Sm3.fromIter(#sm3, blob.vals())),
    ("SHA3-256, Blob", func({ blob }) = Sha3.fromBlob(#sha3_256, blob)),
    ("Keccak-256, Blob", func({ blob }) = Sha3.fromBlob(#keccak256, blob)),
    ("BLAKE2b, Blob", func({ blob }) = Blake2b.fromBlob(Blake2b.params, blob)),
  ];

  public func init() : Bench.Bench {
    let bench = Bench.Bench();
    bench.name("Hash functions");
    bench.description("One call with bytes that look random");
    bench.rows(Prim.Array_tabulate<Text>(rows.size(), func i = rows[i].0));
    bench.cols(Prim.Array_tabulate<Text>(columns.size(), func i = columns[i].0));
    let data = Prim.Array_tabulate<Data>(columns.size(), func i = bytes(columns[i].1));
    bench.runner(
      func(row, col) {
        for ((name, hash) in rows.vals()) {
          if (name == row) for (i in columns.keys()) if (columns[i].0 == col) ignore hash(data[i]);
        };
      }
    );
    bench;
  };

  func bytes(size : Nat) : Data {
    var x : Nat32 = 0x9e3779b9;
    let array = Prim.Array_tabulate<Nat8>(
      size,
      func _ {
        x := x *% 1664525 +% 1013904223;
        Prim.natToNat8(Prim.nat32ToNat(x >> 24));
      },
    );
    { array; blob = Prim.arrayToBlob(array); varArray = Prim.Array_tabulateVar<Nat8>(size, func i = array[i]) };
  };

  func reader(bytes : [Nat8]) : () -> Nat8 {
    var i = 0;
    func() {
      i += 1;
      bytes[i - 1 : Nat];
    };
  };
}
