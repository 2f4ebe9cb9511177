/// A slow, literal transcription of Ascon's hash functions: SP 800-232 in plain loops. No other module
/// uses it. It is for readers, and the tests compare `kernels/Ascon` with it.

import Prim "mo:prim";

module {
  /// §3: Ascon-p[12] of five words.
  public func permute(S : [var Nat64]) {
    let constants : [Nat64] = [0xf0, 0xe1, 0xd2, 0xc3, 0xb4, 0xa5, 0x96, 0x87, 0x78, 0x69, 0x5a, 0x4b];
    for (constant in constants.vals()) {
      S[2] ^= constant; // §3.2, Table 5
      substitute(S);
      S[0] ^= (S[0] <>> 19) ^ (S[0] <>> 28); // §3.4
      S[1] ^= (S[1] <>> 61) ^ (S[1] <>> 39);
      S[2] ^= (S[2] <>> 1) ^ (S[2] <>> 6);
      S[3] ^= (S[3] <>> 10) ^ (S[3] <>> 17);
      S[4] ^= (S[4] <>> 7) ^ (S[4] <>> 41);
    };
  };

  /// §3.3: the S-box on each column of the five words, whose first bit is that of S[0].
  func substitute(S : [var Nat64]) {
    let box : [Nat64] = [0x04, 0x0b, 0x1f, 0x14, 0x1a, 0x15, 0x09, 0x02, 0x1b, 0x05, 0x08, 0x12, 0x1d, 0x03, 0x06, 0x1c, 0x1e, 0x13, 0x07, 0x0e, 0x00, 0x0d, 0x11, 0x18, 0x10, 0x0c, 0x01, 0x19, 0x16, 0x0a, 0x0f, 0x17]; // Table 6
    let result = Prim.Array_init<Nat64>(5, 0);
    for (column in range(64)) {
      let j = Prim.natToNat64(column);
      var x : Nat64 = 0;
      for (word in S.vals()) x := (x << 1) | ((word >> j) & 1);
      let y = box[Prim.nat64ToNat(x)];
      for (i in S.keys()) result[i] |= ((y >> Prim.natToNat64(4 - i : Nat)) & 1) << j;
    };
    for (i in S.keys()) S[i] := result[i];
  };

  /// §5.1.
  public func hash256(message : Blob) : Blob = squeeze(absorb(initial(0x0000_0801_00cc_0002), message), 32);

  /// §5.2.
  public func xof128(message : Blob, size : Nat) : Blob = squeeze(absorb(initial(0x0000_0800_00cc_0003), message), size);

  /// §5.3.
  public func cxof128(customization : Blob, message : Blob, size : Nat) : Blob {
    let S = initial(0x0000_0800_00cc_0004);
    S[0] ^= Prim.natToNat64(8 * customization.size());
    permute(S);
    squeeze(absorb(absorb(S, customization), message), size);
  };

  /// Returns the permutation of the initial value and 256 zeros.
  func initial(iv : Nat64) : [var Nat64] {
    let S : [var Nat64] = [var iv, 0, 0, 0, 0];
    permute(S);
    S;
  };

  /// Absorbs blocks of 64 bits, the last of which is padded with a one and zeros (§2.1).
  func absorb(S : [var Nat64], message : Blob) : [var Nat64] {
    let length = message.size();
    for (block in range(length / 8 + 1)) {
      for (i in range(8)) {
        let at = 8 * block + i;
        let byte : Nat8 = if (at < length) message[at] else if (at == length) 1 else 0;
        S[0] ^= Prim.natToNat64(Prim.nat8ToNat(byte)) << Prim.natToNat64(8 * i);
      };
      permute(S);
    };
    S;
  };

  func squeeze(S : [var Nat64], size : Nat) : Blob {
    Prim.arrayToBlob(
      Prim.Array_tabulate<Nat8>(
        size,
        func i {
          if (i > 0 and i % 8 == 0) permute(S);
          Prim.natToNat8(Prim.nat64ToNat((S[0] >> Prim.natToNat64(8 * (i % 8))) & 0xff));
        },
      )
    );
  };

  func range(count : Nat) : { next : () -> ?Nat } = Prim.Array_init<Nat8>(count, 0).keys();
}
