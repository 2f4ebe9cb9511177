/// Tests the HMAC module of each family, HKDF and PBKDF2.

import Prim "mo:prim";
import Hkdf "../src/Hkdf";
import Hmac "../src/Hmac";
import HmacBlake2b "../src/hmac/Blake2b";
import HmacSha256 "../src/hmac/Sha256";
import HmacSha3 "../src/hmac/Sha3";
import HmacSha512 "../src/hmac/Sha512";
import HmacSm3 "../src/hmac/Sm3";
import Pbkdf2 "../src/Pbkdf2";
import Answers "Answers";
import Bytes "Bytes";
import Faces "Faces";

module {
  /// HMAC over one algorithm, from the module of its family.
  type Face = {
    algo : Hmac.Algorithm;
    fromBlob : (key : Blob, message : Blob) -> Blob;
    mac : (key : Blob, message : Blob) -> Blob;
    begin : (key : Blob) -> Faces.Writer;
    verify : (key : Blob, message : Blob, tag : Blob) -> Bool;
    prf : Hkdf.Prf;
  };

  public func run() : Text {
    let random = Bytes.Random(0xbb67ae8584caa73b);
    var checked = 0;

    func same(name : Text, got : Blob, want : Blob) {
      if (got != want) Prim.debugPrint(name # ": " # Bytes.hex(got) # " is not " # Bytes.hex(want));
      assert got == want;
      checked += 1;
    };

    for (face in faces().vals()) {
      let name = debug_show face.algo;
      for (keySize in [0, 20, 64, 65, 128, 129, 200].vals()) {
        let key = Bytes.pattern(keySize);
        for (size in [0, 1, 55, 56, 119, 128, 300].vals()) {
          let message = Bytes.pattern(size);
          let want = Hmac.fromBlob(face.algo, key, message);
          same(name, face.fromBlob(key, message), want);
          same(name, face.mac(key, message), want);
          let w = Bytes.writePieces(face.begin(key), message, 150, random);
          same(name, w.peek(), want);
          let copy = w.clone();
          w.reset();
          w.blob("other");
          same(name, copy.sum(), want);
          same(name, w.sum(), Hmac.fromBlob(face.algo, key, "other"));
          assert face.verify(key, message, want);
          assert not face.verify(key, message, Hmac.fromBlob(face.algo, key, "other"));
          same(name, face.prf.prepare(key).mac(message), want);
          same(name, Hmac.prf(face.algo).prepare(key).mac(message), want);
          // RFC 8018 §5.2: the chain returns the exclusive or of its tags.
          let second = Hmac.fromBlob(face.algo, key, want);
          let third = Hmac.fromBlob(face.algo, key, second);
          same(name, face.prf.prepare(key).chain(message, 1), want);
          same(name, face.prf.prepare(key).chain(message, 3), Bytes.tabulate(want.size(), func i = want[i] ^ second[i] ^ third[i]));
        };
      };
      assert face.prf.size == Hmac.fromBlob(face.algo, "", "").size();
    };

    for ((name, { secret; salt; info; output }) in Answers.hkdf.vals()) {
      let ?prf = prfOf(name) else Prim.trap(name # " is not tested");
      let want = Bytes.unhex(output);
      let from = { secret = Bytes.unhex(secret); salt = Bytes.unhex(salt); info = Bytes.unhex(info) };
      same("HKDF of " # name, Hkdf.derive(prf, { from with size = want.size() }), want);
      let less = want.size() - 1 : Nat;
      same("HKDF of " # name, Hkdf.expand(prf, { from with key = Hkdf.extract(prf, from); size = less }), Bytes.slice(want, 0, less));
    };

    for ((name, { password; salt; iterations; output }) in Answers.pbkdf2.vals()) {
      let ?prf = prfOf(name) else Prim.trap(name # " is not tested");
      let want = Bytes.unhex(output);
      same("PBKDF2 of " # name, Pbkdf2.derive(prf, { password = Bytes.unhex(password); salt = Bytes.unhex(salt); iterations; size = want.size() }), want);
    };

    debug_show checked # " checks";
  };

  func prfOf(name : Text) : ?Hkdf.Prf {
    for ((macName, algo) in Faces.macs()) {
      if (macName == "HMAC-" # name) for (face in faces().vals()) if (face.algo == algo) return ?face.prf;
    };
    null;
  };

  func faces() : [Face] = [
    face(HmacSha256, #sha224),
    face(HmacSha256, #sha256),
    face(HmacSha512, #sha384),
    face(HmacSha512, #sha512),
    face(HmacSha512, #sha512_224),
    face(HmacSha512, #sha512_256),
    face(HmacSm3, #sm3),
    face(HmacSha3, #sha3_224),
    face(HmacSha3, #sha3_256),
    face(HmacSha3, #sha3_384),
    face(HmacSha3, #sha3_512),
    face(HmacBlake2b, #blake2b),
  ];

  /// What the modules of HMAC have. `A` is the algorithm, `D` a digest, `S` a digest as immutable
  /// data, and `K` a key.
  type Macs<A, D, S, K> = Faces.Digests<D, S> and module {
    fromBlob : (A, key : Blob, message : Blob) -> Blob;
    prepare : (A, key : Blob) -> K;
    mac : (K, message : Blob) -> Blob;
    new : (A, key : Blob) -> D;
    verify : (D, tag : Blob) -> Bool;
    prf : A -> Hkdf.Prf;
  };

  func face<A <: Hmac.Algorithm, D, S, K>(macs : Macs<A, D, S, K>, algo : A) : Face = {
    algo;
    fromBlob = func(key, message) = macs.fromBlob(algo, key, message);
    mac = func(key, message) = macs.mac(macs.prepare(algo, key), message);
    begin = func key = Faces.writer(macs, macs.new(algo, key));
    verify = func(key, message, tag) {
      let digest = macs.new(algo, key);
      macs.writeBlob(digest, message);
      macs.verify(digest, tag);
    };
    prf = macs.prf(algo);
  };
}
