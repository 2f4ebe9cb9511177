/// An actor with everything that users may keep in stable variables. test/State.most contains its
/// stable types in the last release. The tests fail if an upgrade from those types to the current
/// ones would be refused.

import Ascon "mo:hashmill/Ascon";
import Blake2b "mo:hashmill/Blake2b";
import Blake3 "mo:hashmill/Blake3";
import Compat256 "mo:hashmill/compat/Sha256";
import Compat512 "mo:hashmill/compat/Sha512";
import Hmac "mo:hashmill/Hmac";
import HmacBlake2b "mo:hashmill/hmac/Blake2b";
import HmacSha256 "mo:hashmill/hmac/Sha256";
import HmacSha3 "mo:hashmill/hmac/Sha3";
import HmacSha512 "mo:hashmill/hmac/Sha512";
import HmacSm3 "mo:hashmill/hmac/Sm3";
import MerkleTree "mo:hashmill/MerkleTree";
import Sha256 "mo:hashmill/Sha256";
import Sha3 "mo:hashmill/Sha3";
import Sha512 "mo:hashmill/Sha512";
import Sm3 "mo:hashmill/Sm3";

persistent actor State {
  let sha256 = Sha256.new();
  let sha512 = Sha512.new();
  let sm3 = Sm3.new();
  let sha3 = Sha3.new();
  let ascon = Ascon.new();
  let blake2b = Blake2b.new();
  let blake3 = Blake3.new();
  let hmac = Hmac.new(#sha256, "");
  let hmacSha256 = HmacSha256.new(#sha256, "");
  let hmacSha512 = HmacSha512.new(#sha512, "");
  let hmacSm3 = HmacSm3.new(#sm3, "");
  let hmacSha3 = HmacSha3.new(#sha3_256, "");
  let hmacBlake2b = HmacBlake2b.new(#blake2b, "");
  let tree = MerkleTree.new();
  var sha256Shared = sha256.share();
  var sha512Shared = sha512.share();
  var sm3Shared = sm3.share();
  var sha3Shared = sha3.share();
  var asconShared = ascon.share();
  var blake2bShared = blake2b.share();
  var blake3Shared = blake3.share();
  var hmacShared = hmac.share();
  var hmacSha256Shared = hmacSha256.share();
  var compat256Shared = Compat256.Digest(#sha256).share();
  var compat512Shared = Compat512.Digest(#sha512).share();
  var key = Hmac.prepare(#sha256, "");

  public func upgrade() : async () {
    sha256Shared := Sha256.unshare(sha256Shared).share();
    sha512Shared := Sha512.unshare(sha512Shared).share();
    sm3Shared := Sm3.unshare(sm3Shared).share();
    sha3Shared := Sha3.unshare(sha3Shared).share();
    asconShared := Ascon.unshare(asconShared).share();
    blake2bShared := Blake2b.unshare(blake2bShared).share();
    blake3Shared := Blake3.unshare(blake3Shared).share();
    hmacShared := Hmac.unshare(hmacShared).share();
    hmacSha256Shared := HmacSha256.unshare(hmacSha256Shared).share();
    hmacSha512.reset();
    hmacSm3.reset();
    hmacSha3.reset();
    hmacBlake2b.reset();
    tree.put([], "");
    compat256Shared := Compat256.Digest(#sha256).share();
    compat512Shared := Compat512.Digest(#sha512).share();
    key := { key with algo = #sha256 };
  };
};
