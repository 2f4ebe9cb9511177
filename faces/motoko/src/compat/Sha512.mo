/// The interface of the package `sha2` 0.1.10, over this package's SHA-512 and its truncations:
/// change the import from `mo:sha2/Sha512` to `mo:hashmill/compat/Sha512`. The documentation of
/// `compat/Sha256` lists the differences.

import Prim "mo:prim";
import Sha512 "../Sha512";

module {
  public type Algorithm = Sha512.Algorithm;

  /// A digest as immutable data, as `share` returns it.
  public type StaticSha512 = {
    msg : [Nat64];
    digest : [Nat8];
    word : Nat64;
    i_msg : Nat8;
    i_byte : Nat8;
    i_block : Nat64;
    s : [Nat64];
  };

  public class Digest(algo_ : Algorithm) {
    var digest = Sha512.new(algo_);

    public func algo() : Algorithm = algo_;

    /// Discards the current message and begins a new one.
    public func reset() = digest.reset();

    public func writeBlob(blob : Blob) = digest.writeBlob(blob);

    public func writeArray(arr : [Nat8]) = digest.writeArray(arr);

    /// Writes every byte that the iterator returns.
    public func writeIter(iter : { next() : ?Nat8 }) = digest.writeIter(iter);

    /// Ends the message and returns its hash.
    public func sum() : Blob = digest.sum();

    /// Returns the digest as immutable data.
    public func share() : StaticSha512 {
      let { state; tail; length } = digest.share();
      let words = tail.size() / 8;
      let partial = tail.size() % 8;
      /// Returns the `count` bytes from `start` on as a big-endian number.
      func word(start : Nat, count : Nat) : Nat64 {
        var x : Nat64 = 0;
        var i = 0;
        while (i < count) {
          x := (x << 8) | Prim.natToNat64(Prim.nat8ToNat(tail[start + i]));
          i += 1;
        };
        x;
      };
      {
        msg = Prim.Array_tabulate<Nat64>(80, func i = if (i < words) word(8 * i, 8) else 0);
        digest = Prim.Array_tabulate<Nat8>(outputSize(algo_), func _ = 0);
        word = word(8 * words, partial);
        i_msg = Prim.natToNat8(words);
        i_byte = Prim.natToNat8(8 - partial);
        i_block = length >> 7;
        s = Prim.Array_tabulate<Nat64>(8, func i = (Prim.nat32ToNat64(state[2 * i]) << 32) | Prim.nat32ToNat64(state[2 * i + 1]));
      };
    };

    /// Continues from `state` instead of the current message. Traps if no message can have this
    /// state.
    public func unshare(state : StaticSha512) {
      let { msg; i_msg; i_byte; i_block; word; s } = state;
      let words = Prim.nat8ToNat(i_msg);
      if (msg.size() != 80 or state.digest.size() != outputSize(algo_) or words > 15 or i_byte == 0 or i_byte > 8 or s.size() != 8 or i_block >= 1 << 57) {
        Prim.trap("hashmill: this is not a shared digest of this algorithm");
      };
      let partial = 8 - Prim.nat8ToNat(i_byte) : Nat;
      let held = 8 * words + partial;
      digest := Sha512.unshare({
        algo = algo_;
        state = Prim.Array_tabulate<Nat32>(16, func i = Prim.nat64ToNat32(if (i % 2 == 0) s[i / 2] >> 32 else s[i / 2] & 0xffffffff));
        tail = Prim.arrayToBlob(
          Prim.Array_tabulate<Nat8>(
            held,
            func i {
              let (bytes, count) = if (i / 8 < words) (msg[i / 8], 8) else (word, partial);
              Prim.natToNat8(Prim.nat64ToNat((bytes >> Prim.natToNat64(8 * (count - 1 - i % 8 : Nat))) & 0xff));
            },
          )
        );
        length = (i_block << 7) | Prim.natToNat64(held);
      });
    };
  };

  public func fromBlob(algo : Algorithm, b : Blob) : Blob = Sha512.fromBlob(algo, b);

  public func fromArray(algo : Algorithm, arr : [Nat8]) : Blob = Sha512.fromArray(algo, arr);

  public func fromIter(algo : Algorithm, iter : { next() : ?Nat8 }) : Blob = Sha512.fromIter(algo, iter);

  func outputSize(algo : Algorithm) : Nat = switch algo { case (#sha512_224) 28; case (#sha512_256) 32; case (#sha384) 48; case (#sha512) 64 };
}
