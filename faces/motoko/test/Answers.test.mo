/// The project's answers: each in one call and in random pieces that go through storage.

import Prim "mo:prim";
import Hmac "../src/Hmac";
import Answers "Answers";
import Bytes "Bytes";
import Faces "Faces";

let faces = Faces.all();
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
  // HMAC's answers may be the beginning of a tag.
  if (got.size() < want.size() or Bytes.slice(got, 0, want.size()) != want) {
    Prim.debugPrint(name # ": " # Bytes.hex(got) # " is not " # output);
    assert false;
  };
  checked += 1;
};

for ((name, input, output, skip, length, key, salt, personal) in Answers.all.vals()) {
  let data = message(input);
  let longest = if (data.size() < 1000) 200 else 100_000;
  for (face in faces.vals()) {
    if (face.name == name) {
      check(name, face.blob(data), output);
      check(name, face.array(Prim.blobToArray(data)), output);
      check(name, Bytes.writePieces(face.begin(), data, longest, random).sum(), output);
    };
  };
  for ((macName, algo) in Faces.macs.vals()) {
    if (macName == name) {
      check(name, Hmac.fromBlob(algo, message(key), data), output);
      let prepared = Hmac.prepare(algo, message(key));
      check(name, prepared.mac(data), output);
      check(name, Bytes.writePieces(Faces.mac(prepared.begin()), data, longest, random).sum(), output);
    };
  };
};

Prim.debugPrint("answers: " # debug_show checked);
