//! hashmill's hashers where those of `sha2` and `sha3` go: in signatures, MACs and key derivation
//! of RustCrypto. Each result is that of `sha2` or `sha3`, or is verified with them.

use hmac::Mac;
use p256::ecdsa::signature::{DigestSigner, DigestVerifier};
use rsa::rand_core::OsRng;
use rsa::signature::{RandomizedSigner, SignatureEncoding, Signer, Verifier};
use rsa::{RsaPrivateKey, pkcs1v15, pss};
use sha2::digest::core_api::CoreWrapper;

const MESSAGES: [&[u8]; 4] = [b"", b"abc", &[7; 64], &[9; 1000]];

macro_rules! each {
    ($test:ident) => {
        $test!(Sha224 sha2, Sha256 sha2, Sha384 sha2, Sha512 sha2, Sha512_224 sha2, Sha512_256 sha2,
               Sha3_224 sha3, Sha3_256 sha3, Sha3_384 sha3, Sha3_512 sha3);
    };
}

/// PKCS #1 v1.5 has the hash function's object identifier in what is signed.
#[test]
fn rsa_signatures() {
    let key = RsaPrivateKey::new(&mut OsRng, 1100).expect("a key");
    macro_rules! test {
        ($($Hash:ident $theirs:ident),*) => { $(
            let ours = pkcs1v15::SigningKey::<hashmill::$Hash>::new(key.clone());
            let theirs = pkcs1v15::SigningKey::<$theirs::$Hash>::new(key.clone());
            for message in MESSAGES {
                let signature = ours.sign(message);
                assert_eq!(signature.to_bytes(), theirs.sign(message).to_bytes(), stringify!($Hash));
                let public = pkcs1v15::VerifyingKey::<hashmill::$Hash>::new(key.to_public_key());
                assert!(public.verify(message, &signature).is_ok());
                assert!(public.verify(b"another", &signature).is_err());
            }
        )* };
    }
    each!(test);
    let ours = pss::SigningKey::<hashmill::Sha256>::new(key.clone());
    let theirs = pss::VerifyingKey::<sha2::Sha256>::new(key.to_public_key());
    let signature = ours.sign_with_rng(&mut OsRng, b"message");
    assert!(theirs.verify(b"message", &signature).is_ok());
}

#[test]
fn p256_signatures() {
    use p256::ecdsa::{Signature, SigningKey, VerifyingKey};
    use sha2::digest::Digest;
    let key = SigningKey::from_bytes(&[3; 32].into()).expect("a key");
    for message in MESSAGES {
        let ours: Signature = key.sign_digest(hashmill::Sha256::from_iter(message));
        let theirs: Signature = key.sign_digest(sha2::Sha256::new_with_prefix(message));
        assert_eq!(ours, theirs);
        let public = VerifyingKey::from(&key);
        assert!(public.verify_digest(hashmill::Sha256::from_iter(message), &ours).is_ok());
        assert!(public.verify_digest(hashmill::Sha256::from_iter(b"another"), &ours).is_err());
    }
}

#[test]
fn macs_and_keys() {
    macro_rules! test {
        ($($Hash:ident $theirs:ident),*) => { $(
            for message in MESSAGES {
                let mut ours = hmac::Hmac::<CoreWrapper<hashmill::$Hash>>::new_from_slice(b"key").expect("a key");
                let mut theirs = hmac::Hmac::<$theirs::$Hash>::new_from_slice(b"key").expect("a key");
                ours.update(message);
                theirs.update(message);
                assert_eq!(ours.finalize().into_bytes(), theirs.finalize().into_bytes());
                let mut ours = hmac::SimpleHmac::<hashmill::$Hash>::new_from_slice(message).expect("a key");
                let mut theirs = hmac::SimpleHmac::<$theirs::$Hash>::new_from_slice(message).expect("a key");
                ours.update(message);
                theirs.update(message);
                assert_eq!(ours.finalize().into_bytes(), theirs.finalize().into_bytes());

                let [mut ours, mut theirs] = [[0; 100]; 2];
                let hkdf = hkdf::Hkdf::<CoreWrapper<hashmill::$Hash>>::new(Some(b"salt"), message);
                hkdf.expand(b"info", &mut ours).expect("not too long");
                let hkdf = hkdf::Hkdf::<$theirs::$Hash>::new(Some(b"salt"), message);
                hkdf.expand(b"info", &mut theirs).expect("not too long");
                assert_eq!(ours, theirs, stringify!($Hash));
                pbkdf2::pbkdf2_hmac::<CoreWrapper<hashmill::$Hash>>(message, b"salt", 3, &mut ours);
                pbkdf2::pbkdf2_hmac::<$theirs::$Hash>(message, b"salt", 3, &mut theirs);
                assert_eq!(ours, theirs, stringify!($Hash));
            }
        )* };
    }
    each!(test);
}

