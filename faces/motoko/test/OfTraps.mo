/// The cases that must trap, by name. `run` returns false if there is no case with that name.

import Prim "mo:prim";
import Ascon "../src/Ascon";
import Blake2b "../src/Blake2b";
import Blake3 "../src/Blake3";
import Compat256 "../src/compat/Sha256";
import Compat512 "../src/compat/Sha512";
import Hkdf "../src/Hkdf";
import Hmac "../src/Hmac";
import HmacSha256 "../src/hmac/Sha256";
import Pbkdf2 "../src/Pbkdf2";
import Sha256 "../src/Sha256";
import Sha3 "../src/Sha3";
import Sha512 "../src/Sha512";
import Sm3 "../src/Sm3";

module {
  public func run(name : Text) : Bool {
    let digest = Sha256.new();
    digest.writeBlob("abc");
    let good = digest.share();
    let tooLong = Sha256.unshare({ good with length = 0x1fff_ffff_ffff_ffff : Nat64; tail = "012345678901234567890123456789012345678901234567890123456789012" : Blob });

    switch name {
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
      case "case-a" ignore Sha3.unshare({ Sha3.new(#keccak256).share() with tail = "a" : Blob });
      case "case-b" ignore Blake2b.unshare({ Blake2b.new().share() with length = 1 : Nat64 });
      case "case-c" ignore Blake2b.new({ Blake2b.params with size = 0 });
      case "case-d" ignore Blake2b.new({ Blake2b.params with key = "01234567890123456789012345678901234567890123456789012345678901234" : Blob });
      case "case-e" ignore Blake2b.new({ Blake2b.params with salt = "01234567890123456" : Blob });
      case "case-f" ignore Hkdf.derive(Hmac.prf(#sha256), { secret = ""; salt = ""; info = ""; size = 255 * 32 + 1 });
      case "case-g" ignore Pbkdf2.derive(Hmac.prf(#sha256), { password = ""; salt = ""; iterations = 0; size = 1 });
      case "case-h" {
        let saved = Compat256.Digest(#sha256).share();
        Compat256.Digest(#sha224).unshare(saved);
      };
      case "case-j" {
        let compat = Compat512.Digest(#sha512);
        compat.unshare({ compat.share() with i_byte = 9 : Nat8 });
      };
      case "case-k" {
        let compat = Compat256.Digest(#sha256);
        ignore compat.sum();
        ignore compat.sum();
      };
      case "case-l" ignore HmacSha256.unshare({ HmacSha256.new(#sha256, "key").share() with length = 0 : Nat64 });
      case "case-m" ignore Sha512.fromAccessor(#sha512, func _ = 0, 1, 0x1_0000_0000_0000_0000);
      case "case-n" ignore Sha3.fromReader(#sha3_256, func() = 0, 0x1_0000_0000_0000_0000);
      case "case-o" ignore Blake3.unshare({ Blake3.new().share() with length = 1 : Nat64 });
      case "case-p" ignore Blake3.new({ size = 32; mode = #keyed "a key of 31 bytes, not of 32 .." });
      case "case-q" ignore Blake3.new().readSumFrom(0, 1);
      case "case-r" ignore Ascon.new(#cxof128({ size = 32; customization = Prim.arrayToBlob(Prim.Array_tabulate<Nat8>(257, func _ = 0)) }));
      case "case-s" ignore Ascon.unshare({ Ascon.new().share() with tail = "a" : Blob });
      case "case-t" ignore Sm3.unshare({ Sm3.new().share() with tail = "a" : Blob });
      case _ return false;
    };
    Prim.debugPrint("no trap");
    true;
  };
}
