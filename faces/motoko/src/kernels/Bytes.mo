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
    (b16(data[n64(i +% 0)]) | (b16(data[n64(i +% 1)]) *% 256), b16(data[n64(i +% 2)]) | (b16(data[n64(i +% 3)]) *% 256), b16(data[n64(i +% 4)]) | (b16(data[n64(i +% 5)]) *% 256), b16(data[n64(i +% 6)]) | (b16(data[n64(i +% 7)]) *% 256))
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
    (b16(data[n64(i +% 0)]) | (b16(data[n64(i +% 1)]) *% 256), b16(data[n64(i +% 2)]) | (b16(data[n64(i +% 3)]) *% 256), b16(data[n64(i +% 4)]) | (b16(data[n64(i +% 5)]) *% 256), b16(data[n64(i +% 6)]) | (b16(data[n64(i +% 7)]) *% 256))
  };

  /// Puts `data` from `start` to `end` into the buffer from its byte `at` on.
  public func putVarArray(buffer : [var Nat32], at : Nat64, first : Nat64, data : [var Nat8], start : Nat64, end : Nat64) {
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
  public func lastVarArray(data : [var Nat8], start : Nat64, end : Nat64, marker : Nat32) : Nat32 {
    var word = w64(marker);
    var i = end;
    while (i > start) {
      i -%= 1;
      word := (word >> 8) | (w64(h32(b16(data[n64(i +% 0)]))) << 24);
    };
    w32(word)
  };

  /// Eight bytes from `at` on as a little-endian word: its quarters, the low one first. They are never boxed.
  public func laneVarArray(data : [var Nat8], at : Nat64) : (Nat16, Nat16, Nat16, Nat16) {
    let i = at;
    (b16(data[n64(i +% 0)]) | (b16(data[n64(i +% 1)]) *% 256), b16(data[n64(i +% 2)]) | (b16(data[n64(i +% 3)]) *% 256), b16(data[n64(i +% 4)]) | (b16(data[n64(i +% 5)]) *% 256), b16(data[n64(i +% 6)]) | (b16(data[n64(i +% 7)]) *% 256))
  };

  /// Puts `data` from `start` to `end` into the buffer from its byte `at` on.
  public func putAccessor(buffer : [var Nat32], at : Nat64, first : Nat64, data : Nat -> Nat8, start : Nat64, end : Nat64) {
    var p = at;
    var i = start;
    var word : Nat64 = if (p & 3 == 0) 0 else w64(buffer[n64(p >> 2)]);
    while (i < end) {
      if (p & 3 == 0 and i +% 4 <= end) {
        buffer[n64(p >> 2)] := w32((w64(h32(b16(data(n64(i +% 0))))) << (first ^ 0)) | (w64(h32(b16(data(n64(i +% 1))))) << (first ^ 8)) | (w64(h32(b16(data(n64(i +% 2))))) << (first ^ 16)) | (w64(h32(b16(data(n64(i +% 3))))) << (first ^ 24)));
        p +%= 4;
        i +%= 4;
      } else {
        word |= w64(h32(b16(data(n64(i +% 0))))) << (first ^ ((p & 3) << 3));
        buffer[n64(p >> 2)] := w32(word);
        p +%= 1;
        i +%= 1;
        if (p & 3 == 0) word := 0;
      };
    };
  };

  /// Eight bytes from `at` on as a little-endian word: its quarters, the low one first. They are never boxed.
  public func laneAccessor(data : Nat -> Nat8, at : Nat64) : (Nat16, Nat16, Nat16, Nat16) {
    let i = at;
    (b16(data(n64(i +% 0))) | (b16(data(n64(i +% 1))) *% 256), b16(data(n64(i +% 2))) | (b16(data(n64(i +% 3))) *% 256), b16(data(n64(i +% 4))) | (b16(data(n64(i +% 5))) *% 256), b16(data(n64(i +% 6))) | (b16(data(n64(i +% 7))) *% 256))
  };

  /// Puts `data` from `start` to `end` into the buffer from its byte `at` on.
  public func putReader(buffer : [var Nat32], at : Nat64, first : Nat64, data : () -> Nat8, start : Nat64, end : Nat64) {
    var p = at;
    var i = start;
    var word : Nat64 = if (p & 3 == 0) 0 else w64(buffer[n64(p >> 2)]);
    while (i < end) {
      if (p & 3 == 0 and i +% 4 <= end) {
        buffer[n64(p >> 2)] := w32((w64(h32(b16(data()))) << (first ^ 0)) | (w64(h32(b16(data()))) << (first ^ 8)) | (w64(h32(b16(data()))) << (first ^ 16)) | (w64(h32(b16(data()))) << (first ^ 24)));
        p +%= 4;
        i +%= 4;
      } else {
        word |= w64(h32(b16(data()))) << (first ^ ((p & 3) << 3));
        buffer[n64(p >> 2)] := w32(word);
        p +%= 1;
        i +%= 1;
        if (p & 3 == 0) word := 0;
      };
    };
  };

  /// Eight bytes from `at` on as a little-endian word: its quarters, the low one first. They are never boxed.
  public func laneReader(data : () -> Nat8, _ : Nat64) : (Nat16, Nat16, Nat16, Nat16) {
    (b16(data()) | (b16(data()) *% 256), b16(data()) | (b16(data()) *% 256), b16(data()) | (b16(data()) *% 256), b16(data()) | (b16(data()) *% 256))
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
    let (s0, r0, q0, p0) = explode(words[0]);
    let (s1, r1, q1, p1) = explode(words[1]);
    let (s2, r2, q2, p2) = explode(words[2]);
    let (s3, r3, q3, p3) = explode(words[3]);
    let (s4, r4, q4, p4) = explode(words[4]);
    let (s5, r5, q5, p5) = explode(words[5]);
    let (s6, r6, q6, p6) = explode(words[6]);
    if (count == 7) return bytes([p0, q0, r0, s0, p1, q1, r1, s1, p2, q2, r2, s2, p3, q3, r3, s3, p4, q4, r4, s4, p5, q5, r5, s5, p6, q6, r6, s6]);
    let (s7, r7, q7, p7) = explode(words[7]);
    if (count == 8) return bytes([p0, q0, r0, s0, p1, q1, r1, s1, p2, q2, r2, s2, p3, q3, r3, s3, p4, q4, r4, s4, p5, q5, r5, s5, p6, q6, r6, s6, p7, q7, r7, s7]);
    let (s8, r8, q8, p8) = explode(words[8]);
    let (s9, r9, q9, p9) = explode(words[9]);
    let (s10, r10, q10, p10) = explode(words[10]);
    let (s11, r11, q11, p11) = explode(words[11]);
    if (count == 12) return bytes([p0, q0, r0, s0, p1, q1, r1, s1, p2, q2, r2, s2, p3, q3, r3, s3, p4, q4, r4, s4, p5, q5, r5, s5, p6, q6, r6, s6, p7, q7, r7, s7, p8, q8, r8, s8, p9, q9, r9, s9, p10, q10, r10, s10, p11, q11, r11, s11]);
    let (s12, r12, q12, p12) = explode(words[12]);
    let (s13, r13, q13, p13) = explode(words[13]);
    let (s14, r14, q14, p14) = explode(words[14]);
    let (s15, r15, q15, p15) = explode(words[15]);
    bytes([p0, q0, r0, s0, p1, q1, r1, s1, p2, q2, r2, s2, p3, q3, r3, s3, p4, q4, r4, s4, p5, q5, r5, s5, p6, q6, r6, s6, p7, q7, r7, s7, p8, q8, r8, s8, p9, q9, r9, s9, p10, q10, r10, s10, p11, q11, r11, s11, p12, q12, r12, s12, p13, q13, r13, s13, p14, q14, r14, s14, p15, q15, r15, s15])
  };
}
