/// Tests the interface of the package `sha2` 0.1.10: its names, its types, and states that it
/// stored.

import Prim "mo:prim";
import Sha256 "../src/Sha256";
import Sha512 "../src/Sha512";
import Compat256 "../src/compat/Sha256";
import Compat512 "../src/compat/Sha512";
import Bytes "Bytes";

module {
  // The released interface, without two undocumented functions of the digest.
  type Released<Algorithm, Static> = {
    algo : () -> Algorithm;
    reset : () -> ();
    share : () -> Static;
    unshare : Static -> ();
    writeIter : { next : () -> ?Nat8 } -> ();
    writeBlob : Blob -> ();
    writeArray : [Nat8] -> ();
    sum : () -> Blob;
  };
  type Module<Algorithm, Static> = module {
    Digest : Algorithm -> Released<Algorithm, Static>;
    fromIter : (Algorithm, { next : () -> ?Nat8 }) -> Blob;
    fromArray : (Algorithm, [Nat8]) -> Blob;
    fromBlob : (Algorithm, Blob) -> Blob;
  };
  type Static256 = { msg : [Nat16]; digest : [Nat8]; i_msg : Nat8; i_block : Nat32; high : Bool; word : Nat16; sh : [Nat16]; sl : [Nat16] };
  type Static512 = { msg : [Nat64]; digest : [Nat8]; word : Nat64; i_msg : Nat8; i_byte : Nat8; i_block : Nat64; s : [Nat64] };

  let module256 : Module<{ #sha224; #sha256 }, Static256> = Compat256;
  let module512 : Module<{ #sha384; #sha512; #sha512_224; #sha512_256 }, Static512> = Compat512;

  public func run() : Text {
    let random = Bytes.Random(0xa54ff53a5f1d36f1);
    var checked = 0;

    func checkDigest<Algorithm, Static>(begin : Algorithm -> Released<Algorithm, Static>, algo : Algorithm, hash : Blob -> Blob) {
      var size = 0;
      while (size <= 300) {
        let data = Bytes.pattern(size);
        let d = begin(algo);
        d.writeBlob("before");
        d.reset();
        // Writes pieces. After each one another digest continues, by `share` and `unshare`.
        var at = 0;
        var digest = d;
        while (at < size) {
          let rest = size - at : Nat;
          let count = random.below(140);
          let piece = Bytes.slice(data, at, if (count < rest) count else rest);
          switch (random.below(3)) {
            case 0 digest.writeBlob(piece);
            case 1 digest.writeArray(Prim.blobToArray(piece));
            case _ digest.writeIter(piece.vals());
          };
          at += piece.size();
          let other = begin(algo);
          other.writeBlob("other");
          other.unshare(digest.share());
          digest := other;
        };
        assert digest.sum() == hash(data);
        digest.reset();
        digest.writeBlob("again");
        assert digest.sum() == hash("again");
        checked += 1;
        size += 7;
      };
    };

    for (algo in ([#sha224, #sha256] : [Sha256.Algorithm]).vals()) {
      assert module256.Digest(algo).algo() == algo;
      checkDigest<Sha256.Algorithm, Static256>(module256.Digest, algo, func data = Sha256.fromBlob(algo, data));
      let data = Bytes.pattern(100);
      assert module256.fromBlob(algo, data) == Sha256.fromBlob(algo, data);
      assert module256.fromArray(algo, Prim.blobToArray(data)) == Sha256.fromBlob(algo, data);
      assert module256.fromIter(algo, data.vals()) == Sha256.fromBlob(algo, data);
    };
    for (algo in ([#sha384, #sha512, #sha512_224, #sha512_256] : [Sha512.Algorithm]).vals()) {
      assert module512.Digest(algo).algo() == algo;
      checkDigest<Sha512.Algorithm, Static512>(module512.Digest, algo, func data = Sha512.fromBlob(algo, data));
      let data = Bytes.pattern(200);
      assert module512.fromBlob(algo, data) == Sha512.fromBlob(algo, data);
      assert module512.fromArray(algo, Prim.blobToArray(data)) == Sha512.fromBlob(algo, data);
      assert module512.fromIter(algo, data.vals()) == Sha512.fromBlob(algo, data);
    };

    // The results of `share` of sha2 0.1.10 itself: SHA-224 after the first 95 bytes of the
    // pattern, and SHA-384 after the first 205 bytes.
    let stored256 : Static256 = {
      msg = [16_449, 16_963, 17_477, 17_991, 18_505, 19_019, 19_533, 20_047, 20_561, 21_075, 21_589, 22_103, 22_617, 23_131, 23_645, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0];
      digest = zeros(28);
      i_msg = 15;
      i_block = 1;
      high = false;
      word = 24_064;
      sh = [5_055, 37_311, 49_579, 27_185, 2_530, 37_747, 45_540, 823];
      sl = [26_725, 39_756, 51_282, 51_777, 6_309, 6_969, 5_153, 21_211];
    };
    let stored512 : Static512 = {
      msg = Prim.Array_tabulate<Nat64>(80, func i = if (i < 9) 9_259_825_810_226_120_327 + 578_721_382_704_613_384 * Prim.natToNat64(i) else 0);
      digest = zeros(48);
      i_msg = 9;
      i_byte = 3;
      i_block = 1;
      word = 862_378_970_060;
      s = [8_004_696_241_136_828_463, 8_955_333_437_502_060_853, 10_544_908_234_569_122_705, 5_241_970_287_749_016_784, 5_991_552_422_190_507_597, 10_444_392_291_192_457_170, 9_238_401_564_040_616_720, 14_262_407_165_153_767_617];
    };
    do {
      let digest = module256.Digest(#sha224);
      digest.unshare(stored256);
      assert digest.share() == stored256;
      digest.writeBlob("more");
      assert digest.sum() == Sha256.fromBlob(#sha224, Bytes.concat(Bytes.pattern(95), "more"));
    };
    do {
      let digest = module512.Digest(#sha384);
      digest.unshare(stored512);
      assert digest.share() == stored512;
      digest.writeBlob("more");
      assert digest.sum() == Sha512.fromBlob(#sha384, Bytes.concat(Bytes.pattern(205), "more"));
    };
    checked += 4;

    debug_show checked # " checks";
  };

  func zeros(count : Nat) : [Nat8] = Prim.Array_tabulate<Nat8>(count, func _ = 0);
}
