/// A Merkle tree for certified data. The tree maps paths to values, has one root hash of 32 bytes,
/// and produces proofs that a path has a certain value or has none. It is the *hash tree* of the
/// Internet Computer's interface specification, so agents and HTTP gateways can verify its proofs.
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
/// A tree contains only data, so a stable variable can hold it. The labels of each directory form a
/// balanced binary tree in ascending order. For each directory on the path, the number of steps of
/// `put` and `remove` grows with the logarithm of the number of labels; both compute no hashes.
/// `hash` computes only the hashes that are not known yet: those of the nodes that changed since
/// they were last hashed.

import Prim "mo:prim";
import Sha256 "Sha256";

module {
  /// The labels from the root to a value.
  public type Path = [Blob];

  public type Tree = { var root : Node };

  /// A node: a value, or a directory with its entries (null if it is empty).
  public type Node = { #value : Blob; #directory : ?Entries };

  /// The entries of a directory in ascending order of their labels: one entry, or two subtrees.
  public type Entries = { #entry : Entry; #fork : Fork };

  /// A label and its node. `hash` is the hash of the labeled node, or empty if it is not known yet.
  public type Entry = { name : Blob; node : Node; var hash : Blob };

  /// Two subtrees, whose heights differ by at most one. `least` is the least label in them. `hash`
  /// is empty if it is not known yet.
  public type Fork = { left : Entries; right : Entries; least : Blob; height : Nat; var hash : Blob };

  /// A hash tree as the specification defines it, complete or pruned.
  public type Witness = {
    #empty;
    #fork : (Witness, Witness);
    #labeled : (Blob, Witness);
    #leaf : Blob;
    #pruned : Blob;
  };

  /// Returns an empty tree.
  public func new() : Tree = { var root = #directory null };

  /// Puts a value at a path. It replaces the value or the directory that was there. A value at a
  /// beginning of the path is replaced by a directory.
  public func put(self : Tree, path : Path, value : Blob) {
    let ?root = update(?self.root, path, 0, ?value) else return;
    self.root := root;
  };

  /// Removes the value or the directory at a path, and every directory on the path that becomes
  /// empty. Does nothing if the path does not exist.
  public func remove(self : Tree, path : Path) {
    let ?_ = find(self.root, path) else return;
    self.root := switch (update(?self.root, path, 0, null)) { case (?root) root; case null #directory null };
  };

  /// Returns the value at a path, or null if there is none.
  public func get(self : Tree, path : Path) : ?Blob = switch (find(self.root, path)) { case (?#value value) ?value; case _ null };

  /// Returns the root hash, for `CertifiedData.set`.
  public func hash(self : Tree) : Blob = hashOfNode(self.root);

  /// Returns the tree pruned to a proof for the given paths. For each path it shows the value, or
  /// the whole directory, or that the path does not exist.
  public func witness(self : Tree, paths : [Path]) : Witness = reveal(self.root, paths, 0);

  /// Returns the root hash of a witness. It equals the root hash of the tree that made the witness.
  public func rootOf(witness : Witness) : Blob = switch witness {
    case (#empty) hashOfEmpty();
    case (#fork(left, right)) hashOfFork(rootOf(left), rootOf(right));
    case (#labeled(name, inner)) hashOfLabeled(name, rootOf(inner));
    case (#leaf value) hashOfLeaf(value);
    case (#pruned hash) hash;
  };

  /// Encodes a witness in CBOR, with the tag for self-described CBOR, as agents and HTTP gateways
  /// expect it.
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

  /// Returns the number of bytes that CBOR puts before a byte string of `size` bytes: one for the
  /// type and a size below 24, and up to eight more for a larger size.
  func headSize(size : Nat) : Nat = if (size < 24) 1 else if (size < 0x100) 2 else if (size < 0x1_0000) 3 else if (size < 0x1_0000_0000) 5 else 9;

  // ---- finding and changing ---------------------------------------------------------------------

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

  /// Returns the subtree that contains the label if the fork does.
  func side({ left; right } : Fork, name : Blob) : Entries = if (name < least(right)) left else right;

  /// Returns the node with `value` at the path that the labels from `path[depth]` on form. If
  /// `value` is null, returns the node without that path, or null if nothing is left.
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

  /// Returns a fork of two subtrees whose heights differ by at most one.
  func join(left : Entries, right : Entries) : Entries {
    let (l, r) = (height(left), height(right));
    #fork { left; right; least = least(left); height = 1 + (if (l > r) l else r); var hash = "" };
  };

  /// Returns a balanced tree of two subtrees whose heights differ by at most two. It rotates as an
  /// AVL tree does.
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

  // ---- proofs -----------------------------------------------------------------------------------

  /// A label that the witness must show, with the path for which its node must be shown, or null if
  /// the label alone is enough.
  type Shown = { name : Blob; path : ?Path };

  /// Returns the node pruned to the paths. The first `depth` labels of each path lead to the node.
  func reveal(node : Node, paths : [Path], depth : Nat) : Witness {
    if (paths.size() == 0) return pruned(node);
    for (path in paths.vals()) if (path.size() == depth) return whole(node);
    switch node {
      case (#value value) #leaf value;
      case (#directory null) #empty;
      case (#directory(?entries)) {
        // The two neighbours of a missing label prove that it is missing.
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

  /// Returns the greatest label less than `name`, or null if there is none.
  func before(entries : Entries, name : Blob) : ?Blob = switch entries {
    case (#entry entry) if (entry.name < name) ?entry.name else null;
    case (#fork { left; right }) if (least(right) < name) before(right, name) else before(left, name);
  };

  /// Returns the least label greater than `name`, or null if there is none.
  func after(entries : Entries, name : Blob) : ?Blob = switch entries {
    case (#entry entry) if (entry.name > name) ?entry.name else null;
    case (#fork { left; right }) switch (after(left, name)) {
      case null after(right, name);
      case found found;
    };
  };

  /// Concatenates the arrays that `f` returns for the elements.
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

  // ---- hashes -----------------------------------------------------------------------------------

  // The input of each hash is one byte with the length of a domain separator, the separator, and
  // the data.

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
