/// The interface of the package `sha2` 0.1.10, over this package's SHA-256 and SHA-224: change the
/// import from `mo:sha2/Sha256` to `mo:hashmill/compat/Sha256`. A digest that one package's `share`
/// returned can be passed to the other package's `unshare`.
///
/// ```motoko
/// import Sha256 "mo:hashmill/compat/Sha256";
///
/// let digest = Sha256.Digest(#sha256);
/// digest.writeBlob("abc");
/// let hash = digest.sum();
/// ```
///
/// There are two differences. First, this package does not have the functions
/// `process_blocks_from_iter` and `write_iter_to_buffer` of `sha2`'s digest, which are not part of
/// its documented interface. Second, after `sum`, writing, `sum` and `share` trap until `reset` or
/// `unshare` is called; the digest of `sha2` returns wrong hashes.

import Prim "mo:prim";
import Sha256 "../Sha256";
import Stream "../Stream";

module {
  public type Algorithm = Sha256.Algorithm;

  /// A digest as immutable data, as `share` returns it.
  public type StaticSha256 = {
    msg : [Nat16];
    digest : [Nat8];
    i_msg : Nat8;
    i_block : Nat32;
    high : Bool;
    word : Nat16;
    sh : [Nat16];
    sl : [Nat16];
  };

  public class Digest(algo_ : Algorithm) {
    var digest = Sha256.new(algo_);

    public func algo() : Algorithm = algo_;

    /// Discards the current message and begins a new one.
    public func reset() = digest.reset();

    public func writeBlob(blob : Blob) = digest.writeBlob(blob);

    public func writeArray(arr : [Nat8]) = digest.writeArray(arr);

    /// Writes every byte that the iterator returns.
    public func writeIter(iter : { next() : ?Nat8 }) = digest.writeIter(iter);

    /// Ends the message and returns its hash.
    public func sum() : Blob = digest.sum();

    /// Returns the digest as immutable data. Traps if the message has 256 GiB or more, because the
    /// format of `sha2` cannot represent that length.
    public func share() : StaticSha256 {
      let stream = digest.stream;
      let { state = s; buffer } = stream;
      let (held, length) = (stream.held, stream.length);
      Stream.mustBeOpen(stream);
      // The numbers of words whose first two, and whose last two bytes are of the message.
      let (highs, lows) = (Prim.nat64ToNat((held + 2) >> 2), Prim.nat64ToNat(held >> 2));
      func h(i : Nat) : Nat16 = if (i < highs) high(buffer[i]) else 0;
      func l(i : Nat) : Nat16 = if (i < lows) low(buffer[i]) else 0;
      let pairs = Prim.nat64ToNat(held >> 1);
      let isOdd = held & 1 == 1;
      {
        // A literal, because `share` takes at most 6,600 instructions with it and 11,500 with
        // `Array_tabulate`; that of `sha2` takes 7,500.
        msg = [h(0), l(0), h(1), l(1), h(2), l(2), h(3), l(3), h(4), l(4), h(5), l(5), h(6), l(6), h(7), l(7), h(8), l(8), h(9), l(9), h(10), l(10), h(11), l(11), h(12), l(12), h(13), l(13), h(14), l(14), h(15), l(15)];
        digest = zeros(algo_);
        i_msg = Prim.natToNat8(pairs);
        i_block = Prim.nat64ToNat32(length >> 6);
        high = not isOdd;
        word = if (not isOdd) 0 else if (highs == lows) high(buffer[lows]) & 0xff00 else low(buffer[lows]) & 0xff00;
        sh = [high(s[0]), high(s[1]), high(s[2]), high(s[3]), high(s[4]), high(s[5]), high(s[6]), high(s[7])];
        sl = [low(s[0]), low(s[1]), low(s[2]), low(s[3]), low(s[4]), low(s[5]), low(s[6]), low(s[7])];
      };
    };

    /// Continues from `state` instead of the current message. Traps if no message can have this
    /// state.
    public func unshare(state : StaticSha256) {
      let { msg; i_msg; i_block; word; sh; sl } = state;
      let pairs = Prim.nat8ToNat(i_msg);
      if (msg.size() != 32 or state.digest.size() != zeros(algo_).size() or pairs > 31 or sh.size() != 8 or sl.size() != 8) notShared();
      func h(i : Nat) : Nat32 = both(sh[i], sl[i]);
      let held = Prim.natToNat64(2 * pairs) + (if (state.high) 0 else 1);
      let length = (Prim.nat32ToNat64(i_block) << 6) | held;
      let ?restored = Sha256.restore(algo_, [var h(0), h(1), h(2), h(3), h(4), h(5), h(6), h(7)], length) else return notShared();
      let buffer = restored.stream.buffer;
      func pair(i : Nat) : Nat16 = if (i < pairs) msg[i] else if (i == pairs and not state.high) word else 0;
      var i = 0;
      while (2 * i + 1 < pairs) {
        buffer[i] := both(msg[2 * i], msg[2 * i + 1]);
        i += 1;
      };
      buffer[i] := both(pair(2 * i), pair(2 * i + 1));
      digest := restored;
    };
  };

  func both(high : Nat16, low : Nat16) : Nat32 = (Prim.nat16ToNat32(high) << 16) | Prim.nat16ToNat32(low);

  func high(word : Nat32) : Nat16 = Prim.nat32ToNat16(word >> 16);

  func low(word : Nat32) : Nat16 = Prim.nat32ToNat16(word & 0xffff);

  func notShared() = Prim.trap("hashmill: this is not a shared digest of this algorithm");

  public func fromBlob(algo : Algorithm, b : Blob) : Blob = Sha256.fromBlob(algo, b);

  public func fromArray(algo : Algorithm, arr : [Nat8]) : Blob = Sha256.fromArray(algo, arr);

  public func fromIter(algo : Algorithm, iter : { next() : ?Nat8 }) : Blob = Sha256.fromIter(algo, iter);

  /// Returns as many zeros as the digest has bytes.
  func zeros(algo : Algorithm) : [Nat8] = switch algo { case (#sha224) ZEROS_28; case (#sha256) ZEROS_32 };

  let ZEROS_28 : [Nat8] = [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0];
  let ZEROS_32 : [Nat8] = [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0];
}
