/// Tests the project's known answers: each in one call with every kind of input (long messages with
/// two of them), and in random pieces of all kinds, between which the digest is stored.

import Prim "mo:prim";
import Hmac "../src/Hmac";
import Answers "Answers";
import Bytes "Bytes";
import Faces "Faces";

module {
  public func run() : Text {
    let random = Bytes.Random(0x9e3779b97f4a7c15);
    var checked = 0;

    func message(bytes : Answers.Bytes) : Blob = switch bytes {
      case (#ptn size) Bytes.pattern(size);
      case (#hex(text, count)) {
        let once = Bytes.unhex(text);
        Bytes.tabulate(once.size() * count, func i = once[i % once.size()]);
      };
    };

    func check(name : Text, got : Blob, output : Text) {
      let want = Bytes.unhex(output);
      // An answer of HMAC may be only the beginning of a tag.
      if (got.size() < want.size() or Bytes.slice(got, 0, want.size()) != want) {
        Prim.debugPrint(name # ": " # Bytes.hex(got) # " is not " # output);
        assert false;
      };
      checked += 1;
    };

    func rest(data : Blob, skip : Nat) : Blob = Bytes.slice(data, skip, data.size() - skip : Nat);

    var answered = 0;
    for ((name, input, output, skip, length, key, salt, personal) in Answers.all.vals()) {
      let before = checked;
      let data = message(input);
      let longest = if (data.size() < 1000) 200 else 100_000;
      // The output of SHAKE includes the `skip` bytes before the answer.
      let size = if (length > 0) length else skip + output.size() / 2;
      switch (Faces.find(name, { size; key = message(key); salt = message(salt); personal = message(personal) })) {
        case null {};
        case (?face) {
          check(name, rest(face.blob(data), skip), output);
          check(name, rest(face.array(Prim.blobToArray(data)), skip), output);
          if (data.size() < 1000) {
            check(name, rest(face.varArray(Bytes.varArray(data)), skip), output);
            check(name, rest(face.accessor(func i = data[i], 0, data.size()), skip), output);
            check(name, rest(face.reader(Bytes.reader(data), data.size()), skip), output);
            check(name, rest(face.iter(data.vals()), skip), output);
          };
          check(name, rest(Bytes.writePieces(face.begin(), data, longest, random).sum(), skip), output);
        };
      };
      for ((macName, algo) in Faces.macs()) {
        if (macName == name) {
          check(name, Hmac.fromBlob(algo, message(key), data), output);
          let prepared = Hmac.prepare(algo, message(key));
          check(name, prepared.mac(data), output);
          check(name, Bytes.writePieces(Faces.writer(Hmac, prepared.begin()), data, longest, random).sum(), output);
        };
      };
      if (checked == before) Prim.debugPrint(name # " is not tested");
      assert checked > before;
      answered += 1;
    };

    debug_show answered # " answers, " # debug_show checked # " checks";
  };
}