/// Digests, resets, trait objects and outputs of any length under digest 0.10.
#[test]
fn traits_of_0_10() {
    use sha2::digest::{
        Digest, DynDigest, ExtendableOutput, ExtendableOutputReset, Update, XofReader,
    };
    macro_rules! test {
        ($($Hash:ident $theirs:ident),*) => { $(
            for message in MESSAGES {
                let expected = $theirs::$Hash::digest(message);
                let mut ours = <hashmill::$Hash as Digest>::new_with_prefix(message);
                assert_eq!(Digest::finalize_reset(&mut ours), expected);
                let object: &mut dyn DynDigest = &mut ours;
                object.update(message);
                assert_eq!(*object.finalize_reset(), *expected);
                Digest::update(&mut ours, b"forgotten");
                Digest::reset(&mut ours);
                assert_eq!(Digest::finalize(ours), $theirs::$Hash::digest(b""));
            }
        )* };
    }
    each!(test);
    let (mut ours, mut theirs) = ([0; 500], [0; 500]);
    let mut shake = hashmill::Shake128::new();
    Update::update(&mut shake, b"abc");
    shake.finalize_xof_reset().read(&mut ours);
    sha3::Shake128::digest_xof(b"abc", &mut theirs);
    assert_eq!(ours, theirs);
    Update::update(&mut shake, b"abc");
    ExtendableOutput::finalize_xof(shake).read(&mut ours);
    assert_eq!(ours, theirs);
}

/// BLAKE2 with the length that its type names, under digest 0.11.
#[test]
fn blake2_of_a_length() {
    use digest::consts::{U20, U32, U64};
    use digest::{Digest, DynDigest};
    use hashmill::{Blake2Sized, Error, blake2b, blake2bp, blake2s, blake2sp};
    macro_rules! test {
        ($($module:ident $Type:ident $N:ident;)*) => { $(
            type D = hashmill::$Type<$N>;
            let len = <$N as digest::typenum::Unsigned>::USIZE;
            let params = $module::Params::new().output_len(len);
            let abc = params.hash(b"abc").expect("a length");
            assert_eq!(abc, D::digest(b"abc")[..]);
            let mut hasher = D::new();
            Digest::update(&mut hasher, b"abc");
            assert_eq!(abc, Digest::finalize_reset(&mut hasher)[..]);
            let object: &mut dyn DynDigest = &mut hasher;
            object.update(b"abc");
            assert_eq!(abc, *object.finalize_reset());
            assert_eq!(params.hash(b"").expect("a length"), Digest::finalize(hasher)[..]);

            // A reset goes back to the parameters.
            let keyed = params.key(b"key").salt(b"salt");
            let mut hasher = D::with_params(&keyed).expect("the type's length");
            Digest::update(&mut hasher, b"forgotten");
            Digest::reset(&mut hasher);
            Digest::update(&mut hasher, b"abc");
            assert_eq!(keyed.hash(b"abc").expect("parameters"), Digest::finalize(hasher)[..]);
            let other = D::with_params(&params.output_len(len - 1)).err();
            let (given, expected) = (len as u64 - 1, len as u64);
            assert_eq!(other, Some(Error::OutputLength { given, expected }));
            assert_eq!(format!("{:?}", D::new()), concat!(stringify!($Type), " { .. }"));
        )* };
    }
    {
        test! { blake2b Blake2bDigest U64; }
    }
    {
        test! { blake2b Blake2bDigest U20; }
    }
    {
        test! { blake2s Blake2sDigest U32; }
    }
    {
        test! { blake2bp Blake2bpDigest U32; }
    }
    {
        test! { blake2sp Blake2spDigest U20; }
    }
    fn is_generic<F: hashmill::function::Function, N, K>(_: &Blake2Sized<F, N, K>) {}
    is_generic(&hashmill::Blake2bDigest::<U64>::new());
}

/// Both versions give the registered identifiers.
#[test]
fn object_identifiers() {
    use digest::const_oid::AssociatedOid as New;
    use sha2::digest::const_oid::AssociatedOid as Old;
    macro_rules! test {
        ($($Hash:ident $theirs:ident),*) => { $(
            let theirs = <$theirs::$Hash as Old>::OID;
            assert_eq!(<hashmill::$Hash as Old>::OID, theirs);
            assert_eq!(<hashmill::$Hash as New>::OID.to_string(), theirs.to_string());
        )* };
    }
    each!(test);
    assert_eq!(<hashmill::Shake256 as New>::OID.to_string(), "2.16.840.1.101.3.4.2.12");
}
