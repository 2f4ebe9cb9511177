//! BLAKE2b, BLAKE2s, BLAKE2bp and BLAKE2sp.

use crate::algorithm::Algorithm;
use crate::blake2::{StreamB, StreamS};
use crate::digest::VarDigest;
use crate::facts::Facts;
use crate::hasher::Function;
use crate::tree::blake2::{TreeB, TreeS};

/// BLAKE2b (RFC 7693), whose digest has 1 to 64 bytes.
#[derive(Clone, Copy, Debug)]
pub enum Blake2b {}

impl Function for Blake2b {
    type Stream = StreamB;
    type Digest = VarDigest;
    const STREAM: &'static StreamB = &StreamB::new(&StreamB::DEFAULTS);
    const ALGORITHM: Algorithm = Algorithm::Blake2b;
    const FACTS: Facts = Facts::fixed(Algorithm::Blake2b.code(), "BLAKE2b", [64, 128], "RFC 7693")
        .aliases(&["BLAKE2b-512"])
        .multihash(0xb200)
        .answers(
            "5059e00db653f9412630794866c1ecdbfa901dd20e2c579d326a1c3a6da51c6c6a1687305201718666194ab321edb6bbf0f09e01c061dcc6c088a1cffe75fab5",
            "dfb6d4889c46070c1115b0f67f44a82acdb719c41774c855bc696c7b117dd0af5639c1012a3d25310be20532e9a2f47852821722837bc08feaad41c5ef685485",
        );
}

/// BLAKE2s (RFC 7693), whose digest has 1 to 32 bytes.
#[derive(Clone, Copy, Debug)]
pub enum Blake2s {}

impl Function for Blake2s {
    type Stream = StreamS;
    type Digest = VarDigest;
    const STREAM: &'static StreamS = &StreamS::new(&StreamS::DEFAULTS);
    const ALGORITHM: Algorithm = Algorithm::Blake2s;
    const FACTS: Facts = Facts::fixed(Algorithm::Blake2s.code(), "BLAKE2s", [32, 64], "RFC 7693")
        .aliases(&["BLAKE2s-256"])
        .multihash(0xb240)
        .answers(
            "6d1ab2ce12d1be3913ae0b24dda3d527240a43afd9abdec5be7c54d7e0bf1b6b",
            "ba5ff403f9c6b0df30c70be4cb624fa1afbe317bcc149acf0617337255e8b3fb",
        );
}

/// BLAKE2bp (the BLAKE2 paper §5), whose digest has 1 to 64 bytes.
#[derive(Clone, Copy, Debug)]
pub enum Blake2bp {}

impl Function for Blake2bp {
    type Stream = TreeB;
    type Digest = VarDigest;
    const STREAM: &'static TreeB = &TreeB::new(&TreeB::DEFAULTS);
    const ALGORITHM: Algorithm = Algorithm::Blake2bp;
    const FACTS: Facts =
        Facts::fixed(Algorithm::Blake2bp.code(), "BLAKE2bp", [64, 128], "BLAKE2 paper §5")
            .aliases(&["BLAKE2bp-512"])
            .answers(
                "fbe54940d384fa1198649c3894aa8c90182367ac5fd567ac7857943c56209cc8137f2c9c48f959cd736c518c06c8273b3afd13c0607ec6328abe44dd466f1fad",
                "b6a65560a08e449f64e42a7597ecc83ae02c57aa28844c6378968062bc3b0c5f457c5e5fefb328dcfd73cd979d0498c3da6765a27ea0342142cfc1ff06ebdaab",
            );
}

/// BLAKE2sp (the BLAKE2 paper §5), whose digest has 1 to 32 bytes.
#[derive(Clone, Copy, Debug)]
pub enum Blake2sp {}

impl Function for Blake2sp {
    type Stream = TreeS;
    type Digest = VarDigest;
    const STREAM: &'static TreeS = &TreeS::new(&TreeS::DEFAULTS);
    const ALGORITHM: Algorithm = Algorithm::Blake2sp;
    const FACTS: Facts =
        Facts::fixed(Algorithm::Blake2sp.code(), "BLAKE2sp", [32, 64], "BLAKE2 paper §5")
            .aliases(&["BLAKE2sp-256"])
            .answers(
                "4b0875ba1d1f93966e03e6b5b5b3b29974308910ce1ca1b3a583b2f4e610d74b",
                "99bcecaa91f81905518e3768eceddc9e2ed704833bddd236c35a3a71a8d39728",
            );
}
