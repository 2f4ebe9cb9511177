/// Hashes files that come in many calls, one at a time for each caller. An upload can continue
/// after an upgrade.

import Map "mo:core/Map";
import Principal "mo:core/Principal";
import Runtime "mo:core/Runtime";
import Sha256 "mo:hashmill/Sha256";

persistent actor Files {
  // Stable, as all that a persistent actor declares: a digest is nothing but data.
  let files = Map.empty<Principal, Sha256.Digest>();

  /// Begins a file; what the caller had begun before is forgotten.
  public shared ({ caller }) func begin() : async () {
    Map.add(files, Principal.compare, caller, Sha256.new(#sha256));
  };

  /// Takes the file's next bytes. Gives how many have come so far.
  public shared ({ caller }) func write(chunk : Blob) : async Nat64 {
    let digest = file(caller);
    digest.writeBlob(chunk);
    digest.stream.length;
  };

  /// The hash of what has come so far.
  public shared query ({ caller }) func peek() : async Blob {
    file(caller).peekSum();
  };

  /// Ends the file and gives its hash.
  public shared ({ caller }) func finish() : async Blob {
    let hash = file(caller).sum();
    Map.remove(files, Principal.compare, caller);
    hash;
  };

  func file(caller : Principal) : Sha256.Digest {
    let ?digest = Map.get(files, Principal.compare, caller) else Runtime.trap("call begin() first");
    digest;
  };
};
