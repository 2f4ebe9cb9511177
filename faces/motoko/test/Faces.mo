/// One interface to every algorithm, by name, for the tests.

import Prim "mo:prim";
import Ascon "../src/Ascon";
import Blake2b "../src/Blake2b";
import Blake3 "../src/Blake3";
import Hmac "../src/Hmac";
import Hash "../src/lib";
import RAscon "../src/reference/Ascon";
import RBlake2b "../src/reference/Blake2b";
import RBlake3 "../src/reference/Blake3";
import RKeccak "../src/reference/Keccak";
import RSha256 "../src/reference/Sha256";
import RSha512 "../src/reference/Sha512";
import RSm3 "../src/reference/Sm3";
import Sha256 "../src/Sha256";
import Sha3 "../src/Sha3";
import Sha512 "../src/Sha512";
import Sm3 "../src/Sm3";

module {
  public type Iter = { next : () -> ?Nat8 };

  public type Writer = {
    blob : Blob -> ();
    array : [Nat8] -> ();
    varArray : [var Nat8] -> ();
    iter : Iter -> ();
    accessor : (Nat -> Nat8, Nat, Nat) -> ();
    reader : (() -> Nat8, Nat) -> ();
    /// Returns a writer that continues after `share` and `unshare`.
    stored : () -> Writer;
    clone : () -> Writer;
    reset : () -> ();
    peek : () -> Blob;
    sum : () -> Blob;
  };

  public type Face = {
    name : Text;
    blob : Blob -> Blob;
    array : [Nat8] -> Blob;
    varArray : [var Nat8] -> Blob;
    iter : Iter -> Blob;
    accessor : (Nat -> Nat8, Nat, Nat) -> Blob;
    reader : (() -> Nat8, Nat) -> Blob;
    begin : () -> Writer;
    reference : Blob -> Blob;
    /// The function of `lib`.
    call : ?(Blob -> Blob);
    /// The algorithm of HMAC over it.
    mac : ?Hmac.Algorithm;
  };

  public func all() : [Face] = [
    { sha256("SHA-224", #sha224) with call = ?Hash.sha224 },
    { sha256("SHA-256", #sha256) with call = ?Hash.sha256 },
    { sha512("SHA-384", #sha384) with call = ?Hash.sha384 },
    { sha512("SHA-512", #sha512) with call = ?Hash.sha512 },
    { sha512("SHA-512/224", #sha512_224) with call = ?Hash.sha512_224 },
    { sha512("SHA-512/256", #sha512_256) with call = ?Hash.sha512_256 },
    { face("SM3", Sm3, #sm3, RSm3.hash) with call = ?Hash.sm3; mac = ?#sm3 },
    { sha3("SHA3-224", #sha3_224) with call = ?Hash.sha3_224 },
    { sha3("SHA3-256", #sha3_256) with call = ?Hash.sha3_256 },
    { sha3("SHA3-384", #sha3_384) with call = ?Hash.sha3_384 },
    { sha3("SHA3-512", #sha3_512) with call = ?Hash.sha3_512 },
    { sha3("Keccak-256", #keccak256) with call = ?Hash.keccak256 },
    { sha3("SHAKE128", #shake128 200) with call = ?(func data = Hash.shake128(data, 200)) },
    { sha3("SHAKE256", #shake256 200) with call = ?(func data = Hash.shake256(data, 200)) },
    { ascon("Ascon-Hash256", #hash256) with call = ?Hash.asconHash256 },
    { ascon("Ascon-XOF128", #xof128 200) with call = ?(func data = Hash.asconXof128(data, 200)) },
    ascon("Ascon-CXOF128", #cxof128({ size = 50; customization = "customization" })),
    { blake2b("BLAKE2b", Blake2b.params) with call = ?Hash.blake2b; mac = ?#blake2b },
    blake2b("BLAKE2b with parameters", { size = 33; key = "key"; salt = "salt"; personal = "person" }),
    { blake3("BLAKE3", Blake3.params) with call = ?Hash.blake3 },
    blake3("BLAKE3 with a key", { size = 100; mode = #keyed "0123456789abcdef0123456789abcdef" }),
  ];

  /// Returns the algorithm with this name, or null. The extendable-output functions use `params.size`
  /// as the length of the output, and BLAKE2b uses all parameters. BLAKE3 uses `size` and `key`, and
  /// `salt` as its context; Ascon-CXOF128 uses `personal` as its customization string.
  public func find(name : Text, params : Blake2b.Params) : ?Face {
    switch name {
      case "SHAKE128" return ?sha3(name, #shake128(params.size));
      case "SHAKE256" return ?sha3(name, #shake256(params.size));
      case "Ascon-XOF128" return ?ascon(name, #xof128(params.size));
      case "Ascon-CXOF128" return ?ascon(name, #cxof128({ size = params.size; customization = params.personal }));
      case "BLAKE2b" return ?blake2b(name, params);
      case "BLAKE3" return ?blake3(name, { size = params.size; mode = mode(params) });
      case _ {};
    };
    for (face in all().vals()) if (face.name == name) return ?face;
    null;
  };

  func mode({ key; salt } : Blake2b.Params) : RBlake3.Mode {
    if (key.size() > 0) return #keyed key;
    switch (Prim.decodeUtf8(salt)) {
      case (?"" or null) #hash;
      case (?context) #deriveKey context;
    };
  };

  /// The algorithms of HMAC, with their names in the answers.
  public func macs() : { next : () -> ?(Text, Hmac.Algorithm) } {
    let faces = all().vals();
    func next() : ?(Text, Hmac.Algorithm) {
      for ({ name; mac } in faces) switch mac {
        case (?algo) return ?("HMAC-" # name, algo);
        case null {};
      };
      null;
    };
    { next };
  };

  func sha256(name : Text, algo : Sha256.Algorithm) : Face {
    { face(name, Sha256, algo, func data = RSha256.hash(algo, data)) with mac = ?algo };
  };

  func sha512(name : Text, algo : Sha512.Algorithm) : Face {
    { face(name, Sha512, algo, func data = RSha512.hash(algo, data)) with mac = ?algo };
  };

  func sha3(name : Text, algo : Sha3.Algorithm) : Face {
    let (rate, suffix, size, mac) : (Nat, Nat8, Nat, ?Hmac.Algorithm) = switch algo {
      case (#sha3_224) (144, 0x06, 28, ?#sha3_224);
      case (#sha3_256) (136, 0x06, 32, ?#sha3_256);
      case (#sha3_384) (104, 0x06, 48, ?#sha3_384);
      case (#sha3_512) (72, 0x06, 64, ?#sha3_512);
      case (#keccak256) (136, 0x01, 32, null);
      case (#shake128 size) (168, 0x1f, size, null);
      case (#shake256 size) (136, 0x1f, size, null);
    };
    { face(name, Sha3, algo, func data = RKeccak.hash(rate, suffix, size, data)) with mac };
  };

  func ascon(name : Text, algo : Ascon.Algorithm) : Face {
    let reference = func(data : Blob) : Blob = switch algo {
      case (#hash256) RAscon.hash256(data);
      case (#xof128 size) RAscon.xof128(data, size);
      case (#cxof128 { size; customization }) RAscon.cxof128(customization, data, size);
    };
    face(name, Ascon, algo, reference);
  };

  func blake2b(name : Text, params : Blake2b.Params) : Face = face(name, Blake2b, params, func data = RBlake2b.hash(params, data));

  func blake3(name : Text, params : Blake3.Params) : Face {
    face(name, Blake3, params, func data = RBlake3.hash(params.mode, data, params.size));
  };

  /// What the modules have of a digest, a `D`, which is `S` as immutable data.
  public type Digests<D, S> = module {
    writeBlob : (D, Blob) -> ();
    writeArray : (D, [Nat8]) -> ();
    writeVarArray : (D, [var Nat8]) -> ();
    writeIter : (D, Iter) -> ();
    writeAccessor : (D, Nat -> Nat8, Nat, Nat) -> ();
    writeReader : (D, () -> Nat8, Nat) -> ();
    share : D -> S;
    unshare : S -> D;
    clone : D -> D;
    reset : D -> ();
    peekSum : D -> Blob;
    sum : D -> Blob;
  };

  /// What the modules of hash functions have. `A` is the algorithm, or the parameters.
  type Hashes<A, D, S> = Digests<D, S> and module {
    fromBlob : (A, Blob) -> Blob;
    fromArray : (A, [Nat8]) -> Blob;
    fromVarArray : (A, [var Nat8]) -> Blob;
    fromIter : (A, Iter) -> Blob;
    fromAccessor : (A, Nat -> Nat8, Nat, Nat) -> Blob;
    fromReader : (A, () -> Nat8, Nat) -> Blob;
    new : A -> D;
  };

  func face<A, D, S>(name : Text, hashes : Hashes<A, D, S>, algo : A, reference : Blob -> Blob) : Face = {
    name;
    blob = func data = hashes.fromBlob(algo, data);
    array = func data = hashes.fromArray(algo, data);
    varArray = func data = hashes.fromVarArray(algo, data);
    iter = func data = hashes.fromIter(algo, data);
    accessor = func(at, start, count) = hashes.fromAccessor(algo, at, start, count);
    reader = func(next, count) = hashes.fromReader(algo, next, count);
    begin = func() = writer(hashes, hashes.new(algo));
    reference;
    call = null;
    mac = null;
  };

  public func writer<D, S>(digests : Digests<D, S>, d : D) : Writer = {
    blob = func data = digests.writeBlob(d, data);
    array = func data = digests.writeArray(d, data);
    varArray = func data = digests.writeVarArray(d, data);
    iter = func data = digests.writeIter(d, data);
    accessor = func(at, start, count) = digests.writeAccessor(d, at, start, count);
    reader = func(next, count) = digests.writeReader(d, next, count);
    stored = func() = writer(digests, digests.unshare(digests.share(d)));
    clone = func() = writer(digests, digests.clone(d));
    reset = func() = digests.reset(d);
    peek = func() = digests.peekSum(d);
    sum = func() = digests.sum(d);
  };
}
