/// Tests Merkle trees: the example of the Internet Computer's interface specification, and random
/// trees, which are compared with a list of paths and values. The tests look up paths in witnesses
/// with the algorithm of the specification.

import Prim "mo:prim";
import MerkleTree "../src/MerkleTree";
import Bytes "Bytes";

module {
  type Witness = MerkleTree.Witness;
  type Path = MerkleTree.Path;
  type Found = { #found : Blob; #absent; #unknown };

  public func run() : Text {
    var checked = 0;

    // The example of the specification, its encodings and its root hash.
    let world : Witness = #labeled("y", #leaf "world");
    let example : Witness = #fork(
      #fork(#labeled("a", #fork(#fork(#labeled("x", #leaf "hello"), #empty), world)), #labeled("b", #leaf "good")),
      #fork(#labeled("c", #empty), #labeled("d", #leaf "morning")),
    );
    let pruned : Witness = #fork(
      #fork(
        #labeled("a", #fork(#pruned(Bytes.unhex("1b4feff9bef8131788b0c9dc6dbad6e81e524249c879e9f10f71ce3749f5a638")), world)),
        #labeled("b", #pruned(Bytes.unhex("7b32ac0c6ba8ce35ac82c255fc7906f7fc130dab2a090f80fe12f9c2cae83ba6"))),
      ),
      #fork(#pruned(Bytes.unhex("ec8324b8a1f1ac16bd2e806edba78006479c9877fed4eb464a25485465af601d")), #labeled("d", #leaf "morning")),
    );
    let root = Bytes.unhex("eb5c5b2195e62d996b84c9bcc8259d19a83786a2f59e0878cec84c811f669aa0");
    assert MerkleTree.rootOf(example) == root;
    assert MerkleTree.rootOf(pruned) == root;
    // d9d9f7 is the tag of self-described CBOR, which the specification's example leaves out.
    assert MerkleTree.encode(example) == Bytes.unhex("d9d9f78301830183024161830183018302417882034568656c6c6f810083024179820345776f726c6483024162820344676f6f648301830241638100830241648203476d6f726e696e67");
    assert MerkleTree.encode(pruned) == Bytes.unhex("d9d9f783018301830241618301820458201b4feff9bef8131788b0c9dc6dbad6e81e524249c879e9f10f71ce3749f5a63883024179820345776f726c6483024162820458207b32ac0c6ba8ce35ac82c255fc7906f7fc130dab2a090f80fe12f9c2cae83ba6830182045820ec8324b8a1f1ac16bd2e806edba78006479c9877fed4eb464a25485465af601d830241648203476d6f726e696e67");
    assert lookup(pruned, ["a", "y"], 0) == #found "world";
    assert lookup(pruned, ["ax"], 0) == #absent;
    assert lookup(pruned, ["a", "x"], 0) == #unknown;
    // The CBOR heads of longer byte strings.
    for ((size, head) in [(23, "820357"), (24, "82035818"), (255, "820358ff"), (256, "8203590100"), (65_536, "82035a00010000")].vals()) {
      let data = Bytes.pattern(size);
      assert MerkleTree.encode(#leaf data) == Bytes.concat(Bytes.unhex("d9d9f7" # head), data);
    };
    checked += 12;

    // Values and directories that replace each other.
    do {
      let tree = MerkleTree.new();
      let empty = tree.hash();
      assert empty == MerkleTree.rootOf(#empty) and tree.witness([["a"]]) == #empty;
      tree.put(["a"], "value");
      tree.put(["a", "b"], "below");
      assert tree.get(["a"]) == null and tree.get(["a", "b"]) == ?"below";
      tree.put(["a"], "above");
      assert tree.get(["a"]) == ?"above" and tree.get(["a", "b"]) == null;
      assert tree.witness([["a", "b"]]) == #labeled("a", #leaf "above");
      tree.put(["a", "b", "c"], "deep");
      tree.remove(["a", "x"]);
      assert tree.get(["a", "b", "c"]) == ?"deep";
      tree.remove(["a", "b", "c"]);
      assert tree.hash() == empty;
      tree.put([], "root");
      assert tree.hash() == MerkleTree.rootOf(#leaf "root") and tree.get([]) == ?"root";
      tree.remove([]);
      assert tree.hash() == empty;
      checked += 8;
    };

    // Random changes. After every 50th the hash and all witnesses are checked.
    let random = Bytes.Random(0x3c6ef372fe94f82b);
    let names : [Blob] = ["", "a", "a\00", "ab", "b", "c", "longer than the others", "d", "e", "\ff"];
    let paths = Prim.Array_tabulate<Path>(
      100,
      func i = if (i % 3 == 0) [names[i / 10]] else [names[i / 10], names[i % 10], "end"],
    );
    let values = Prim.Array_init<?Blob>(100, null);
    let tree = MerkleTree.new();
    for (step in Prim.Array_init<Nat8>(600, 0).keys()) {
      let i = random.below(100);
      // A value replaces a directory of the same name, and a directory a value.
      func clear(isCleared : Path -> Bool) {
        for (j in paths.keys()) if (isCleared(paths[j])) values[j] := null;
      };
      if (random.below(3) > 0) {
        let value = Bytes.pattern(random.below(80));
        tree.put(paths[i], value);
        clear(func path = path[0] == paths[i][0] and path.size() != paths[i].size() or path == paths[i]);
        for (j in paths.keys()) if (paths[j] == paths[i]) values[j] := ?value;
      } else {
        tree.remove(paths[i]);
        clear(func path = path[0] == paths[i][0] and (paths[i].size() == 1 or path == paths[i]));
      };
      for (j in paths.keys()) assert tree.get(paths[j]) == values[j];
      checkBalance(tree.root);
      if (step % 50 == 49) {
        let hash = tree.hash();
        // The hash computed from the values alone, without the hashes that the tree keeps.
        assert MerkleTree.rootOf(tree.witness([[]])) == hash;
        for (j in paths.keys()) {
          let one = tree.witness([paths[j]]);
          let other = random.below(100);
          let two = tree.witness([paths[j], paths[other]]);
          assert MerkleTree.rootOf(one) == hash and MerkleTree.rootOf(two) == hash;
          let want = switch (values[j]) { case (?value) #found value; case null #absent };
          assert isProved(one, paths[j], want);
          assert isProved(two, paths[j], want);
          assert isProved(two, paths[other], switch (values[other]) { case (?value) #found value; case null #absent });
          checked += 5;
        };
      };
    };

    debug_show checked # " checks";
  };

  /// Returns whether the witness proves `want` for the path. If the path ends at a directory, there
  /// is no value, and the witness must show the directory.
  func isProved(witness : Witness, path : Path, want : Found) : Bool {
    let got = lookup(witness, path, 0);
    got == want or (want == #absent and got == #unknown and isDirectory(witness, path));
  };

  func isDirectory(witness : Witness, path : Path) : Bool {
    for ((name, inner) in labels(witness).vals()) {
      if (name == ?path[0]) return path.size() == 1 and (switch inner { case (#fork _ or #labeled _) true; case _ false });
    };
    false;
  };

  /// Looks up a path as the specification defines it.
  func lookup(witness : Witness, path : Path, depth : Nat) : Found {
    if (depth == path.size()) return switch witness { case (#leaf value) #found value; case (#empty) #absent; case _ #unknown };
    // True if a pruned subtree lies between the label before and the next one, so that labels
    // between them may exist.
    var isUnknown = false;
    for ((name, inner) in labels(witness).vals()) {
      switch name {
        case null isUnknown := true;
        case (?name) {
          if (name == path[depth]) return lookup(inner, path, depth + 1);
          if (name > path[depth]) return if (isUnknown) #unknown else #absent;
          isUnknown := false;
        };
      };
    };
    if (isUnknown) #unknown else #absent;
  };

  /// Returns the labels of a witness in their order, with null for each pruned subtree.
  func labels(witness : Witness) : [(?Blob, Witness)] = switch witness {
    case (#empty or #leaf _) [];
    case (#pruned _) [(null, witness)];
    case (#labeled(name, inner)) [(?name, inner)];
    case (#fork(left, right)) {
      let (l, r) = (labels(left), labels(right));
      Prim.Array_tabulate<(?Blob, Witness)>(l.size() + r.size(), func i = if (i < l.size()) l[i] else r[i - l.size()]);
    };
  };

  /// Checks that the heights of the two sides of each fork differ by at most one, that the labels
  /// ascend, and that no directory except the root is empty.
  func checkBalance(node : MerkleTree.Node) {
    let #directory(?entries) = node else return;
    ignore height(entries);
  };

  func height(entries : MerkleTree.Entries) : Nat = switch entries {
    case (#entry { node }) {
      switch node { case (#directory null) assert false; case _ checkBalance(node) };
      0;
    };
    case (#fork fork) {
      let (l, r) = (height(fork.left), height(fork.right));
      assert l <= r + 1 and r <= l + 1;
      assert fork.height == 1 + (if (l > r) l else r);
      assert last(fork.left) < first(fork.right) and fork.least == first(fork.left);
      fork.height;
    };
  };

  func first(entries : MerkleTree.Entries) : Blob = switch entries { case (#entry { name }) name; case (#fork { left }) first(left) };
  func last(entries : MerkleTree.Entries) : Blob = switch entries { case (#entry { name }) name; case (#fork { right }) last(right) };
}
