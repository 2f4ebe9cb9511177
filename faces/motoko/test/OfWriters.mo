/// Tests messages of 0 to 300 bytes with every kind of input, in pieces, through storage and with
/// copies. Also tests that `tryUnshare` refuses invalid data.

import Prim "mo:prim";
import Ascon "../src/Ascon";
import Blake2b "../src/Blake2b";
import Blake3 "../src/Blake3";
import Hmac "../src/Hmac";
import Sha256 "../src/Sha256";
import Sha3 "../src/Sha3";
import Sha512 "../src/Sha512";
import Sm3 "../src/Sm3";
import Answers "Answers";
import Bytes "Bytes";
import Faces "Faces";

module {
  public func run() : Text {
    let random = Bytes.Random(0x2545f4914f6cdd1d);
    var checked = 0;

    func same(name : Text, got : Blob, want : Blob) {
      if (got != want) Prim.debugPrint(name # ": " # Bytes.hex(got) # " is not " # Bytes.hex(want));
      assert got == want;
      checked += 1;
    };

    func everyWriter(name : Text, begin : () -> Faces.Writer, data : Blob, want : Blob) {
      let w = Bytes.writePieces(begin(), data, 150, random);
      same(name, w.peek(), want);
      let copy = w.clone();
      w.blob("more");
      same(name, copy.sum(), want);
      same(name, Bytes.writePieces(begin(), Bytes.concat(data, "more"), 150, random).sum(), w.sum());
      w.reset();
      w.blob(data);
      same(name, w.sum(), want);
    };

    for (face in Faces.all().vals()) {
      let chain = Sha256.new();
      var size = 0;
      while (size <= 300) {
        let data = Bytes.pattern(size);
        let want = face.blob(data);
        same(face.name, face.array(Prim.blobToArray(data)), want);
        same(face.name, face.varArray(Bytes.varArray(data)), want);
        same(face.name, face.iter(data.vals()), want);
        same(face.name, face.accessor(func i = Prim.natToNat8((i - 7 : Nat) % 251), 7, size), want);
        same(face.name, face.reader(Bytes.reader(data), size), want);
        everyWriter(face.name, face.begin, data, want);
        chain.writeBlob(want);
        size += 1;
      };
      for ((name, want) in Answers.chains.vals()) if (name == face.name) same(name, chain.sum(), Bytes.unhex(want));
    };

    for ((name, algo) in Faces.macs()) {
      for (size in [0, 1, 55, 56, 63, 64, 65, 111, 112, 127, 128, 129, 135, 136, 137, 300].vals()) {
        let data = Bytes.pattern(size);
        for (keySize in [0, 1, 20, 63, 64, 65, 127, 128, 129, 200].vals()) {
          let key = Hmac.prepare(algo, Bytes.pattern(keySize));
          let want = Hmac.fromBlob(algo, Bytes.pattern(keySize), data);
          same(name, key.mac(data), want);
          everyWriter(name, func() = Faces.writer(Hmac, key.begin()), data, want);
          let digest = key.begin();
          digest.writeBlob(data);
          assert digest.clone().verify(want);
          assert not digest.clone().verify(Bytes.slice(want, 0, want.size() - 1 : Nat));
          assert not digest.verify(Bytes.tabulate(want.size(), func i = if (i == 5) want[i] ^ 1 else want[i]));
        };
      };
    };

    // Accessors whose indices are just below 2^64 or above it.
    for (start in [0x1_0000_0000_0000_0000 - 200 : Nat, 0x1_0000_0000_0000_0000 - 100 : Nat, 0x1_0000_0000_0000_0000, 10 ** 30].vals()) {
      let data = Bytes.pattern(200);
      for (face in Faces.all().vals()) same(face.name, face.accessor(func i = data[i - start], start, 200), face.blob(data));
    };

    // ---- shared data that no message can have ---------------------------------------------------

    func refused(what : Text, accepted : Bool) {
      if (accepted) Prim.debugPrint(what # " was accepted");
      assert not accepted;
      checked += 1;
    };

    do {
      let digest = Sha256.new();
      digest.writeBlob(Bytes.pattern(100));
      let good = digest.share();
      assert good.length == 100 and good.tail.size() == 36;
      func accepts(saved : Sha256.DigestShared) : Bool = switch (Sha256.tryUnshare(saved)) { case null false; case _ true };
      assert accepts(good);
      refused("a short state", accepts({ good with state = [1, 2, 3, 4, 5, 6, 7] : [Nat32] }));
      refused("a long state", accepts({ good with state = [1, 2, 3, 4, 5, 6, 7, 8, 9] : [Nat32] }));
      refused("no state", accepts({ good with state = [] : [Nat32] }));
      refused("a short tail", accepts({ good with tail = Bytes.pattern(35) }));
      refused("a tail longer than a block", accepts({ good with tail = Bytes.pattern(100) }));
      refused("a length of another tail", accepts({ good with length = 101 : Nat64 }));
      refused("a length above the standard's", accepts({ good with length = 0x2000_0000_0000_0024 : Nat64 }));
      // If no block was absorbed, the state must be the initial one.
      let early = Sha256.new();
      early.writeBlob(Bytes.pattern(63));
      assert accepts(early.share());
      refused("a state that no block led to", accepts({ early.share() with state = good.state }));
      refused("another algorithm's initial state", accepts({ early.share() with algo = #sha224 : Sha256.Algorithm }));
      refused("a new digest with a state", accepts({ Sha256.new().share() with state = good.state }));
      // The longest possible length: 27 more bytes may follow.
      assert accepts({ good with length = 0x1fff_ffff_ffff_ffe4 : Nat64 });
    };

    do {
      let digest = Sha512.new(#sha384);
      digest.writeBlob(Bytes.pattern(200));
      let good = digest.share();
      func accepts(saved : Sha512.DigestShared) : Bool = switch (Sha512.tryUnshare(saved)) { case null false; case _ true };
      assert accepts(good);
      refused("a state of 8 halves", accepts({ good with state = [1, 2, 3, 4, 5, 6, 7, 8] : [Nat32] }));
      refused("a state that no block led to", accepts({ Sha512.new(#sha384).share() with state = good.state }));
      refused("another algorithm's initial state", accepts({ Sha512.new(#sha512).share() with algo = #sha384 : Sha512.Algorithm }));
      assert accepts(Sha512.new(#sha512_256).share());
      refused("no tail", accepts({ good with tail = "" : Blob }));
      refused("a length of another tail", accepts({ good with length = 0 : Nat64 }));
    };

    do {
      let digest = Sm3.new();
      let new = digest.share();
      digest.writeBlob(Bytes.pattern(100));
      let good = digest.share();
      func accepts(saved : Sm3.DigestShared) : Bool = switch (Sm3.tryUnshare(saved)) { case null false; case _ true };
      assert accepts(good) and accepts(new);
      refused("a state of 7 words", accepts({ good with state = [1, 2, 3, 4, 5, 6, 7] : [Nat32] }));
      refused("a state that no block led to", accepts({ new with state = good.state }));
      refused("the initial state of SHA-256", accepts({ new with state = Sha256.new().share().state }));
      refused("a length of another tail", accepts({ good with length = 101 : Nat64 }));
    };

    do {
      let digest = Sha3.new(#shake128 10);
      digest.writeBlob(Bytes.pattern(200));
      let good = digest.share();
      func accepts(saved : Sha3.DigestShared) : Bool = switch (Sha3.tryUnshare(saved)) { case null false; case _ true };
      assert accepts(good);
      refused("a tail for another rate", accepts({ good with algo = #sha3_256 : Sha3.Algorithm }));
      refused("a state that no block led to", accepts({ Sha3.new(#shake128 10).share() with state = good.state }));
      assert accepts(Sha3.new(#keccak256).share());
      refused("a state of 25 words", accepts({ good with state = Prim.Array_tabulate<Nat32>(25, func _ = 1) }));
    };

    do {
      let digest = Ascon.new(#cxof128({ size = 10; customization = "use" }));
      let new = digest.share();
      digest.writeBlob(Bytes.pattern(20));
      let good = digest.share();
      assert good.length == 20 and good.tail.size() == 4;
      func accepts(saved : Ascon.DigestShared) : Bool = switch (Ascon.tryUnshare(saved)) { case null false; case _ true };
      func customized(customization : Blob) : Ascon.Algorithm = #cxof128({ size = 10; customization });
      assert accepts(good) and accepts(new);
      refused("no tail", accepts({ good with tail = "" : Blob }));
      refused("a tail of a block", accepts({ good with tail = Bytes.pattern(8) }));
      refused("a state that no block led to", accepts({ new with state = good.state }));
      refused("another algorithm's initial state", accepts({ new with algo = #xof128 10 : Ascon.Algorithm }));
      refused("the state of another customization string", accepts({ new with algo = customized("usf") }));
      refused("a state of 5 words", accepts({ good with state = [1, 2, 3, 4, 5] : [Nat32] }));
      assert accepts(Ascon.new(customized(Bytes.pattern(256))).share());
      refused("a customization string of 257 bytes", accepts({ good with algo = customized(Bytes.pattern(257)) }));
    };

    do {
      let digest = Blake2b.new({ Blake2b.params with key = "key" });
      digest.writeBlob(Bytes.pattern(200));
      let good = digest.share();
      assert good.length == 328 and good.tail.size() == 72;
      func accepts(saved : Blake2b.DigestShared) : Bool = switch (Blake2b.tryUnshare(saved)) { case null false; case _ true };
      func state(at : Nat, value : Nat32) : [Nat32] = Prim.Array_tabulate<Nat32>(20, func i = if (i == at) value else good.state[i]);
      assert accepts(good);
      refused("a counter of another length", accepts({ good with state = state(16, 128) }));
      refused("a high counter", accepts({ good with state = state(17, 1) }));
      refused("a flag", accepts({ good with state = state(18, 0xffffffff) }));
      refused("an output of 65 bytes", accepts({ good with params = { good.params with size = 65 } }));
      refused("a key of 65 bytes", accepts({ good with params = { good.params with key = Bytes.pattern(65) } }));
      let keyed = Blake2b.new({ Blake2b.params with key = "key" });
      let full = Blake2b.new();
      full.writeBlob(Bytes.pattern(128));
      assert accepts(keyed.share()) and accepts(full.share()) and accepts(Blake2b.new().share());
      refused("a state that no block led to", accepts({ full.share() with state = Prim.Array_tabulate<Nat32>(20, func i = if (i < 16) good.state[i] else 0) }));
      refused("the state of another salt", accepts({ full.share() with params = { Blake2b.params with salt = "salt" : Blob } }));
      refused("another key's block", accepts({ keyed.share() with tail = Blake2b.new({ Blake2b.params with key = "kez" }).share().tail }));
      refused("a message without its key", accepts({ good with length = 72 : Nat64; state = state(16, 0) }));
    };

    // BLAKE3: states before and after the end of each chunk lead to the same hash.
    for (size in [1024, 1025, 2047, 2048, 2049, 3072, 3073, 7168, 8193].vals()) {
      let data = Bytes.pattern(size);
      let want = Blake3.fromBlob(data);
      let first = Blake3.new();
      first.writeBlob(data);
      let again = Blake3.unshare(first.share());
      same("BLAKE3", again.peekSum(), want);
      again.writeBlob(data);
      let rest = Blake3.unshare(again.share());
      rest.writeBlob(data);
      same("BLAKE3", rest.sum(), Blake3.fromBlob(Bytes.concat(Bytes.concat(data, data), data)));
    };

    do {
      let digest = Blake3.new({ size = 10; mode = #keyed "0123456789abcdef0123456789abcdef" });
      digest.writeBlob(Bytes.pattern(3100));
      let good = digest.share();
      assert good.length == 3100 and good.tail.size() == 28 and good.state.size() == 24;
      func accepts(saved : Blake3.DigestShared) : Bool = switch (Blake3.tryUnshare(saved)) { case null false; case _ true };
      assert accepts(good);
      refused("a state with a value too few", accepts({ good with state = Prim.Array_tabulate<Nat32>(16, func i = good.state[i]) }));
      refused("a state with a value too many", accepts({ good with state = Prim.Array_tabulate<Nat32>(32, func _ = 1) }));
      refused("a chunk that does not begin with the key", accepts({ good with state = Prim.Array_tabulate<Nat32>(24, func i = good.state[i] ^ 1) }));
      refused("the chunk of another key", accepts({ good with params = { size = 10; mode = #keyed "0123456789abcdef0123456789abcdeg" : { #hash; #keyed : Blob; #deriveKey : Text } } }));
      refused("no tail", accepts({ good with tail = "" : Blob }));
      refused("a tail of another length", accepts({ good with tail = Bytes.pattern(29) }));
      refused("a tail longer than the message", accepts({ good with length = 20 : Nat64 }));
      refused("a key of 31 bytes", accepts({ good with params = { size = 10; mode = #keyed "a key of 31 bytes, not of 32 .." : { #hash; #keyed : Blob; #deriveKey : Text } } }));
      assert accepts(Blake3.new().share());
      refused("a new digest with a state", accepts({ Blake3.new().share() with state = [1, 2, 3, 4, 5, 6, 7, 8] : [Nat32] }));
    };

    do {
      let key = Hmac.prepare(#sha512, "key");
      let digest = key.begin();
      digest.writeBlob("message");
      let good = digest.share();
      func accepts(saved : Hmac.DigestShared) : Bool = switch (Hmac.tryUnshare(saved)) { case null false; case _ true };
      assert accepts(good);
      refused("a key of another algorithm", accepts({ good with key = Hmac.prepare(#sha256, "key") }));
      refused("a state that no block led to", accepts({ good with state = key.outer }));
      let blake2b = Hmac.new(#blake2b, "key").share();
      assert accepts(blake2b) and accepts(key.begin().share());
      refused("a block of another key", accepts({ blake2b with tail = Hmac.new(#blake2b, "kez").share().tail }));
      refused("a key of another block", accepts({ blake2b with key = Hmac.prepare(#blake2b, "kez") }));
      refused("a length without the key's block", accepts({ good with length = 7 : Nat64 }));
      refused("a key without its outer state", accepts({ good with key = { key with outer = [] : [Nat32] } }));
    };

    debug_show checked # " checks";
  };
}
