//! Errors in parameters, and parameters behind `AnyHasher`.

use hashmill::{AnyHasher, Error, LastNode, VarDigest};

#[test]
fn mistakes_in_parameters() {
    macro_rules! mistakes {
        ($module:ident, longest $longest:literal, salt $salt:literal) => {{
            use hashmill::$module::Params;
            let long = [0; 1000];
            let new = Params::new;
            let build = |params: Params| {
                assert_eq!(params.build().err(), params.build_portable().err());
                params.build().err()
            };
            for len in [0, $longest + 1, 255, 256, 257, usize::MAX] {
                assert_eq!(
                    build(new().output_len(len)),
                    Some(Error::Blake2OutputLength { given: len as u64 }),
                    "{len}"
                );
            }
            for len in [$longest + 1, 256, 1000] {
                assert_eq!(
                    build(new().key(&long[..len])),
                    Some(Error::Blake2KeyLength { given: len as u64 }),
                    "{len}"
                );
            }
            for len in [$salt + 1, 256, 1000] {
                let (long, given) = (&long[..len], len as u64);
                assert_eq!(
                    build(new().salt(long)),
                    Some(Error::Blake2SaltLength { given }),
                    "{len}"
                );
                assert_eq!(
                    build(new().personal(long)),
                    Some(Error::Blake2PersonalLength { given }),
                    "{len}"
                );
            }
            let longest = new().output_len($longest).key(&long[..$longest]);
            assert_eq!(build(longest.salt(&long[..$salt]).personal(&long[..$salt])), None);
            assert_eq!(
                build(Params::default().output_len(1).key(b"").salt(b"").personal(b"")),
                None
            );
            // The first error is returned, and a later valid setting does not undo it.
            let two = new().salt(&long).output_len(0).salt(b"").output_len(1);
            assert_eq!(build(two), Some(Error::Blake2SaltLength { given: 1000 }));
        }};
        (tree $module:ident, longest $longest:literal, offset bits $bits:literal) => {{
            use hashmill::$module::Params;
            let new = Params::new;
            let build = |params: Params| params.build().err();
            for len in [$longest + 1, 255, 256, usize::MAX] {
                assert_eq!(
                    build(new().inner_len(len)),
                    Some(Error::Blake2InnerLength { given: len as u64 }),
                    "{len}"
                );
            }
            assert_eq!(build(new().max_depth(0)), None);
            let limit = u64::MAX >> (64 - $bits);
            assert_eq!(build(new().node_offset(limit)), None);
            for offset in
                limit.checked_add(1).into_iter().chain((limit < u64::MAX).then_some(u64::MAX))
            {
                assert_eq!(
                    build(new().node_offset(offset)),
                    Some(Error::Blake2NodeOffset { given: offset }),
                    "{offset}"
                );
            }
            let largest = new().fanout(255).max_depth(255).leaf_len(u32::MAX).node_depth(255);
            assert_eq!(build(largest.inner_len($longest).last_node(LastNode::Yes)), None);
            assert_eq!(build(new().fanout(0).max_depth(1).leaf_len(0).inner_len(0)), None);
        }};
    }
    mistakes!(blake2b, longest 64, salt 16);
    mistakes!(blake2s, longest 32, salt 8);
    mistakes!(blake2bp, longest 64, salt 16);
    mistakes!(blake2sp, longest 32, salt 8);
    mistakes!(tree blake2b, longest 64, offset bits 64);
    mistakes!(tree blake2s, longest 32, offset bits 48);

    for domain in 0..=0xFF {
        let wrong = !(0x01..=0x7F).contains(&domain);
        let expected = wrong.then_some(Error::Domain { given: domain.into() });
        assert_eq!(hashmill::TurboShake128::with_domain(domain).err(), expected, "{domain}");
        assert_eq!(hashmill::TurboShake256::with_domain(domain).err(), expected, "{domain}");
    }
}

#[test]
fn parameters_stay_when_the_type_is_forgotten() {
    for len in 1..=64 {
        let hasher = hashmill::blake2b::Params::new().output_len(len).build().expect("a length");
        let any = AnyHasher::from(hasher.clone());
        assert_eq!((any.output_len(), any.finalize()), (len, hasher.finalize()));
        assert_eq!(any.finalize().len(), len);
        let mut out = vec![0; len + 1];
        assert!(matches!(any.hash_into(b"", &mut out), Err(Error::OutputLength { .. })));
        assert_eq!(any.hash_into(b"", &mut out[1..]), Ok(()));
        let mut digests = [VarDigest::default()];
        any.hash_many([b"abc"], &mut digests).expect("a digest for it");
        assert_eq!(digests[0], hasher.clone().update(b"abc").finalize());
    }
    let xof = hashmill::TurboShake128::with_domain(5).expect("a domain");
    let any = AnyHasher::from(xof.clone());
    assert!(any.squeeze().expect("an XOF").take(99).eq(xof.squeeze().take(99)));
}
