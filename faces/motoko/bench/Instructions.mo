/// What everything costs. Prints, for each measurement, `name|input|bytes|garbage`, then `[`, does it, and
/// prints `]`: whoever runs this counts the instructions in between (tools/check.mjs).

import Prim "mo:prim";
import Blake2b "../src/Blake2b";
import Hmac "../src/Hmac";
import Sha256 "../src/Sha256";
import Sha3 "../src/Sha3";
import Sha512 "../src/Sha512";

func measure(name : Text, input : Text, bytes : Nat, run : () -> ()) {
  let before = Prim.rts_total_allocation();
  run();
  let garbage = Prim.rts_total_allocation() - before : Nat;
  Prim.debugPrint(name # "|" # input # "|" # debug_show Prim.natToNat64(bytes) # "|" # debug_show Prim.natToNat64(garbage));
  Prim.debugPrint("[");
  run();
  Prim.debugPrint("]");
};

/// Bytes that look random.
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

type Iter = { next : () -> ?Nat8 };

func hash(name : Text, block : Nat, blob : Blob -> Blob, array : [Nat8] -> Blob, iter : Iter -> Blob) {
  for (size in [0, 32, 10 * block, 210 * block].vals()) {
    let data = message(size);
    let bytes = Prim.blobToArray(data);
    measure(name, "Blob", size, func() = ignore blob(data));
    measure(name, "[Nat8]", size, func() = ignore array(bytes));
    measure(name, "Iter", size, func() = ignore iter(data.vals()));
    // What the iterator itself takes, of that.
    measure(name, "drained", size, func() { for (_ in data.vals()) {} });
  };
};

measure("nothing", "", 0, func() {});

hash("SHA-256", 64, func x = Sha256.fromBlob(#sha256, x), func x = Sha256.fromArray(#sha256, x), func x = Sha256.fromIter(#sha256, x));
hash("SHA-512", 128, func x = Sha512.fromBlob(#sha512, x), func x = Sha512.fromArray(#sha512, x), func x = Sha512.fromIter(#sha512, x));
hash("SHA3-256", 136, func x = Sha3.fromBlob(#sha3_256, x), func x = Sha3.fromArray(#sha3_256, x), func x = Sha3.fromIter(#sha3_256, x));
hash("Keccak-256", 136, func x = Sha3.fromBlob(#keccak256, x), func x = Sha3.fromArray(#keccak256, x), func x = Sha3.fromIter(#keccak256, x));
hash("SHAKE128", 168, func x = Sha3.fromBlob(#shake128 32, x), func x = Sha3.fromArray(#shake128 32, x), func x = Sha3.fromIter(#shake128 32, x));
hash("BLAKE2b", 128, func x = Blake2b.fromBlob(x), func x = Blake2b.fromArray(x), func x = Blake2b.fromIter(x));

for ((name, algo) in ([("HMAC-SHA-256", #sha256), ("HMAC-SHA-512", #sha512), ("HMAC-SHA3-256", #sha3_256), ("HMAC-BLAKE2b", #blake2b)] : [(Text, Hmac.Algorithm)]).vals()) {
  let data = message(32);
  let key = Hmac.prepare(algo, data);
  measure(name, "key and message", 32, func() = ignore Hmac.fromBlob(algo, data, data));
  measure(name, "prepared key", 32, func() = ignore key.mac(data));
};
