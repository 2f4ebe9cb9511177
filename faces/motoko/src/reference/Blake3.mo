/// A slow, literal transcription of BLAKE3: the BLAKE3 paper, with its names, in plain loops. No
/// other module uses it. It is for readers, and the tests compare `kernels/Blake3` with it.

import Prim "mo:prim";

module {
  public type Mode = { #hash; #keyed : Blob; #deriveKey : Text };

  /// §2.2, Table 1.
  let IV : [Nat32] = [
    0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a, 0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19,
  ];

  /// §2.2, Table 2.
  let PERMUTATION : [Nat] = [2, 6, 3, 10, 7, 0, 4, 13, 1, 11, 12, 5, 9, 14, 15, 8];

  /// §2.2, Table 3.
  let CHUNK_START : Nat32 = 1;
  let CHUNK_END : Nat32 = 2;
  let PARENT : Nat32 = 4;
  let ROOT : Nat32 = 8;
  let KEYED_HASH : Nat32 = 16;
  let DERIVE_KEY_CONTEXT : Nat32 = 32;
  let DERIVE_KEY_MATERIAL : Nat32 = 64;

  /// §2.2: the compression function of the chaining value h, the block m, the counter t, the number
  /// of bytes b and the flags d.
  public func compress(h : [Nat32], m : [Nat32], t : Nat64, b : Nat32, d : Nat32) : [Nat32] {
    let v = Prim.Array_tabulateVar<Nat32>(16, func i = if (i < 8) h[i] else if (i < 12) IV[i - 8] else [low(t), low(t >> 32), b, d][i - 12]);

    func G(a : Nat, b : Nat, c : Nat, d : Nat, x : Nat32, y : Nat32) {
      v[a] := v[a] +% v[b] +% x;
      v[d] := (v[d] ^ v[a]) <>> 16;
      v[c] := v[c] +% v[d];
      v[b] := (v[b] ^ v[c]) <>> 12;
      v[a] := v[a] +% v[b] +% y;
      v[d] := (v[d] ^ v[a]) <>> 8;
      v[c] := v[c] +% v[d];
      v[b] := (v[b] ^ v[c]) <>> 7;
    };

    var words = m;
    for (_ in range(7)) {
      G(0, 4, 8, 12, words[0], words[1]);
      G(1, 5, 9, 13, words[2], words[3]);
      G(2, 6, 10, 14, words[4], words[5]);
      G(3, 7, 11, 15, words[6], words[7]);
      G(0, 5, 10, 15, words[8], words[9]);
      G(1, 6, 11, 12, words[10], words[11]);
      G(2, 7, 8, 13, words[12], words[13]);
      G(3, 4, 9, 14, words[14], words[15]);
      let before = words;
      words := Prim.Array_tabulate<Nat32>(16, func i = before[PERMUTATION[i]]);
    };
    Prim.Array_tabulate<Nat32>(16, func i = if (i < 8) v[i] ^ v[i + 8] else v[i] ^ h[i - 8]);
  };

  /// The last call of the compression function of a node, which the root makes with another flag,
  /// once for each block of output.
  type Node = { h : [Nat32]; m : [Nat32]; t : Nat64; b : Nat32; d : Nat32 };

  /// The first `size` bytes of the output.
  public func hash(mode : Mode, message : Blob, size : Nat) : Blob = switch mode {
    case (#hash) output(tree(message, 0, message.size(), IV, 0), size);
    case (#keyed key) output(tree(message, 0, message.size(), words(key, 0, 32), KEYED_HASH), size);
    case (#deriveKey context) {
      let text = Prim.encodeUtf8(context);
      let key = output(tree(text, 0, text.size(), IV, DERIVE_KEY_CONTEXT), 32);
      output(tree(message, 0, message.size(), words(key, 0, 32), DERIVE_KEY_MATERIAL), size);
    };
  };

  /// §2.1: the node of the message from byte `start` to byte `end`. The left subtree is complete,
  /// and the largest that leaves at least one byte for the right one.
  func tree(message : Blob, start : Nat, end : Nat, key : [Nat32], flags : Nat32) : Node {
    if (end <= start + 1024) return chunk(message, start, end, key, flags);
    var left = 1024;
    while (start + 2 * left < end) left *= 2;
    let l = value(tree(message, start, start + left, key, flags));
    let r = value(tree(message, start + left, end, key, flags));
    parent(key, l, r, flags);
  };

  /// §2.5.
  public func parent(key : [Nat32], left : [Nat32], right : [Nat32], flags : Nat32) : Node = {
    h = key;
    m = Prim.Array_tabulate<Nat32>(16, func i = if (i < 8) left[i] else right[i - 8]);
    t = 0;
    b = 64;
    d = flags | PARENT;
  };

  /// §2.4.
  func chunk(message : Blob, start : Nat, end : Nat, key : [Nat32], flags : Nat32) : Node {
    var h = key;
    var at = start;
    let t = Prim.natToNat64(start / 1024);
    var d = flags | CHUNK_START;
    while (at + 64 < end) {
      h := value({ h; m = words(message, at, at + 64); t; b = 64; d });
      d := flags;
      at += 64;
    };
    { h; m = words(message, at, end); t; b = Prim.natToNat32(end - at); d = d | CHUNK_END };
  };

  public func value({ h; m; t; b; d } : Node) : [Nat32] {
    let v = compress(h, m, t, b, d);
    Prim.Array_tabulate<Nat32>(8, func i = v[i]);
  };

  /// §2.6.
  func output({ h; m; b; d } : Node, size : Nat) : Blob {
    let bytes = Prim.Array_init<Nat8>(size, 0);
    var block : [Nat32] = [];
    for (i in bytes.keys()) {
      if (i % 64 == 0) block := compress(h, m, Prim.natToNat64(i / 64), b, d | ROOT);
      let word = block[i % 64 / 4] >> Prim.natToNat32(8 * (i % 4));
      bytes[i] := Prim.natToNat8(Prim.nat32ToNat(word & 0xff));
    };
    Prim.arrayToBlob(Prim.Array_tabulate<Nat8>(size, func i = bytes[i]));
  };

  /// The bytes from `start` to `end`, at most a block, as little-endian words, and zeros.
  func words(bytes : Blob, start : Nat, end : Nat) : [Nat32] {
    let out = Prim.Array_init<Nat32>(16, 0);
    for (i in range(end - start)) out[i / 4] |= Prim.natToNat32(Prim.nat8ToNat(bytes[start + i])) << Prim.natToNat32(8 * (i % 4));
    Prim.Array_tabulate<Nat32>(16, func i = out[i]);
  };

  func low(x : Nat64) : Nat32 = Prim.nat64ToNat32(x & 0xffffffff);
  func range(count : Nat) : { next : () -> ?Nat } = Prim.Array_init<Nat8>(count, 0).keys();
}
