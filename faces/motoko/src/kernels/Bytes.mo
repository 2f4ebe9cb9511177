// Written by generate.mjs; do not edit.

import { nat8ToNat16 = b16; nat16ToNat32 = h32; nat32ToNat64 = w64; nat64ToNat = n64 } "mo:prim";
import { nat64ToNat32 = w32; nat32ToNat16 = w16; nat16ToNat8 = b8; natToNat64 = n64w } "mo:prim";
import { explodeNat32 = explode; arrayToBlob = bytes } "mo:prim";

/// Bytes in buffers of words, four in each. Its first lies at bit `first`: 24 is big-endian, 0 little-endian.
module {
  /// Puts `data` from `start` to `end` into the buffer from its byte `at` on.
  public func putBlob(buffer : [var Nat32], at : Nat64, first : Nat64, data : Blob, start : Nat64, end : Nat64) {
    var p = at;
    var i = start;
    var word : Nat64 = if (p & 3 == 0) 0 else w64(buffer[n64(p >> 2)]);
    while (i < end) {
      if (p & 3 == 0 and i +% 4 <= end) {
        buffer[n64(p >> 2)] := w32((w64(h32(b16(data[n64(i +% 0)]))) << (first ^ 0)) | (w64(h32(b16(data[n64(i +% 1)]))) << (first ^ 8)) | (w64(h32(b16(data[n64(i +% 2)]))) << (first ^ 16)) | (w64(h32(b16(data[n64(i +% 3)]))) << (first ^ 24)));
        p +%= 4;
        i +%= 4;
      } else {
        word |= w64(h32(b16(data[n64(i +% 0)]))) << (first ^ ((p & 3) << 3));
        buffer[n64(p >> 2)] := w32(word);
        p +%= 1;
        i +%= 1;
        if (p & 3 == 0) word := 0;
      };
    };
  };

  /// The last bytes of `data`, from `start` on, fewer than four, then `marker` and zeros: big-endian.
  public func lastBlob(data : Blob, start : Nat64, end : Nat64, marker : Nat32) : Nat32 {
    var word = w64(marker);
    var i = end;
    while (i > start) {
      i -%= 1;
      word := (word >> 8) | (w64(h32(b16(data[n64(i +% 0)]))) << 24);
    };
    w32(word)
  };

  /// Puts `data` from `start` to `end` into the buffer from its byte `at` on.
  public func putArray(buffer : [var Nat32], at : Nat64, first : Nat64, data : [Nat8], start : Nat64, end : Nat64) {
    var p = at;
    var i = start;
    var word : Nat64 = if (p & 3 == 0) 0 else w64(buffer[n64(p >> 2)]);
    while (i < end) {
      if (p & 3 == 0 and i +% 4 <= end) {
        buffer[n64(p >> 2)] := w32((w64(h32(b16(data[n64(i +% 0)]))) << (first ^ 0)) | (w64(h32(b16(data[n64(i +% 1)]))) << (first ^ 8)) | (w64(h32(b16(data[n64(i +% 2)]))) << (first ^ 16)) | (w64(h32(b16(data[n64(i +% 3)]))) << (first ^ 24)));
        p +%= 4;
        i +%= 4;
      } else {
        word |= w64(h32(b16(data[n64(i +% 0)]))) << (first ^ ((p & 3) << 3));
        buffer[n64(p >> 2)] := w32(word);
        p +%= 1;
        i +%= 1;
        if (p & 3 == 0) word := 0;
      };
    };
  };

  /// The last bytes of `data`, from `start` on, fewer than four, then `marker` and zeros: big-endian.
  public func lastArray(data : [Nat8], start : Nat64, end : Nat64, marker : Nat32) : Nat32 {
    var word = w64(marker);
    var i = end;
    while (i > start) {
      i -%= 1;
      word := (word >> 8) | (w64(h32(b16(data[n64(i +% 0)]))) << 24);
    };
    w32(word)
  };

  /// Puts one byte at the byte `at`; what is behind it in its word becomes zero.
  public func put(buffer : [var Nat32], at : Nat64, first : Nat64, byte : Nat8) {
    let word : Nat64 = if (at & 3 == 0) 0 else w64(buffer[n64(at >> 2)]);
    buffer[n64(at >> 2)] := w32(word | (w64(h32(b16(byte))) << (first ^ ((at & 3) << 3))));
  };

  /// The byte at `at`.
  public func get(buffer : [var Nat32], at : Nat64, first : Nat64) : Nat8 {
    b8(w16(w32((w64(buffer[n64(at >> 2)]) >> (first ^ ((at & 3) << 3))) & 0xff)))
  };

  /// Ends what the buffer holds, `at` bytes, with the byte `marker` and zeros.
  public func end(buffer : [var Nat32], at : Nat64, first : Nat64, marker : Nat8) {
    put(buffer, at, first, marker);
    var i = n64(at >> 2) + 1;
    while (i < buffer.size()) {
      buffer[i] := 0;
      i += 1;
    };
  };
}
