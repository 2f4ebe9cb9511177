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
      let { state; tail; length } = digest.share();
      let pairs = tail.size() / 2;
      let isOdd = tail.size() % 2 == 1;
      func high(i : Nat) : Nat16 = Prim.nat8ToNat16(tail[i]) << 8;
      {
        msg = Prim.Array_tabulate<Nat16>(32, func i = if (i < pairs) high(2 * i) | Prim.nat8ToNat16(tail[2 * i + 1]) else 0);
        digest = Prim.Array_tabulate<Nat8>(outputSize(algo_), func _ = 0);
        i_msg = Prim.natToNat8(pairs);
        i_block = Prim.nat64ToNat32(length >> 6);
        high = not isOdd;
        word = if (isOdd) high(2 * pairs) else 0;
        sh = Prim.Array_tabulate<Nat16>(8, func i = Prim.nat32ToNat16(state[i] >> 16));
        sl = Prim.Array_tabulate<Nat16>(8, func i = Prim.nat32ToNat16(state[i] & 0xffff));
      };
    };

    /// Continues from `state` instead of the current message. Traps if no message can have this
    /// state.
    public func unshare(state : StaticSha256) {
      let { msg; i_msg; i_block; word; sh; sl } = state;
      let odd = if (state.high) 0 else 1;
      let held = 2 * Prim.nat8ToNat(i_msg) + odd;
      if (msg.size() != 32 or state.digest.size() != outputSize(algo_) or held > 63 or sh.size() != 8 or sl.size() != 8) {
        Prim.trap("hashmill: this is not a shared digest of this algorithm");
      };
      digest := Sha256.unshare({
        algo = algo_;
        state = Prim.Array_tabulate<Nat32>(8, func i = (Prim.nat16ToNat32(sh[i]) << 16) | Prim.nat16ToNat32(sl[i]));
        tail = Prim.arrayToBlob(
          Prim.Array_tabulate<Nat8>(
            held,
            func i {
              let pair = if (i + odd == held and odd == 1) word else msg[i / 2];
              Prim.nat16ToNat8(if (i % 2 == 0) pair >> 8 else pair & 0xff);
            },
          )
        );
        length = (Prim.nat32ToNat64(i_block) << 6) | Prim.natToNat64(held);
      });
    };
  };

  public func fromBlob(algo : Algorithm, b : Blob) : Blob = Sha256.fromBlob(algo, b);

  public func fromArray(algo : Algorithm, arr : [Nat8]) : Blob = Sha256.fromArray(algo, arr);

  public func fromIter(algo : Algorithm, iter : { next() : ?Nat8 }) : Blob = Sha256.fromIter(algo, iter);

  func outputSize(algo : Algorithm) : Nat = switch algo { case (#sha224) 28; case (#sha256) 32 };
}
