/// A slow, literal transcription of BLAKE2b: RFC 7693, with its names, in plain loops, and the salt
/// and the personalization of the BLAKE2 paper. No other module uses it. It is for readers, and the
/// tests compare `kernels/Blake2b` with it.

import Prim "mo:prim";

module {
  public type Params = { size : Nat; key : Blob; salt : Blob; personal : Blob };

  /// §2.6.
  let IV : [Nat64] = [
    0x6a09e667f3bcc908, 0xbb67ae8584caa73b, 0x3c6ef372fe94f82b, 0xa54ff53a5f1d36f1,
    0x510e527fade682d1, 0x9b05688c2b3e6c1f, 0x1f83d9abfb41bd6b, 0x5be0cd19137e2179,
  ];

  /// §2.7.
  let SIGMA : [[Nat]] = [
    [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15],
    [14, 10, 4, 8, 9, 15, 13, 6, 1, 12, 0, 2, 11, 7, 5, 3],
    [11, 8, 12, 0, 5, 2, 15, 13, 10, 14, 3, 6, 7, 1, 9, 4],
    [7, 9, 3, 1, 13, 12, 11, 14, 2, 6, 5, 10, 4, 0, 15, 8],
    [9, 0, 5, 7, 2, 4, 10, 15, 14, 1, 11, 12, 6, 8, 3, 13],
    [2, 12, 6, 10, 0, 11, 8, 3, 4, 13, 7, 5, 15, 14, 1, 9],
    [12, 5, 1, 15, 14, 13, 4, 10, 0, 7, 6, 3, 9, 2, 8, 11],
    [13, 11, 7, 14, 12, 1, 3, 9, 5, 0, 15, 4, 8, 6, 2, 10],
    [6, 15, 14, 9, 11, 3, 0, 8, 12, 2, 13, 7, 1, 4, 10, 5],
    [10, 2, 8, 4, 7, 6, 1, 5, 15, 11, 9, 14, 3, 12, 13, 0],
  ];

  /// §3.2: absorbs the block m of 16 words into the state h of 8 words. t is the number of bytes of
  /// the message up to the end of the block. f is true for the last block.
  public func F(h : [var Nat64], m : [var Nat64], t : Nat64, f : Bool) {
    let v = Prim.Array_tabulateVar<Nat64>(16, func i = if (i < 8) h[i] else IV[i - 8]);
    v[12] ^= t;
    if (f) v[14] := ^ v[14];

    // §3.1: the mixing function.
    func G(a : Nat, b : Nat, c : Nat, d : Nat, x : Nat64, y : Nat64) {
      v[a] := v[a] +% v[b] +% x;
      v[d] := (v[d] ^ v[a]) <>> 32;
      v[c] := v[c] +% v[d];
      v[b] := (v[b] ^ v[c]) <>> 24;
      v[a] := v[a] +% v[b] +% y;
      v[d] := (v[d] ^ v[a]) <>> 16;
      v[c] := v[c] +% v[d];
      v[b] := (v[b] ^ v[c]) <>> 63;
    };

    for (round in range(12)) {
      let s = SIGMA[round % 10];
      G(0, 4, 8, 12, m[s[0]], m[s[1]]);
      G(1, 5, 9, 13, m[s[2]], m[s[3]]);
      G(2, 6, 10, 14, m[s[4]], m[s[5]]);
      G(3, 7, 11, 15, m[s[6]], m[s[7]]);
      G(0, 5, 10, 15, m[s[8]], m[s[9]]);
      G(1, 6, 11, 12, m[s[10]], m[s[11]]);
      G(2, 7, 8, 13, m[s[12]], m[s[13]]);
      G(3, 4, 9, 14, m[s[14]], m[s[15]]);
    };
    for (i in h.keys()) h[i] ^= v[i] ^ v[i + 8];
  };

  /// §3.3.
  public func hash(params : Params, message : Blob) : Blob {
    let { size; key; salt; personal } = params;
    let h = Prim.Array_tabulateVar<Nat64>(8, func i = IV[i]);
    // §2.5, the parameter block: the lengths of output and key, fanout 1 and depth 1. The salt is
    // in bytes 32 to 47 and the personalization in bytes 48 to 63.
    h[0] ^= 0x01010000 ^ (Prim.natToNat64(key.size()) << 8) ^ Prim.natToNat64(size);
    for (i in salt.keys()) h[4 + i / 8] ^= word(salt[i]) << Prim.natToNat64(8 * (i % 8));
    for (i in personal.keys()) h[6 + i / 8] ^= word(personal[i]) << Prim.natToNat64(8 * (i % 8));

    // The key, filled up to a block, comes before the message.
    let before = if (key.size() > 0) 128 else 0;
    let length = before + message.size();
    func at(i : Nat) : Nat8 = if (i < before) {
      if (i < key.size()) key[i] else 0;
    } else if (i < length) message[i - before] else 0;

    let blocks = if (length == 0) 1 else (length + 127) / 128;
    for (block in range(blocks)) {
      let m = Prim.Array_init<Nat64>(16, 0);
      for (i in range(128)) m[i / 8] |= word(at(128 * block + i)) << Prim.natToNat64(8 * (i % 8));
      let isLast = block + 1 == blocks;
      F(h, m, Prim.natToNat64(if (isLast) length else 128 * (block + 1)), isLast);
    };
    Prim.arrayToBlob(Prim.Array_tabulate<Nat8>(size, func i = byte((h[i / 8] >> Prim.natToNat64(8 * (i % 8))) & 0xff)));
  };

  func word(byte : Nat8) : Nat64 = Prim.natToNat64(Prim.nat8ToNat(byte));
  func byte(word : Nat64) : Nat8 = Prim.natToNat8(Prim.nat64ToNat(word));
  func range(count : Nat) : { next : () -> ?Nat } = Prim.Array_init<Nat8>(count, 0).keys();
}
