//! Ethereum's account trie, as alloy-trie computes it, over hashmill: the nodes are hashed by the
//! function that alloy calls with its feature `native-keccak`, and the keys side by side in lanes.

use alloy_primitives::{Address, B256, Keccak256, U256, hex, keccak256};
use alloy_trie::root::{state_root, state_root_unhashed};
use alloy_trie::{EMPTY_ROOT_HASH, TrieAccount};
use hashmill::many;
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};

/// How often alloy has called the hook.
static CALLS: AtomicUsize = AtomicUsize::new(0);

/// The hook. It compares each digest with that of alloy's own hasher, which does not use the hook, so
/// that a root over the hook is the root that alloy computes without it.
///
/// # Safety
/// `bytes` must be valid for reads of `len` bytes, and `output` for writes of 32.
#[unsafe(no_mangle)]
unsafe extern "C" fn native_keccak256(bytes: *const u8, len: usize, output: *mut u8) {
    // SAFETY: the caller promises this.
    let message = unsafe { std::slice::from_raw_parts(bytes, len) };
    let digest = hashmill::keccak256(message);
    let mut theirs = Keccak256::new();
    theirs.update(message);
    assert_eq!(digest[..], theirs.finalize()[..], "{} bytes", message.len());
    CALLS.fetch_add(1, Relaxed);
    // SAFETY: the caller promises this, and a digest has 32 bytes.
    unsafe { output.copy_from_nonoverlapping(digest.as_bytes().as_ptr(), 32) };
}

/// Returns an account whose encoding has another length for each magnitude of `i`.
fn account(i: u64) -> TrieAccount {
    TrieAccount { nonce: i, balance: U256::from(i).pow(U256::from(3)), ..TrieAccount::default() }
}

#[test]
fn alloy_hashes_with_the_hook() {
    let before = CALLS.load(Relaxed);
    let empty = "c5d2460186f7233c927e7db2dcc703c0e500b653ca82273b7bfad8045d85a470";
    assert_eq!(hex::encode(keccak256(b"")), empty);
    assert!(CALLS.load(Relaxed) > before);
}

#[test]
fn the_root_of_the_accounts() {
    let address = |i: u64| Address::from_word(B256::from(U256::from(i).pow(U256::from(2))));
    for count in [0, 1, 2, 17, 20_000] {
        let before = CALLS.load(Relaxed);
        let by_alloy = state_root_unhashed((0..count).map(|i| (address(i), account(i))));
        let calls = CALLS.load(Relaxed) - before;
        // One call for each key, and at least one for each leaf.
        assert!(calls as u64 >= 2 * count, "{calls} calls for {count} accounts");
        let addresses: Vec<[u8; 20]> = (0..count).map(|i| address(i).into()).collect();
        let mut keys = vec![[0; 32]; addresses.len()];
        many::hash::<hashmill::Keccak256>(&addresses[..], keys.as_flattened_mut())
            .expect("a place for each");
        let mut leaves: Vec<(B256, TrieAccount)> =
            keys.into_iter().map(B256::from).zip((0..count).map(account)).collect();
        leaves.sort_unstable_by_key(|(key, _)| *key);
        assert_eq!(state_root(leaves), by_alloy, "{count} accounts");
        assert_eq!(by_alloy == EMPTY_ROOT_HASH, count == 0);
    }
}
