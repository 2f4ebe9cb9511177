/// Compares the kernels with the plain-loop references in src/reference: for every kind of input,
/// from random states, at random places of the input. Also compares whole hashes.

import Prim "mo:prim";
import Blake3 "../src/Blake3";
import KAscon "../src/kernels/Ascon";
import KBlake2b "../src/kernels/Blake2b";
import KBlake3 "../src/kernels/Blake3";
import KKeccak "../src/kernels/Keccak";
import KSha256 "../src/kernels/Sha256";
import KSha512 "../src/kernels/Sha512";
import KSm3 "../src/kernels/Sm3";
import RAscon "../src/reference/Ascon";
import RBlake2b "../src/reference/Blake2b";
import RBlake3 "../src/reference/Blake3";
import RKeccak "../src/reference/Keccak";
import RSha256 "../src/reference/Sha256";
import RSha512 "../src/reference/Sha512";
import RSm3 "../src/reference/Sm3";
import Bytes "Bytes";
import Faces "Faces";

module {
  type State = [var Nat32];

  /// The kernels of a block function, and its reference, which absorbs the block from byte `at` on.
  type Kernels = {
    name : Text;
    block : Nat;
    stateSize : Nat;
    bigEndian : Bool;
    words : (State, State) -> ();
    blob : (State, Blob, Nat64, Nat64) -> ();
    array : (State, [Nat8], Nat64, Nat64) -> ();
    varArray : (State, [var Nat8], Nat64, Nat64) -> ();
    accessor : (State, Nat -> Nat8, Nat64, Nat64) -> ();
    reader : (State, () -> Nat8, Nat64, Nat64) -> ();
    iter : (State, () -> ?Nat8, State) -> Nat64;
    reference : (State, data : Blob, at : Nat) -> ();
  };

  public func run() : Text {
    let random = Bytes.Random(0x6a09e667f3bcc908);
    var checked = 0;

    func bytes(size : Nat) : Blob = Bytes.tabulate(size, func _ = Prim.natToNat8(random.below(256)));

    func same(name : Text, got : State, want : State) {
      for (i in want.keys()) {
        if (got[i] != want[i]) Prim.debugPrint(name # " is not its reference");
        assert got[i] == want[i];
      };
      assert got.size() == want.size();
      checked += 1;
    };

    func checkKernels(k : Kernels) {
      for (blocks in [1, 2, 3].vals()) {
        let start = random.below(70);
        let size = blocks * k.block;
        let data = bytes(start + size + random.below(70));
        let state = Prim.Array_tabulate<Nat32>(k.stateSize, func _ = Prim.natToNat32(random.below(0x1_0000_0000)));
        func begin() : State = Prim.Array_tabulateVar<Nat32>(k.stateSize, func i = state[i]);
        let (from, to) = (Prim.natToNat64(start), Prim.natToNat64(start + size));

        let want = begin();
        for (i in Prim.Array_init<Nat8>(blocks, 0).keys()) k.reference(want, data, start + i * k.block);

        let blob = begin();
        k.blob(blob, data, from, to);
        same(k.name # " of a Blob", blob, want);

        let array = begin();
        k.array(array, Prim.blobToArray(data), from, to);
        same(k.name # " of an array", array, want);

        let varArray = begin();
        k.varArray(varArray, Bytes.varArray(data), from, to);
        same(k.name # " of a mutable array", varArray, want);

        let accessor = begin();
        k.accessor(accessor, func i = data[i], from, to);
        same(k.name # " of an accessor", accessor, want);

        let reader = begin();
        let inner = Bytes.slice(data, start, size);
        k.reader(reader, Bytes.reader(inner), from, to);
        same(k.name # " of a reader", reader, want);

        // The kernels of BLAKE2b and BLAKE3 do not absorb the last block.
        let isAhead = k.name == "BLAKE2b" or k.name == "BLAKE3";
        let iter = begin();
        let buffer = Prim.Array_init<Nat32>(k.block / 4, 0);
        assert k.iter(iter, inner.vals().next, buffer) == Prim.natToNat64(size);
        if (isAhead) k.words(iter, buffer);
        same(k.name # " of an iterator", iter, want);

        let words = begin();
        for (i in Prim.Array_init<Nat8>(blocks, 0).keys()) {
          let block = Prim.Array_tabulateVar<Nat32>(
            k.block / 4,
            func j {
              let at = i * k.block + 4 * j;
              let (a, b, c, d) = (word(inner[at]), word(inner[at + 1]), word(inner[at + 2]), word(inner[at + 3]));
              if (k.bigEndian) (a << 24) | (b << 16) | (c << 8) | d else (d << 24) | (c << 16) | (b << 8) | a;
            },
          );
          k.words(words, block);
        };
        same(k.name # " of words", words, want);
      };
    };

    checkKernels({
      KSha256 with
      name = "SHA-256";
      block = 64;
      stateSize = 8;
      bigEndian = true;
      reference = func(state, data, at) {
        RSha256.compress(state, Prim.Array_tabulateVar<Nat32>(16, func i = Prim.nat64ToNat32(big(data, at + 4 * i, 4))));
      };
    });
    checkKernels({
      KSha512 with
      name = "SHA-512";
      block = 128;
      stateSize = 16;
      bigEndian = true;
      reference = func(state, data, at) {
        let H = Prim.Array_tabulateVar<Nat64>(8, func i = joined(state[2 * i], state[2 * i + 1]));
        RSha512.compress(H, Prim.Array_tabulateVar<Nat64>(16, func i = big(data, at + 8 * i, 8)));
        for (i in H.keys()) {
          state[2 * i] := high(H[i]);
          state[2 * i + 1] := low(H[i]);
        };
      };
    });
    checkKernels({
      KSm3 with
      name = "SM3";
      block = 64;
      stateSize = 8;
      bigEndian = true;
      reference = func(state, data, at) {
        RSm3.compress(state, Prim.Array_tabulateVar<Nat32>(16, func i = Prim.nat64ToNat32(big(data, at + 4 * i, 4))));
      };
    });
    for (rate in [72, 104, 136, 144, 168].vals()) {
      let r = Prim.natToNat64(rate);
      checkKernels({
        name = "Keccak of rate " # debug_show rate;
        block = rate;
        stateSize = 50;
        bigEndian = false;
        words = func(s, block) = KKeccak.words(r, s, block);
        blob = func(s, data, from, to) = KKeccak.blob(r, s, data, from, to);
        array = func(s, data, from, to) = KKeccak.array(r, s, data, from, to);
        varArray = func(s, data, from, to) = KKeccak.varArray(r, s, data, from, to);
        accessor = func(s, data, from, to) = KKeccak.accessor(r, s, data, from, to);
        reader = func(s, data, from, to) = KKeccak.reader(r, s, data, from, to);
        iter = func(s, next, block) = KKeccak.iter(r, s, next, block);
        reference = func(state, data, at) {
          let A = lanes(state, 25);
          for (i in Prim.Array_init<Nat8>(rate / 8, 0).keys()) A[i] ^= little(data, at + 8 * i, 8);
          RKeccak.permute(A);
          putLanes(state, A);
        };
      });
    };
    checkKernels({
      KAscon with
      name = "Ascon";
      block = 8;
      stateSize = 10;
      bigEndian = false;
      reference = func(state, data, at) {
        let S = lanes(state, 5);
        S[0] ^= little(data, at, 8);
        RAscon.permute(S);
        putLanes(state, S);
      };
    });
    checkKernels({
      KBlake2b with
      name = "BLAKE2b";
      block = 128;
      stateSize = 20;
      bigEndian = false;
      reference = func(state, data, at) {
        flag(state);
        let h = lanes(state, 8);
        let t = joined(state[17], state[16]) +% 128;
        let isLast = state[18] & 1 == 1;
        RBlake2b.F(h, Prim.Array_tabulateVar<Nat64>(16, func i = little(data, at + 8 * i, 8)), t, isLast);
        putLanes(state, h);
        state[16] := low(t);
        state[17] := high(t);
      };
      blob = func(s, data, from, to) { flag(s); KBlake2b.blob(s, data, from, to) };
      array = func(s, data, from, to) { flag(s); KBlake2b.array(s, data, from, to) };
      varArray = func(s, data, from, to) { flag(s); KBlake2b.varArray(s, data, from, to) };
      accessor = func(s, data, from, to) { flag(s); KBlake2b.accessor(s, data, from, to) };
      reader = func(s, data, from, to) { flag(s); KBlake2b.reader(s, data, from, to) };
      iter = func(s, next, block) { flag(s); KBlake2b.iter(s, next, block) };
      words = func(s, block) { flag(s); KBlake2b.words(s, block) };
    });

    // In half of the states the end of a chunk completes no subtree, so that three are too few.
    for (_ in Prim.Array_init<Nat8>(4, 0).keys()) {
      checkKernels({
        name = "BLAKE3";
        block = 64;
        stateSize = 460;
        bigEndian = false;
        reference = func(state, data, at) {
          possible(state);
          absorbBlake3(state, Prim.Array_tabulate<Nat32>(16, func i = low(little(data, at + 4 * i, 4))));
          forget(state);
        };
        blob = func(s, data, from, to) { possible(s); KBlake3.blob(s, data, from, to); forget(s) };
        array = func(s, data, from, to) { possible(s); KBlake3.array(s, data, from, to); forget(s) };
        varArray = func(s, data, from, to) { possible(s); KBlake3.varArray(s, data, from, to); forget(s) };
        accessor = func(s, data, from, to) { possible(s); KBlake3.accessor(s, data, from, to); forget(s) };
        reader = func(s, data, from, to) { possible(s); KBlake3.reader(s, data, from, to); forget(s) };
        iter = func(s, next, block) { possible(s); KBlake3.iter(s, next, block) };
        words = func(s, block) { possible(s); KBlake3.words(s, block); forget(s) };
      });
    };

    // Trees, and the output from any byte on.
    for (size in [0, 1, 64, 65, 1023, 1024, 1025, 2048, 2049, 3072, 4096, 5000, 8192, 8193].vals()) {
      let data = bytes(size);
      for (mode in ([#hash, #keyed(bytes(32)), #deriveKey "a context of the tests"] : [RBlake3.Mode]).vals()) {
        let want = RBlake3.hash(mode, data, 300);
        assert Blake3.fromBlob({ size = 300; mode }, data) == want;
        assert Blake3.fromIter({ size = 32; mode }, data.vals()) == Bytes.slice(want, 0, 32);
        let digest = Blake3.new({ size = 7; mode });
        digest.writeBlob(data);
        digest.close();
        for ((from, count) in [(0, 0), (1, 5), (63, 2), (64, 64), (100, 200)].vals()) {
          assert digest.readSumFrom(Prim.natToNat64(from), count) == Bytes.slice(want, from, count);
        };
        assert digest.readSum() == Bytes.slice(want, 0, 7);
        checked += 8;
      };
    };

    // ---- whole hashes ---------------------------------------------------------------------------

    for (size in [0, 1, 55, 56, 63, 64, 71, 72, 111, 112, 119, 120, 127, 128, 135, 136, 143, 144, 167, 168, 256, 300].vals()) {
      let data = bytes(size);
      for (face in Faces.all().vals()) {
        let want = face.reference(data);
        assert face.blob(data) == want;
        switch (face.call) {
          case null {};
          case (?call) {
            assert call(data) == want;
            checked += 1;
          };
        };
        checked += 1;
      };
    };

    debug_show checked # " checks";
  };

  /// Makes the flag of the last block as the standard defines it: all bits set or none.
  func flag(state : State) {
    if (state[18] & 1 == 1) {
      state[18] := 0xffffffff;
      state[19] := 0xffffffff;
    } else {
      state[18] := 0;
      state[19] := 0;
    };
  };

  /// Makes a random state of BLAKE3 a possible one: less than 16 blocks in the chunk, and less than
  /// 2^54 chunks. The flag is that of a key.
  func possible(state : State) {
    state[9] &= 0x3fffff;
    // One block before the end of a chunk, or two, so that the tests end chunks.
    if (state[10] > 15) state[10] := 14 + state[10] % 2;
    state[11] := 16;
  };

  /// Clears the places after the chaining values of the subtrees, where a kernel leaves those that it
  /// merged.
  func forget(state : State) {
    var i = 20 + 8 * Prim.nat64ToNat(Prim.popcntNat64(joined(state[9], state[8])));
    while (i < state.size()) {
      state[i] := 0;
      i += 1;
    };
  };

  /// Absorbs a block that is not the last one of the message.
  func absorbBlake3(state : State, m : [Nat32]) {
    func eight(at : Nat) : [Nat32] = Prim.Array_tabulate<Nat32>(8, func i = state[at + i]);
    func put(at : Nat, words : [Nat32]) { for (i in words.keys()) state[at + i] := words[i] };
    let chunks = joined(state[9], state[8]);
    let start : Nat32 = if (state[10] == 0) 1 else 0;
    let isEnd = state[10] == 15;
    let value = RBlake3.value({ h = eight(0); m; t = chunks; b = 64; d = 16 | start | (if isEnd 2 else 0) });
    if (not isEnd) {
      put(0, value);
      state[10] += 1;
      return;
    };
    var depth = Prim.nat64ToNat(Prim.popcntNat64(chunks));
    var merged = value;
    var total = chunks + 1;
    while (total % 2 == 0) {
      depth -= 1;
      merged := RBlake3.value(RBlake3.parent(eight(12), eight(20 + 8 * depth), merged, 16));
      total /= 2;
    };
    put(20 + 8 * depth, merged);
    put(0, eight(12));
    state[8] := low(chunks + 1);
    state[9] := high(chunks + 1);
    state[10] := 0;
  };

  func word(byte : Nat8) : Nat32 = Prim.natToNat32(Prim.nat8ToNat(byte));
  func joined(high : Nat32, low : Nat32) : Nat64 = (Prim.nat32ToNat64(high) << 32) | Prim.nat32ToNat64(low);
  func low(x : Nat64) : Nat32 = Prim.nat64ToNat32(x & 0xffffffff);
  func high(x : Nat64) : Nat32 = Prim.nat64ToNat32(x >> 32);

  func big(data : Blob, at : Nat, count : Nat) : Nat64 {
    var x : Nat64 = 0;
    var i = 0;
    while (i < count) {
      x := (x << 8) | Prim.natToNat64(Prim.nat8ToNat(data[at + i]));
      i += 1;
    };
    x;
  };

  func little(data : Blob, at : Nat, count : Nat) : Nat64 {
    var x : Nat64 = 0;
    var i = count;
    while (i > 0) {
      i -= 1;
      x := (x << 8) | Prim.natToNat64(Prim.nat8ToNat(data[at + i]));
    };
    x;
  };

  func lanes(state : State, count : Nat) : [var Nat64] = Prim.Array_tabulateVar<Nat64>(count, func i = joined(state[2 * i + 1], state[2 * i]));

  func putLanes(state : State, lanes : [var Nat64]) {
    for (i in lanes.keys()) {
      state[2 * i] := low(lanes[i]);
      state[2 * i + 1] := high(lanes[i]);
    };
  };
}
