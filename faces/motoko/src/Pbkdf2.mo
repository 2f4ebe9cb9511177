/// PBKDF2, RFC 8018 §5.2: derives keys from a password, such as the seed of a BIP-39 mnemonic.
///
/// ```motoko
/// import HmacSha512 "mo:hashmill/hmac/Sha512";
/// import Pbkdf2 "mo:hashmill/Pbkdf2";
///
/// let seed = Pbkdf2.derive(HmacSha512.prf(#sha512), { password; salt = "mnemonic"; iterations = 2048; size = 64 });
/// ```
///
/// For each tag of output, a call absorbs two blocks in each iteration. The nodes that run the
/// canister can see the password.

import Prim "mo:prim";
import Core "hmac/Core";

module {
  /// HMAC over a hash function. The function `prf` of `Hmac` and of each module in `hmac/` returns
  /// one.
  public type Prf = Core.Prf;

  public type Params = {
    password : Blob;
    /// Need not be secret. Use a different salt for each password.
    salt : Blob;
    /// At least 1.
    iterations : Nat;
    /// The length of the output in bytes.
    size : Nat;
  };

  /// Derives `size` bytes from the password. Traps if `iterations` is 0 or if the output is longer
  /// than 2³² − 1 tags.
  public func derive(prf : Prf, { password; salt; iterations; size } : Params) : Blob {
    if (iterations == 0) Prim.trap("hashmill: PBKDF2 needs at least one iteration");
    if (size > 0xffff_ffff * prf.size) Prim.trap("hashmill: PBKDF2 gives at most 2^32 - 1 tags of output");
    let { chain } = prf.prepare(password);
    let output = Prim.Array_init<Nat8>(size, 0);
    let saltSize = salt.size();
    var block : Nat32 = 0;
    var at = 0;
    while (at < size) {
      block += 1;
      let (b0, b1, b2, b3) = Prim.explodeNat32(block);
      let number = [b0, b1, b2, b3];
      let first = Prim.arrayToBlob(Prim.Array_tabulate<Nat8>(saltSize + 4, func i = if (i < saltSize) salt[i] else number[i - saltSize]));
      for (byte in chain(first, iterations).vals()) {
        if (at < size) {
          output[at] := byte;
          at += 1;
        };
      };
    };
    Prim.arrayMutToBlob(output);
  };
}
