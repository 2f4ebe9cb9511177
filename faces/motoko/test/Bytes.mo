/// Bytes for the tests: patterns, hexadecimal, slices, and pieces of random lengths.

import Prim "mo:prim";
import Faces "Faces";

module {
  /// Returns `size` bytes, of which byte i is i mod 251.
  public func pattern(size : Nat) : Blob = tabulate(size, func i = Prim.natToNat8(i % 251));

  public func tabulate(size : Nat, at : Nat -> Nat8) : Blob = Prim.arrayToBlob(Prim.Array_tabulate<Nat8>(size, at));

  public func slice(data : Blob, start : Nat, size : Nat) : Blob = tabulate(size, func i = data[start + i]);

  public func concat(a : Blob, b : Blob) : Blob = tabulate(a.size() + b.size(), func i = if (i < a.size()) a[i] else b[i - a.size() : Nat]);

  public func unhex(text : Text) : Blob {
    let digits = Prim.encodeUtf8(text);
    func digit(c : Nat8) : Nat8 = if (c >= 97) c - 87 else c - 48;
    tabulate(digits.size() / 2, func i = digit(digits[2 * i]) * 16 + digit(digits[2 * i + 1]));
  };

  public func hex(data : Blob) : Text {
    var text = "";
    for (byte in data.vals()) {
      for (digit in [byte / 16, byte % 16].vals()) {
        text #= Prim.charToText(Prim.nat32ToChar(Prim.natToNat32(Prim.nat8ToNat(if (digit < 10) digit + 48 else digit + 87))));
      };
    };
    text;
  };

  public func varArray(data : Blob) : [var Nat8] = Prim.Array_tabulateVar<Nat8>(data.size(), func i = data[i]);

  public func reader(data : Blob) : () -> Nat8 {
    var i = 0;
    func() {
      i += 1;
      data[i - 1 : Nat];
    };
  };

  /// A pseudorandom number generator, xorshift64. The same seed gives the same numbers.
  public class Random(seed : Nat64) {
    var x = seed;
    public func below(bound : Nat) : Nat {
      x ^= x << 13;
      x ^= x >> 7;
      x ^= x << 17;
      Prim.nat64ToNat(x % Prim.natToNat64(bound));
    };
  };

  /// Writes `data` in pieces of at most `longest` bytes. Each piece uses a random one of the
  /// writer's functions, and after about every fourth piece the writer is stored and restored.
  /// Returns the last writer.
  public func writePieces(writer : Faces.Writer, data : Blob, longest : Nat, random : Random) : Faces.Writer {
    var w = writer;
    var at = 0;
    while (at < data.size()) {
      let size = Prim.natToNat64(random.below(longest + 1));
      let rest = Prim.natToNat64(data.size() - at : Nat);
      let piece = slice(data, at, Prim.nat64ToNat(if (size < rest) size else rest));
      switch (random.below(6)) {
        case 0 w.blob(piece);
        case 1 w.array(Prim.blobToArray(piece));
        case 2 w.varArray(varArray(piece));
        case 3 w.iter(piece.vals());
        case 4 {
          let start = at;
          w.accessor(func i = data[i], start, piece.size());
        };
        case _ w.reader(reader(piece), piece.size());
      };
      at += piece.size();
      if (random.below(4) == 0) w := w.stored();
    };
    w;
  };
}
