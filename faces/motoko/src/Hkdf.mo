/// HKDF, RFC 5869: derives keys from a secret that is not uniformly random, such as the result of a
/// key agreement. (For passwords see `Pbkdf2`.)
///
/// ```motoko
/// import HmacSha256 "mo:hashmill/hmac/Sha256";
/// import Hkdf "mo:hashmill/Hkdf";
///
/// let key = Hkdf.derive(HmacSha256.prf(#sha256), { secret; salt = ""; info = "sessions"; size = 32 });
/// ```

import Prim "mo:prim";
import Core "hmac/Core";

module {
  /// HMAC over a hash function. The function `prf` of `Hmac` and of each module in `hmac/` returns
  /// one.
  public type Prf = Core.Prf;

  public type Params = {
    secret : Blob;
    /// Any bytes. They need not be secret. An empty salt means no salt.
    salt : Blob;
    /// The purpose of the key. Different values of `info` give independent keys.
    info : Blob;
    /// The length of the output in bytes, at most 255 times the length of a tag.
    size : Nat;
  };

  /// Derives `size` bytes with both steps, `extract` and then `expand`. Traps if that is more than
  /// 255 tags.
  public func derive(prf : Prf, { secret; salt; info; size } : Params) : Blob = expand(prf, { key = extract(prf, { secret; salt }); info; size });

  /// Derives a key of the length of one tag from the secret: RFC 5869 §2.2.
  public func extract(prf : Prf, { secret; salt } : { secret : Blob; salt : Blob }) : Blob = prf.prepare(salt).mac(secret);

  /// Derives `size` bytes from a key that `extract` returned: RFC 5869 §2.3. Traps if that is more
  /// than 255 tags.
  public func expand(prf : Prf, { key; info; size } : { key : Blob; info : Blob; size : Nat }) : Blob {
    if (size > 255 * prf.size) Prim.trap("hashmill: HKDF gives at most 255 tags of output");
    let { mac } = prf.prepare(key);
    let output = Prim.Array_init<Nat8>(size, 0);
    let infoSize = info.size();
    var tag : Blob = "";
    var count : Nat8 = 0;
    var at = 0;
    while (at < size) {
      count += 1;
      let before = tag;
      let beforeSize = before.size();
      tag := mac(
        Prim.arrayToBlob(
          Prim.Array_tabulate<Nat8>(
            beforeSize + infoSize + 1,
            func i = if (i < beforeSize) before[i] else if (i < beforeSize + infoSize) info[i - beforeSize] else count,
          )
        )
      );
      for (byte in tag.vals()) {
        if (at < size) {
          output[at] := byte;
          at += 1;
        };
      };
    };
    Prim.arrayMutToBlob(output);
  };
}
