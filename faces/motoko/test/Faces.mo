/// One interface to every algorithm, by name, for the tests.

import Prim "mo:prim";
import Blake2b "../src/Blake2b";
import Blake3 "../src/Blake3";
import Hmac "../src/Hmac";
import Sha256 "../src/Sha256";
import Sha3 "../src/Sha3";
import Sha512 "../src/Sha512";

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
  };

  public func all() : [Face] = [
    sha256("SHA-224", #sha224),
    sha256("SHA-256", #sha256),
    sha512("SHA-384", #sha384),
    sha512("SHA-512", #sha512),
    sha512("SHA-512/224", #sha512_224),
    sha512("SHA-512/256", #sha512_256),
    sha3("SHA3-224", #sha3_224),
    sha3("SHA3-256", #sha3_256),
    sha3("SHA3-384", #sha3_384),
    sha3("SHA3-512", #sha3_512),
    sha3("Keccak-256", #keccak256),
    sha3("SHAKE128", #shake128 200),
    sha3("SHAKE256", #shake256 200),
    blake2b("BLAKE2b", Blake2b.params),
    blake2b("BLAKE2b with parameters", { size = 33; key = "key"; salt = "salt"; personal = "person" }),
    blake3("BLAKE3", Blake3.params),
    blake3("BLAKE3 with a key", { size = 100; mode = #keyed "0123456789abcdef0123456789abcdef" }),
  ];

  /// Returns the algorithm with this name, or null. SHAKE uses `params.size` as the length of the
  /// output, and BLAKE2b uses all parameters. BLAKE3 uses `size` and `key`, and `salt` as its context.
  public func find(name : Text, params : Blake2b.Params) : ?Face {
    switch name {
      case "SHAKE128" return ?sha3(name, #shake128(params.size));
      case "SHAKE256" return ?sha3(name, #shake256(params.size));
      case "BLAKE2b" return ?blake2b(name, params);
      case "BLAKE3" return ?blake3(name, { size = params.size; mode = mode(params) });
      case _ {};
    };
    for (face in all().vals()) if (face.name == name) return ?face;
    null;
  };

  func mode({ key; salt } : Blake2b.Params) : { #hash; #keyed : Blob; #deriveKey : Text } {
    if (key.size() > 0) return #keyed key;
    switch (Prim.decodeUtf8(salt)) {
      case (?"" or null) #hash;
      case (?context) #deriveKey context;
    };
  };

  /// The algorithms of HMAC, with their names in the answers.
  public let macs : [(Text, Hmac.Algorithm)] = [
    ("HMAC-SHA-224", #sha224),
    ("HMAC-SHA-256", #sha256),
    ("HMAC-SHA-384", #sha384),
    ("HMAC-SHA-512", #sha512),
    ("HMAC-SHA-512/224", #sha512_224),
    ("HMAC-SHA-512/256", #sha512_256),
    ("HMAC-SHA3-224", #sha3_224),
    ("HMAC-SHA3-256", #sha3_256),
    ("HMAC-SHA3-384", #sha3_384),
    ("HMAC-SHA3-512", #sha3_512),
    ("HMAC-BLAKE2b", #blake2b),
  ];

  func sha256(name : Text, algo : Sha256.Algorithm) : Face = {
    name;
    blob = func data = Sha256.fromBlob(algo, data);
    array = func data = Sha256.fromArray(algo, data);
    varArray = func data = Sha256.fromVarArray(algo, data);
    iter = func data = Sha256.fromIter(algo, data);
    accessor = func(at, start, count) = Sha256.fromAccessor(algo, at, start, count);
    reader = func(next, count) = Sha256.fromReader(algo, next, count);
    begin = func() = writer256(Sha256.new(algo));
  };

  func writer256(d : Sha256.Digest) : Writer = {
    blob = func data = d.writeBlob(data);
    array = func data = d.writeArray(data);
    varArray = func data = d.writeVarArray(data);
    iter = func data = d.writeIter(data);
    accessor = func(at, start, count) = d.writeAccessor(at, start, count);
    reader = func(next, count) = d.writeReader(next, count);
    stored = func() = writer256(Sha256.unshare(d.share()));
    clone = func() = writer256(d.clone());
    reset = func() = d.reset();
    peek = func() = d.peekSum();
    sum = func() = d.sum();
  };

  func sha512(name : Text, algo : Sha512.Algorithm) : Face = {
    name;
    blob = func data = Sha512.fromBlob(algo, data);
    array = func data = Sha512.fromArray(algo, data);
    varArray = func data = Sha512.fromVarArray(algo, data);
    iter = func data = Sha512.fromIter(algo, data);
    accessor = func(at, start, count) = Sha512.fromAccessor(algo, at, start, count);
    reader = func(next, count) = Sha512.fromReader(algo, next, count);
    begin = func() = writer512(Sha512.new(algo));
  };

  func writer512(d : Sha512.Digest) : Writer = {
    blob = func data = d.writeBlob(data);
    array = func data = d.writeArray(data);
    varArray = func data = d.writeVarArray(data);
    iter = func data = d.writeIter(data);
    accessor = func(at, start, count) = d.writeAccessor(at, start, count);
    reader = func(next, count) = d.writeReader(next, count);
    stored = func() = writer512(Sha512.unshare(d.share()));
    clone = func() = writer512(d.clone());
    reset = func() = d.reset();
    peek = func() = d.peekSum();
    sum = func() = d.sum();
  };

  func sha3(name : Text, algo : Sha3.Algorithm) : Face = {
    name;
    blob = func data = Sha3.fromBlob(algo, data);
    array = func data = Sha3.fromArray(algo, data);
    varArray = func data = Sha3.fromVarArray(algo, data);
    iter = func data = Sha3.fromIter(algo, data);
    accessor = func(at, start, count) = Sha3.fromAccessor(algo, at, start, count);
    reader = func(next, count) = Sha3.fromReader(algo, next, count);
    begin = func() = writerSha3(Sha3.new(algo));
  };

  func writerSha3(d : Sha3.Digest) : Writer = {
    blob = func data = d.writeBlob(data);
    array = func data = d.writeArray(data);
    varArray = func data = d.writeVarArray(data);
    iter = func data = d.writeIter(data);
    accessor = func(at, start, count) = d.writeAccessor(at, start, count);
    reader = func(next, count) = d.writeReader(next, count);
    stored = func() = writerSha3(Sha3.unshare(d.share()));
    clone = func() = writerSha3(d.clone());
    reset = func() = d.reset();
    peek = func() = d.peekSum();
    sum = func() = d.sum();
  };

  func blake2b(name : Text, params : Blake2b.Params) : Face = {
    name;
    blob = func data = Blake2b.fromBlob(params, data);
    array = func data = Blake2b.fromArray(params, data);
    varArray = func data = Blake2b.fromVarArray(params, data);
    iter = func data = Blake2b.fromIter(params, data);
    accessor = func(at, start, count) = Blake2b.fromAccessor(params, at, start, count);
    reader = func(next, count) = Blake2b.fromReader(params, next, count);
    begin = func() = writerBlake2b(Blake2b.new(params));
  };

  func writerBlake2b(d : Blake2b.Digest) : Writer = {
    blob = func data = d.writeBlob(data);
    array = func data = d.writeArray(data);
    varArray = func data = d.writeVarArray(data);
    iter = func data = d.writeIter(data);
    accessor = func(at, start, count) = d.writeAccessor(at, start, count);
    reader = func(next, count) = d.writeReader(next, count);
    stored = func() = writerBlake2b(Blake2b.unshare(d.share()));
    clone = func() = writerBlake2b(d.clone());
    reset = func() = d.reset();
    peek = func() = d.peekSum();
    sum = func() = d.sum();
  };

  func blake3(name : Text, params : Blake3.Params) : Face = {
    name;
    blob = func data = Blake3.fromBlob(params, data);
    array = func data = Blake3.fromArray(params, data);
    varArray = func data = Blake3.fromVarArray(params, data);
    iter = func data = Blake3.fromIter(params, data);
    accessor = func(at, start, count) = Blake3.fromAccessor(params, at, start, count);
    reader = func(next, count) = Blake3.fromReader(params, next, count);
    begin = func() = writerBlake3(Blake3.new(params));
  };

  func writerBlake3(d : Blake3.Digest) : Writer = {
    blob = func data = d.writeBlob(data);
    array = func data = d.writeArray(data);
    varArray = func data = d.writeVarArray(data);
    iter = func data = d.writeIter(data);
    accessor = func(at, start, count) = d.writeAccessor(at, start, count);
    reader = func(next, count) = d.writeReader(next, count);
    stored = func() = writerBlake3(Blake3.unshare(d.share()));
    clone = func() = writerBlake3(d.clone());
    reset = func() = d.reset();
    peek = func() = d.peekSum();
    sum = func() = d.sum();
  };

  public func mac(d : Hmac.Digest) : Writer = {
    blob = func data = d.writeBlob(data);
    array = func data = d.writeArray(data);
    varArray = func data = d.writeVarArray(data);
    iter = func data = d.writeIter(data);
    accessor = func(at, start, count) = d.writeAccessor(at, start, count);
    reader = func(next, count) = d.writeReader(next, count);
    stored = func() = mac(Hmac.unshare(d.share()));
    clone = func() = mac(d.clone());
    reset = func() = d.reset();
    peek = func() = d.peekSum();
    sum = func() = d.sum();
  };
}
