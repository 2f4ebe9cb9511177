/// Everything that users may keep in stable variables. test/State.most is its stable type as released:
/// the tests fail where an upgrade from that to this would be refused.

import Blake2b "mo:hashmill/Blake2b";
import Hmac "mo:hashmill/Hmac";
import Sha256 "mo:hashmill/Sha256";
import Sha3 "mo:hashmill/Sha3";
import Sha512 "mo:hashmill/Sha512";

persistent actor State {
  let sha256 = Sha256.new();
  let sha512 = Sha512.new();
  let sha3 = Sha3.new();
  let blake2b = Blake2b.new();
  let hmac = Hmac.new(#sha256, "");
  var sha256Shared = sha256.share();
  var sha512Shared = sha512.share();
  var sha3Shared = sha3.share();
  var blake2bShared = blake2b.share();
  var hmacShared = hmac.share();
  var key = Hmac.prepare(#sha256, "");

  public func upgrade() : async () {
    sha256Shared := Sha256.unshare(sha256Shared).share();
    sha512Shared := Sha512.unshare(sha512Shared).share();
    sha3Shared := Sha3.unshare(sha3Shared).share();
    blake2bShared := Blake2b.unshare(blake2bShared).share();
    hmacShared := Hmac.unshare(hmacShared).share();
    key := { key with algo = #sha256 };
  };
};
