/// A slow, literal transcription of Keccak, SHA-3 and SHAKE: FIPS 202 in plain loops. No other
/// module uses it. It is for readers, and the tests compare `kernels/Keccak` with it.

import Prim "mo:prim";

module {
  /// §3.2 and §3.3: Keccak-p[1600, 24] of 25 lanes; lane (x, y) is number x + 5y.
  public func permute(A : [var Nat64]) {
    var register : Nat8 = 1; // R of algorithm 5, which computes the bits of the round constants
    for (_ in range(24)) {
      // §3.2.1: θ
      let C = Prim.Array_tabulate<Nat64>(5, func x = A[x] ^ A[x + 5] ^ A[x + 10] ^ A[x + 15] ^ A[x + 20]);
      for (i in A.keys()) A[i] ^= C[(i + 4) % 5] ^ (C[(i + 1) % 5] <<> 1);

      // §3.2.2 and §3.2.3: ρ and π, lane by lane along the path that ρ takes
      let B = Prim.Array_tabulateVar<Nat64>(25, func i = A[i]);
      var x = 1;
      var y = 0;
      for (t in range(24)) {
        let offset = Prim.natToNat64((t + 1) * (t + 2) / 2 % 64);
        let (nextX, nextY) = (y, (2 * x + 3 * y) % 5);
        B[nextX + 5 * nextY] := A[x + 5 * y] <<> offset;
        x := nextX;
        y := nextY;
      };

      // §3.2.4: χ
      for (i in A.keys()) {
        let row = 5 * (i / 5);
        A[i] := B[i] ^ ((^ B[row + (i + 1) % 5]) & B[row + (i + 2) % 5]);
      };

      // §3.2.5: ι
      for (j in range(7)) {
        if (register & 1 == 1) A[0] ^= (1 : Nat64) << ((1 << Prim.natToNat64(j)) - 1);
        register := if (register & 0x80 == 0) register << 1 else (register << 1) ^ 0x71;
      };
    };
  };

  /// §4, the sponge: absorbs the message in blocks of `rate` bytes, with the byte `suffix` (§B.2)
  /// after it, and returns `size` bytes of output.
  public func hash(rate : Nat, suffix : Nat8, size : Nat, message : Blob) : Blob {
    let A = Prim.Array_init<Nat64>(25, 0);
    let length = message.size();
    let blocks = length / rate + 1;
    func padded(i : Nat) : Nat8 {
      let byte : Nat8 = if (i < length) message[i] else if (i == length) suffix else 0;
      if (i + 1 == blocks * rate) byte ^ 0x80 else byte;
    };
    for (block in range(blocks)) {
      for (i in range(rate)) A[i / 8] ^= word(padded(block * rate + i)) << Prim.natToNat64(8 * (i % 8));
      permute(A);
    };
    Prim.arrayToBlob(
      Prim.Array_tabulate<Nat8>(
        size,
        func i {
          if (i > 0 and i % rate == 0) permute(A);
          let at = i % rate;
          byte((A[at / 8] >> Prim.natToNat64(8 * (at % 8))) & 0xff);
        },
      )
    );
  };

  func word(byte : Nat8) : Nat64 = Prim.natToNat64(Prim.nat8ToNat(byte));
  func byte(word : Nat64) : Nat8 = Prim.natToNat8(Prim.nat64ToNat(word));
  func range(count : Nat) : { next : () -> ?Nat } = Prim.Array_init<Nat8>(count, 0).keys();
}
