/// All tests, as one program, for the compiler takes its time over each.
///
/// tools/check.mjs also runs it once for each case that must trap, with `case-0` below replaced by its name.

import Prim "mo:prim";
import OfAnswers "OfAnswers";
import OfTraps "OfTraps";
import OfWriters "OfWriters";

if (not OfTraps.run("case-0")) {
  Prim.debugPrint("answers: " # OfAnswers.run());
  Prim.debugPrint("writers: " # OfWriters.run());
};
