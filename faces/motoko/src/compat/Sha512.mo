/// The interface of the package `sha2` 0.1.10, over this package's SHA-512 and its truncations:
/// change the import from `mo:sha2/Sha512` to `mo:hashmill/compat/Sha512`. The documentation of
/// `compat/Sha256` lists the differences.

import Prim "mo:prim";
import Sha512 "../Sha512";
import Stream "../Stream";

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
      let stream = digest.stream;
      let { state = s; buffer } = stream;
      let (held, length) = (stream.held, stream.length);
      Stream.mustBeOpen(stream);
      let words = Prim.nat64ToNat(held >> 3);
      let partial = held & 7;
      func w(i : Nat) : Nat64 = if (i < words) word64(buffer, i) else 0;
      {
        // The words of the block, and the place of the 64 further words of its schedule.
        msg = [w(0), w(1), w(2), w(3), w(4), w(5), w(6), w(7), w(8), w(9), w(10), w(11), w(12), w(13), w(14), w(15), 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0];
        digest = zeros(algo_);
        word = if (partial == 0) 0 else word64(buffer, words) >> (64 - 8 * partial);
        i_msg = Prim.natToNat8(words);
        i_byte = Prim.natToNat8(8 - Prim.nat64ToNat(partial));
        i_block = length >> 7;
        s = [word64(s, 0), word64(s, 1), word64(s, 2), word64(s, 3), word64(s, 4), word64(s, 5), word64(s, 6), word64(s, 7)];
      };
    };

    /// Continues from `state` instead of the current message. Traps if no message can have this
    /// state.
    public func unshare(state : StaticSha512) {
      let { msg; i_msg; i_byte; i_block; word; s } = state;
      let words = Prim.nat8ToNat(i_msg);
      if (msg.size() != 80 or state.digest.size() != zeros(algo_).size() or words > 15 or i_byte == 0 or i_byte > 8 or s.size() != 8 or i_block >= 1 << 57) notShared();
      let missing = Prim.natToNat64(Prim.nat8ToNat(i_byte));
      let length = (i_block << 7) | (Prim.natToNat64(8 * words + 8) - missing);
      let halves = [var high(s[0]), low(s[0]), high(s[1]), low(s[1]), high(s[2]), low(s[2]), high(s[3]), low(s[3]), high(s[4]), low(s[4]), high(s[5]), low(s[5]), high(s[6]), low(s[6]), high(s[7]), low(s[7])];
      let ?restored = Sha512.restore(algo_, halves, length) else return notShared();
      let buffer = restored.stream.buffer;
      func put(i : Nat, bytes : Nat64) {
        buffer[2 * i] := high(bytes);
        buffer[2 * i + 1] := low(bytes);
      };
      var i = 0;
      while (i < words) {
        put(i, msg[i]);
        i += 1;
      };
      if (missing < 8) put(words, word << (8 * missing));
      digest := restored;
    };
  };

  /// Returns word `i`, whose halves lie one after the other, the high one first.
  func word64(halves : [var Nat32], i : Nat) : Nat64 = (Prim.nat32ToNat64(halves[2 * i]) << 32) | Prim.nat32ToNat64(halves[2 * i + 1]);

  func high(word : Nat64) : Nat32 = Prim.nat64ToNat32(word >> 32);

  func low(word : Nat64) : Nat32 = Prim.nat64ToNat32(word & 0xffffffff);

  func notShared() = Prim.trap("hashmill: this is not a shared digest of this algorithm");

  public func fromBlob(algo : Algorithm, b : Blob) : Blob = Sha512.fromBlob(algo, b);

  public func fromArray(algo : Algorithm, arr : [Nat8]) : Blob = Sha512.fromArray(algo, arr);

  public func fromIter(algo : Algorithm, iter : { next() : ?Nat8 }) : Blob = Sha512.fromIter(algo, iter);

  /// Returns as many zeros as the digest has bytes.
  func zeros(algo : Algorithm) : [Nat8] = switch algo { case (#sha512_224) ZEROS_28; case (#sha512_256) ZEROS_32; case (#sha384) ZEROS_48; case (#sha512) ZEROS_64 };

  let ZEROS_28 : [Nat8] = [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0];
  let ZEROS_32 : [Nat8] = [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0];
  let ZEROS_48 : [Nat8] = [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0];
  let ZEROS_64 : [Nat8] = [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0];
}
