/// A slow, literal transcription of SM3: GB/T 32905-2016, with its names, in plain loops. No other
/// module uses it. It is for readers, and the tests compare `kernels/Sm3` with it.

import Prim "mo:prim";

module {
  /// §4.1.
  func IV() : [var Nat32] = [var 0x7380166f, 0x4914b2b9, 0x172442d7, 0xda8a0600, 0xa96f30bc, 0x163138aa, 0xe38dee4d, 0xb0fb0e4e];

  /// §4.2.
  func T(j : Nat) : Nat32 = if (j < 16) 0x79cc4519 else 0x7a879d8a;

  /// §4.3.
  func FF(j : Nat, X : Nat32, Y : Nat32, Z : Nat32) : Nat32 = if (j < 16) X ^ Y ^ Z else (X & Y) | (X & Z) | (Y & Z);
  func GG(j : Nat, X : Nat32, Y : Nat32, Z : Nat32) : Nat32 = if (j < 16) X ^ Y ^ Z else (X & Y) | ((^ X) & Z);

  /// §4.4.
  func P0(X : Nat32) : Nat32 = X ^ (X <<> 9) ^ (X <<> 17);
  func P1(X : Nat32) : Nat32 = X ^ (X <<> 15) ^ (X <<> 23);

  /// §5.3: absorbs one block of 16 words into the state V of 8 words.
  public func compress(V : [var Nat32], B : [var Nat32]) {
    let W = Prim.Array_init<Nat32>(68, 0);
    for (j in W.keys()) {
      W[j] := if (j < 16) B[j] else P1(W[j - 16] ^ W[j - 9] ^ (W[j - 3] <<> 15)) ^ (W[j - 13] <<> 7) ^ W[j - 6];
    };
    var A = V[0];
    var B_ = V[1];
    var C = V[2];
    var D = V[3];
    var E = V[4];
    var F = V[5];
    var G = V[6];
    var H = V[7];
    for (j in range(64)) {
      let SS1 = ((A <<> 12) +% E +% (T(j) <<> Prim.natToNat32(j % 32))) <<> 7;
      let SS2 = SS1 ^ (A <<> 12);
      let TT1 = FF(j, A, B_, C) +% D +% SS2 +% (W[j] ^ W[j + 4]);
      let TT2 = GG(j, E, F, G) +% H +% SS1 +% W[j];
      D := C;
      C := B_ <<> 9;
      B_ := A;
      A := TT1;
      H := G;
      G := F <<> 19;
      F := E;
      E := P0(TT2);
    };
    V[0] ^= A;
    V[1] ^= B_;
    V[2] ^= C;
    V[3] ^= D;
    V[4] ^= E;
    V[5] ^= F;
    V[6] ^= G;
    V[7] ^= H;
  };

  public func hash(message : Blob) : Blob {
    // §5.2: the message, a bit 1, zeros, and the message's length in bits, as 64 bits.
    let size = message.size();
    let blocks = (size + 9 + 63) / 64;
    let bits = Prim.natToNat64(8 * size);
    func padded(i : Nat) : Nat32 {
      if (i < size) return word(message[i]);
      if (i == size) return 0x80;
      let left = 64 * blocks - i : Nat;
      if (left > 8) 0 else Prim.nat64ToNat32((bits >> Prim.natToNat64(8 * (left - 1))) & 0xff);
    };
    let V = IV();
    for (block in range(blocks)) {
      let B = Prim.Array_tabulateVar<Nat32>(
        16,
        func j {
          let i = 64 * block + 4 * j;
          (padded(i) << 24) | (padded(i + 1) << 16) | (padded(i + 2) << 8) | padded(i + 3);
        },
      );
      compress(V, B);
    };
    Prim.arrayToBlob(Prim.Array_tabulate<Nat8>(32, func i = byte((V[i / 4] >> Prim.natToNat32(24 - 8 * (i % 4))) & 0xff)));
  };

  func word(byte : Nat8) : Nat32 = Prim.natToNat32(Prim.nat8ToNat(byte));
  func byte(word : Nat32) : Nat8 = Prim.natToNat8(Prim.nat32ToNat(word));
  func range(count : Nat) : { next : () -> ?Nat } = Prim.Array_init<Nat8>(count, 0).keys();
}
