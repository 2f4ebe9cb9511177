/// A Merkle tree for certified data: paths to values, one hash of 32 bytes over all of them, and
/// proofs of what is at a path, or that nothing is. It is the *hash tree* of the Internet
/// Computer's interface specification, so that agents and HTTP gateways can verify its proofs.
///
/// ```motoko
/// import MerkleTree "mo:hashmill/MerkleTree";
/// import { setCertifiedData = set } "mo:prim"; // or CertifiedData.set of `core`
///
/// let tree = MerkleTree.new();
/// tree.put(["http_assets", "/index.html"], hash);
/// set(tree.hash()); // in an update call
/// let proof = MerkleTree.encode(tree.witness([["http_assets", "/index.html"]])); // in a query call
/// ```
///
/// A tree is nothing but data and may lie in a stable variable. The labels of each directory are in
/// a balanced binary tree in their order, every value at the same side of its parent until it is
/// changed: `put` and `remove` take a number of steps that grows with the logarithm of the number
/// of labels, and hash nothing. `hash` hashes only what changed since it was last called.

import Prim "mo:prim";
import Sha256 "Sha256";

module {
  /// The labels from the root to a value.
  public type Path = [Blob];

  public type Tree = { var root : Node };

  /// A value, or a directory.
  public type Node = { #value : Blob; #directory : ?Entries };

  /// The labels of a directory in ascending order: one, or those of two subtrees.
  public type Entries = { #entry : Entry; #fork : Fork };

  /// `hash` is that of the labeled node, or empty where it is not known yet.
  public type Entry = { name : Blob; node : Node; var hash : Blob };

  /// `least` is the least label. The heights of the subtrees differ by one at most.
  public type Fork = { left : Entries; right : Entries; least : Blob; height : Nat; var hash : Blob };

  /// A hash tree of the specification: with everything, or pruned.
  public type Witness = {
    #empty;
    #fork : (Witness, Witness);
    #labeled : (Blob, Witness);
    #leaf : Blob;
    #pruned : Blob;
  };

  public func new() : Tree = { var root = #directory null };

  /// Puts a value at a path, in place of whatever was there or below. A value on the way becomes a
  /// directory.
  public func put(self : Tree, path : Path, value : Blob) {
    let ?root = update(?self.root, path, 0, ?value) else return;
    self.root := root;
  };

  /// Removes what is at a path and below, and the directories that are empty then.
  public func remove(self : Tree, path : Path) {
    let ?_ = find(self.root, path) else return;
    self.root := switch (update(?self.root, path, 0, null)) { case (?root) root; case null #directory null };
  };

  /// Returns the value at a path.
  public func get(self : Tree, path : Path) : ?Blob = switch (find(self.root, path)) { case (?#value value) ?value; case _ null };

  /// The root hash, for `CertifiedData.set`.
  public func hash(self : Tree) : Blob = hashOfNode(self.root);

  /// The tree pruned to what proves, for each of the paths, what is there, a whole directory too,
  /// or that nothing is.
  public func witness(self : Tree, paths : [Path]) : Witness = reveal(self.root, paths, 0);

  /// The root hash that a witness proves. It is the tree's where the tree made the witness.
  public func rootOf(witness : Witness) : Blob = switch witness {
    case (#empty) hashOfEmpty();
    case (#fork(left, right)) hashOfFork(rootOf(left), rootOf(right));
    case (#labeled(name, inner)) hashOfLabeled(name, rootOf(inner));
    case (#leaf value) hashOfLeaf(value);
    case (#pruned hash) hash;
  };

  /// A witness in CBOR, with the tag for self-described CBOR, as agents and HTTP gateways read it.
  public func encode(witness : Witness) : Blob {
    let output = Prim.Array_init<Nat8>(3 + encodedSize(witness), 0);
    var at = 0;
    func byte(value : Nat8) {
      output[at] := value;
      at += 1;
    };
    func bytes(data : Blob) {
      let size = data.size();
      let sizeBytes = headSize(size) - 1 : Nat;
      byte(switch sizeBytes { case 0 0x40 + Prim.natToNat8(size); case 1 0x58; case 2 0x59; case 4 0x5a; case _ 0x5b });
      var left = sizeBytes;
      while (left > 0) {
        left -= 1;
        byte(Prim.natToNat8(size / 256 ** left % 256));
      };
      for (value in data.vals()) byte(value);
    };
    func tree(witness : Witness) = switch witness {
      case (#empty) { byte(0x81); byte(0) };
      case (#fork(left, right)) { byte(0x83); byte(1); tree(left); tree(right) };
      case (#labeled(name, inner)) { byte(0x83); byte(2); bytes(name); tree(inner) };
      case (#leaf value) { byte(0x82); byte(3); bytes(value) };
      case (#pruned hash) { byte(0x82); byte(4); bytes(hash) };
    };
    for (value in [0xd9, 0xd9, 0xf7].vals()) byte(Prim.natToNat8(value));
    tree(witness);
    Prim.arrayMutToBlob(output);
  };

  func encodedSize(witness : Witness) : Nat = switch witness {
    case (#empty) 2;
    case (#fork(left, right)) 2 + encodedSize(left) + encodedSize(right);
    case (#labeled(name, inner)) 2 + headSize(name.size()) + name.size() + encodedSize(inner);
    case (#leaf data or #pruned data) 2 + headSize(data.size()) + data.size();
  };

  /// How many bytes CBOR puts before a byte string: its type, and its size if that is not in the
  /// same byte.
  func headSize(size : Nat) : Nat = if (size < 24) 1 else if (size < 0x100) 2 else if (size < 0x1_0000) 3 else if (size < 0x1_0000_0000) 5 else 9;

  // ---- finding and changing -----------------------------------------------------------------------------

  func find(root : Node, path : Path) : ?Node {
    var node = root;
    for (name in path.vals()) {
      let #directory(?entries) = node else return null;
      let ?entry = findEntry(entries, name) else return null;
      node := entry.node;
    };
    ?node;
  };

  func findEntry(entries : Entries, name : Blob) : ?Entry = switch entries {
    case (#entry entry) if (entry.name == name) ?entry else null;
    case (#fork fork) findEntry(side(fork, name), name);
  };

  /// The subtree where the label is, if it is in one.
  func side({ left; right } : Fork, name : Blob) : Entries = if (name < least(right)) left else right;

  /// The node with the value at the path from its label `depth` on, or without what is there; null
  /// if nothing is left.
  func update(node : ?Node, path : Path, depth : Nat, value : ?Blob) : ?Node {
    if (depth == path.size()) return switch value { case (?value) ?#value value; case null null };
    let entries = switch node { case (?#directory entries) entries; case _ null };
    switch (updateEntries(entries, path, depth, value)) { case null null; case some ?#directory some };
  };

  func updateEntries(entries : ?Entries, path : Path, depth : Nat, value : ?Blob) : ?Entries {
    let name = path[depth];
    func entry(node : ?Node) : ?Entries {
      let ?changed = update(node, path, depth + 1, value) else return null;
      ?#entry { name; node = changed; var hash = "" };
    };
    switch entries {
      case null entry(null);
      case (?#entry found) {
        if (found.name == name) return entry(?found.node);
        let ?added = entry(null) else return entries;
        ?(if (name < found.name) join(added, #entry found) else join(#entry found, added));
      };
      case (?#fork { left; right }) {
        if (name < least(right)) {
          let ?changed = updateEntries(?left, path, depth, value) else return ?right;
          ?balanced(changed, right);
        } else {
          let ?changed = updateEntries(?right, path, depth, value) else return ?left;
          ?balanced(left, changed);
        };
      };
    };
  };

  func least(entries : Entries) : Blob = switch entries { case (#entry { name }) name; case (#fork { least }) least };
  func height(entries : Entries) : Nat = switch entries { case (#entry _) 0; case (#fork { height }) height };

  func join(left : Entries, right : Entries) : Entries {
    let (l, r) = (height(left), height(right));
    #fork { left; right; least = least(left); height = 1 + (if (l > r) l else r); var hash = "" };
  };

  /// The same of subtrees whose heights differ by two at most: rotations as in an AVL tree.
  func balanced(left : Entries, right : Entries) : Entries {
    switch (left, right) {
      case (#fork a, _) if (a.height > height(right) + 1) {
        return switch (a.right) {
          case (#fork b) if (b.height > height(a.left)) join(join(a.left, b.left), join(b.right, right)) else join(a.left, join(a.right, right));
          case _ join(a.left, join(a.right, right));
        };
      };
      case _ {};
    };
    switch right {
      case (#fork a) if (a.height > height(left) + 1) {
        return switch (a.left) {
          case (#fork b) if (b.height > height(a.right)) join(join(left, b.left), join(b.right, a.right)) else join(join(left, a.left), a.right);
          case _ join(join(left, a.left), a.right);
        };
      };
      case _ {};
    };
    join(left, right);
  };

  // ---- proofs -------------------------------------------------------------------------------------------

  /// A label to be shown: with what is at the path, or alone.
  type Shown = { name : Blob; path : ?Path };

  /// The node pruned to the paths, whose first `depth` labels lead to it.
  func reveal(node : Node, paths : [Path], depth : Nat) : Witness {
    if (paths.size() == 0) return pruned(node);
    for (path in paths.vals()) if (path.size() == depth) return whole(node);
    switch node {
      case (#value value) #leaf value;
      case (#directory null) #empty;
      case (#directory(?entries)) {
        // Where a label is missing, its neighbours prove that.
        let shown = concat<Path, Shown>(
          paths,
          func path {
            let name = path[depth];
            switch (findEntry(entries, name)) {
              case (?_) [{ name; path = ?path }];
              case null concat<?Blob, Shown>([before(entries, name), after(entries, name)], func neighbour = switch neighbour { case (?name) [{ name; path = null }]; case null [] });
            };
          },
        );
        revealEntries(entries, shown, depth);
      };
    };
  };

  func revealEntries(entries : Entries, shown : [Shown], depth : Nat) : Witness {
    if (shown.size() == 0) return #pruned(hashOf(entries));
    switch entries {
      case (#entry { name; node }) {
        let paths = concat<Shown, Path>(shown, func({ path }) = switch path { case (?path) [path]; case null [] });
        #labeled(name, reveal(node, paths, depth + 1));
      };
      case (#fork { left; right }) {
        let middle = least(right);
        #fork(
          revealEntries(left, concat<Shown, Shown>(shown, func s = if (s.name < middle) [s] else []), depth),
          revealEntries(right, concat<Shown, Shown>(shown, func s = if (s.name < middle) [] else [s]), depth),
        );
      };
    };
  };

  func whole(node : Node) : Witness = switch node {
    case (#value value) #leaf value;
    case (#directory null) #empty;
    case (#directory(?entries)) wholeEntries(entries);
  };

  func wholeEntries(entries : Entries) : Witness = switch entries {
    case (#entry { name; node }) #labeled(name, whole(node));
    case (#fork { left; right }) #fork(wholeEntries(left), wholeEntries(right));
  };

  func pruned(node : Node) : Witness = switch node { case (#directory null) #empty; case _ #pruned(hashOfNode(node)) };

  /// The greatest label less than `name`.
  func before(entries : Entries, name : Blob) : ?Blob = switch entries {
    case (#entry entry) if (entry.name < name) ?entry.name else null;
    case (#fork { left; right }) if (least(right) < name) before(right, name) else before(left, name);
  };

  /// The least label greater than `name`.
  func after(entries : Entries, name : Blob) : ?Blob = switch entries {
    case (#entry entry) if (entry.name > name) ?entry.name else null;
    case (#fork { left; right }) switch (after(left, name)) {
      case null after(right, name);
      case found found;
    };
  };

  /// The arrays that `f` gives for each element, one after the other.
  func concat<A, B>(array : [A], f : A -> [B]) : [B] {
    let parts = Prim.Array_tabulate<[B]>(array.size(), func i = f(array[i]));
    var size = 0;
    for (part in parts.vals()) size += part.size();
    var part = 0;
    var i = 0;
    Prim.Array_tabulate<B>(
      size,
      func _ {
        while (i == parts[part].size()) {
          part += 1;
          i := 0;
        };
        i += 1;
        parts[part][i - 1 : Nat];
      },
    );
  };

  // ---- hashes: a byte with the length of a domain, the domain, and what is hashed ---------------------------

  func hashOfNode(node : Node) : Blob = switch node {
    case (#value value) hashOfLeaf(value);
    case (#directory null) hashOfEmpty();
    case (#directory(?entries)) hashOf(entries);
  };

  func hashOf(entries : Entries) : Blob = switch entries {
    case (#entry entry) {
      if (entry.hash.size() == 0) entry.hash := hashOfLabeled(entry.name, hashOfNode(entry.node));
      entry.hash;
    };
    case (#fork fork) {
      if (fork.hash.size() == 0) fork.hash := hashOfFork(hashOf(fork.left), hashOf(fork.right));
      fork.hash;
    };
  };

  func hashOfEmpty() : Blob = Sha256.fromBlob(#sha256, "\11ic-hashtree-empty");
  func hashOfLeaf(value : Blob) : Blob = hashOfTwo("\10ic-hashtree-leaf", value, "");
  func hashOfLabeled(name : Blob, inner : Blob) : Blob = hashOfTwo("\13ic-hashtree-labeled", name, inner);
  func hashOfFork(left : Blob, right : Blob) : Blob = hashOfTwo("\10ic-hashtree-fork", left, right);

  func hashOfTwo(domain : Blob, a : Blob, b : Blob) : Blob {
    let digest = Sha256.new(#sha256);
    digest.writeBlob(domain);
    digest.writeBlob(a);
    digest.writeBlob(b);
    digest.sum();
  };
}
