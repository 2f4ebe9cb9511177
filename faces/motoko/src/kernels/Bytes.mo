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

  /// Eight bytes from `at` on as a little-endian word: its quarters, the low one first. They are never boxed.
  public func laneBlob(data : Blob, at : Nat64) : (Nat16, Nat16, Nat16, Nat16) {
    let i = at;
    ((b16(data[n64(i +% 1)]) *% 256) | b16(data[n64(i +% 0)]), (b16(data[n64(i +% 3)]) *% 256) | b16(data[n64(i +% 2)]), (b16(data[n64(i +% 5)]) *% 256) | b16(data[n64(i +% 4)]), (b16(data[n64(i +% 7)]) *% 256) | b16(data[n64(i +% 6)]))
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

  /// Eight bytes from `at` on as a little-endian word: its quarters, the low one first. They are never boxed.
  public func laneArray(data : [Nat8], at : Nat64) : (Nat16, Nat16, Nat16, Nat16) {
    let i = at;
    ((b16(data[n64(i +% 1)]) *% 256) | b16(data[n64(i +% 0)]), (b16(data[n64(i +% 3)]) *% 256) | b16(data[n64(i +% 2)]), (b16(data[n64(i +% 5)]) *% 256) | b16(data[n64(i +% 4)]), (b16(data[n64(i +% 7)]) *% 256) | b16(data[n64(i +% 6)]))
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
    let size = n64w(buffer.size());
    var i = (at >> 2) +% 1;
    while (i < size) {
      buffer[n64(i)] := 0;
      i +%= 1;
    };
  };

  /// The first words, 7, 8, 12 or 16 of them, as little-endian bytes.
  public func little(words : [var Nat32], count : Nat) : Blob {
    let (d0, c0, b0_, a0) = explode(words[0]);
    let (d1, c1, b1_, a1) = explode(words[1]);
    let (d2, c2, b2_, a2) = explode(words[2]);
    let (d3, c3, b3_, a3) = explode(words[3]);
    let (d4, c4, b4_, a4) = explode(words[4]);
    let (d5, c5, b5_, a5) = explode(words[5]);
    let (d6, c6, b6_, a6) = explode(words[6]);
    if (count == 7) return bytes([a0, b0_, c0, d0, a1, b1_, c1, d1, a2, b2_, c2, d2, a3, b3_, c3, d3, a4, b4_, c4, d4, a5, b5_, c5, d5, a6, b6_, c6, d6]);
    let (d7, c7, b7_, a7) = explode(words[7]);
    if (count == 8) return bytes([a0, b0_, c0, d0, a1, b1_, c1, d1, a2, b2_, c2, d2, a3, b3_, c3, d3, a4, b4_, c4, d4, a5, b5_, c5, d5, a6, b6_, c6, d6, a7, b7_, c7, d7]);
    let (d8, c8, b8_, a8) = explode(words[8]);
    let (d9, c9, b9_, a9) = explode(words[9]);
    let (d10, c10, b10_, a10) = explode(words[10]);
    let (d11, c11, b11_, a11) = explode(words[11]);
    if (count == 12) return bytes([a0, b0_, c0, d0, a1, b1_, c1, d1, a2, b2_, c2, d2, a3, b3_, c3, d3, a4, b4_, c4, d4, a5, b5_, c5, d5, a6, b6_, c6, d6, a7, b7_, c7, d7, a8, b8_, c8, d8, a9, b9_, c9, d9, a10, b10_, c10, d10, a11, b11_, c11, d11]);
    let (d12, c12, b12_, a12) = explode(words[12]);
    let (d13, c13, b13_, a13) = explode(words[13]);
    let (d14, c14, b14_, a14) = explode(words[14]);
    let (d15, c15, b15_, a15) = explode(words[15]);
    bytes([a0, b0_, c0, d0, a1, b1_, c1, d1, a2, b2_, c2, d2, a3, b3_, c3, d3, a4, b4_, c4, d4, a5, b5_, c5, d5, a6, b6_, c6, d6, a7, b7_, c7, d7, a8, b8_, c8, d8, a9, b9_, c9, d9, a10, b10_, c10, d10, a11, b11_, c11, d11, a12, b12_, c12, d12, a13, b13_, c13, d13, a14, b14_, c14, d14, a15, b15_, c15, d15])
  };
}
