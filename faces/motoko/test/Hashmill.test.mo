// @testmode wasi

/// All tests and measurements in one program, because compiling several programs takes much longer.
///
/// tools/check.mjs also runs it once for each case that must trap, with `case-0` below replaced by
/// its name, and with `case-i`, which counts instructions.

import Prim "mo:prim";
import Instructions "../bench/Instructions";
import OfAnswers "OfAnswers";
import OfCompat "OfCompat";
import OfKeys "OfKeys";
import OfReferences "OfReferences";
import OfTraps "OfTraps";
import OfTrees "OfTrees";
import OfWriters "OfWriters";

let name = "case-0";
if (name == "case-i") {
  Instructions.run();
} else if (not OfTraps.run(name)) {
  Prim.debugPrint("answers: " # OfAnswers.run());
  Prim.debugPrint("references: " # OfReferences.run());
  Prim.debugPrint("writers: " # OfWriters.run());
  Prim.debugPrint("keys: " # OfKeys.run());
  Prim.debugPrint("compatibility: " # OfCompat.run());
  Prim.debugPrint("trees: " # OfTrees.run());
};
