/// What must trap. The tests run this once for each case, with `case-0` below replaced by its name.

import Prim "mo:prim";
import Hmac "../src/Hmac";
import Sha256 "../src/Sha256";
import Sha512 "../src/Sha512";

let digest = Sha256.new();
digest.writeBlob("abc");
let good = digest.share();
let tooLong = Sha256.unshare({ good with length = 0x1fff_ffff_ffff_ffff : Nat64; tail = "012345678901234567890123456789012345678901234567890123456789012" : Blob });

switch ("case-0") {
  case "case-1" Prim.debugPrint(debug_show digest.readSum());
  case "case-2" {
    ignore digest.sum();
    ignore digest.sum();
  };
  case "case-3" {
    ignore digest.sum();
    digest.writeBlob("");
  };
  case "case-4" {
    digest.close();
    ignore digest.share();
  };
  case "case-5" ignore Sha256.unshare({ good with length = 4 : Nat64 });
  case "case-6" ignore Sha512.unshare({ Sha512.new().share() with tail = "a" : Blob });
  case "case-7" ignore Hmac.unshare({ Hmac.new(#sha256, "key").share() with length = 0 : Nat64 });
  case "case-8" tooLong.writeBlob("1");
  case "case-9" tooLong.writeIter(("1" : Blob).vals());
  case _ Prim.debugPrint("no trap");
};
