/// A slow, literal transcription of SHA-256 and SHA-224: FIPS 180-4, with its names, in plain
/// loops. No other module uses it. It is for readers, and the tests compare `kernels/Sha256` with
/// it.

import Prim "mo:prim";

module {
  /// §4.2.2: the first 32 bits of the fractional parts of the cube roots of the first 64 primes.
  let K : [Nat32] = [
    0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4, 0xab1c5ed5,
    0xd807aa98, 0x12835b01, 0x243185be, 0x550c7dc3, 0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174,
    0xe49b69c1, 0xefbe4786, 0x0fc19dc6, 0x240ca1cc, 0x2de92c6f, 0x4a7484aa, 0x5cb0a9dc, 0x76f988da,
    0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7, 0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967,
    0x27b70a85, 0x2e1b2138, 0x4d2c6dfc, 0x53380d13, 0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85,
    0xa2bfe8a1, 0xa81a664b, 0xc24b8b70, 0xc76c51a3, 0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070,
    0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a, 0x5b9cca4f, 0x682e6ff3,
    0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7, 0xc67178f2,
  ];

  /// §5.3.2 and §5.3.3.
  func initial(algo : { #sha224; #sha256 }) : [var Nat32] = switch algo {
    case (#sha224) [var 0xc1059ed8, 0x367cd507, 0x3070dd17, 0xf70e5939, 0xffc00b31, 0x68581511, 0x64f98fa7, 0xbefa4fa4];
    case (#sha256) [var 0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a, 0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19];
  };

  // §4.1.2.
  func Ch(x : Nat32, y : Nat32, z : Nat32) : Nat32 = (x & y) ^ ((^ x) & z);
  func Maj(x : Nat32, y : Nat32, z : Nat32) : Nat32 = (x & y) ^ (x & z) ^ (y & z);
  func Sigma0(x : Nat32) : Nat32 = (x <>> 2) ^ (x <>> 13) ^ (x <>> 22);
  func Sigma1(x : Nat32) : Nat32 = (x <>> 6) ^ (x <>> 11) ^ (x <>> 25);
  func sigma0(x : Nat32) : Nat32 = (x <>> 7) ^ (x <>> 18) ^ (x >> 3);
  func sigma1(x : Nat32) : Nat32 = (x <>> 17) ^ (x <>> 19) ^ (x >> 10);

  /// §6.2.2: absorbs one block of 16 words into the state H of 8 words.
  public func compress(H : [var Nat32], M : [var Nat32]) {
    let W = Prim.Array_init<Nat32>(64, 0);
    for (t in W.keys()) {
      W[t] := if (t < 16) M[t] else sigma1(W[t - 2]) +% W[t - 7] +% sigma0(W[t - 15]) +% W[t - 16];
    };
    var a = H[0];
    var b = H[1];
    var c = H[2];
    var d = H[3];
    var e = H[4];
    var f = H[5];
    var g = H[6];
    var h = H[7];
    for (t in W.keys()) {
      let T1 = h +% Sigma1(e) +% Ch(e, f, g) +% K[t] +% W[t];
      let T2 = Sigma0(a) +% Maj(a, b, c);
      h := g;
      g := f;
      f := e;
      e := d +% T1;
      d := c;
      c := b;
      b := a;
      a := T1 +% T2;
    };
    H[0] +%= a;
    H[1] +%= b;
    H[2] +%= c;
    H[3] +%= d;
    H[4] +%= e;
    H[5] +%= f;
    H[6] +%= g;
    H[7] +%= h;
  };

  public func hash(algo : { #sha224; #sha256 }, message : Blob) : Blob {
    // §5.1.1: the message, a bit 1, zeros, and the message's length in bits, as 64 bits.
    let size = message.size();
    let blocks = (size + 9 + 63) / 64;
    let bits = Prim.natToNat64(8 * size);
    func padded(i : Nat) : Nat32 {
      if (i < size) return word(message[i]);
      if (i == size) return 0x80;
      let left = 64 * blocks - i : Nat;
      if (left > 8) 0 else Prim.nat64ToNat32((bits >> Prim.natToNat64(8 * (left - 1))) & 0xff);
    };
    let H = initial(algo);
    for (block in range(blocks)) {
      let M = Prim.Array_tabulateVar<Nat32>(
        16,
        func t {
          let i = 64 * block + 4 * t;
          (padded(i) << 24) | (padded(i + 1) << 16) | (padded(i + 2) << 8) | padded(i + 3);
        },
      );
      compress(H, M);
    };
    let outputSize = switch algo { case (#sha224) 28; case (#sha256) 32 };
    Prim.arrayToBlob(Prim.Array_tabulate<Nat8>(outputSize, func i = byte((H[i / 4] >> Prim.natToNat32(24 - 8 * (i % 4))) & 0xff)));
  };

  func word(byte : Nat8) : Nat32 = Prim.natToNat32(Prim.nat8ToNat(byte));
  func byte(word : Nat32) : Nat8 = Prim.natToNat8(Prim.nat32ToNat(word));
  func range(count : Nat) : { next : () -> ?Nat } = Prim.Array_init<Nat8>(count, 0).keys();
}
