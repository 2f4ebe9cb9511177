//! Digests: formatting, parsing, conversion and comparison.

use hashmill::{Digest, Error, VarDigest, constant_time_eq};

#[test]
fn digests() {
    let digest = hashmill::sha256(b"abc");
    let hex = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad";
    assert_eq!(digest.to_string(), hex);
    assert_eq!(format!("{digest:?} {digest:x}"), format!("{hex} {hex}"));
    assert_eq!(format!("{digest:X}"), hex.to_uppercase());
    let var = VarDigest::from(digest);
    assert_eq!(format!("{var} {var:?} {var:x}"), format!("{hex} {hex} {hex}"));
    assert_eq!(format!("{var:X}"), hex.to_uppercase());
    // A width and a precision do what they do with text.
    assert_eq!(
        format!("{digest:67}{digest:>67}{digest:^67}{digest:*^67.9}"),
        format!("{hex:67}{hex:>67}{hex:^67}{hex:*^67.9}"),
    );

    for hex in [hex.to_owned(), hex.to_uppercase(), hex.replace('a', "A")] {
        assert_eq!(hex.parse(), Ok(digest));
        assert_eq!(hex.parse(), Ok(var));
    }
    let digits = "g".repeat(64);
    let not_ascii = "é".repeat(32);
    let length = |given| Error::DigestLength { given, expected: 64 };
    let digit = |at| Error::DigestHex { at };
    for (text, error) in [
        ("", length(0)),
        (&hex[1..], length(63)),
        (&hex[2..], length(62)),
        (&format!("{hex}00"), length(66)),
        (&format!("{hex}0"), length(65)),
        (&digits, digit(0)),
        (&not_ascii, digit(0)),
        (&format!(" {}", &hex[1..]), digit(0)),
        (&format!("{}+", &hex[1..]), digit(63)),
        (&format!("0x{}", &hex[2..]), digit(1)),
    ] {
        assert_eq!(text.parse::<Digest<32>>(), Err(error), "{text}");
    }
    assert_eq!("".parse(), Ok(VarDigest::default()));
    let odd = Error::DigestLength { given: 1, expected: 2 };
    assert_eq!("0".parse::<VarDigest>(), Err(odd));
    assert_eq!("0g".parse::<VarDigest>(), Err(digit(1)));
    assert_eq!("00".repeat(64).parse::<VarDigest>().map(|digest| digest.len()), Ok(64));
    let long = Error::DigestLength { given: 130, expected: 128 };
    assert_eq!("00".repeat(65).parse::<VarDigest>(), Err(long));
    // Longer than the part that is formatted at once.
    assert_eq!(hashmill::shake128::<200>(b"").to_string().len(), 400);

    let bytes: [u8; 32] = digest.into();
    assert_eq!((digest.as_bytes(), digest.into_bytes()), (&bytes, bytes));
    assert_eq!(Digest::from(bytes), digest);
    assert_eq!(AsRef::<[u8]>::as_ref(&digest), bytes);
    assert_eq!(VarDigest::try_from(&bytes[..]), Ok(var));
    assert_eq!(VarDigest::try_from(&[0; 64][..]).as_deref(), Ok(&[0; 64][..]));
    let long = Error::DigestLength { given: 65, expected: 64 };
    assert_eq!(VarDigest::try_from(&[0; 65][..]), Err(long));
    assert_eq!(*var, bytes);
}

#[test]
fn comparing_digests() {
    let digest = hashmill::sha256(b"abc");
    let var = VarDigest::from(digest);
    for bit in 0..256 {
        let mut other = *digest;
        other[bit / 8] ^= 1 << (bit % 8);
        assert_ne!(digest, other);
        assert_ne!(digest, Digest::from(other));
        assert_ne!(digest, other[..]);
        assert_ne!(digest, &other[..]);
        assert_ne!(var, VarDigest::from(Digest::from(other)));
        assert_ne!(var, Digest::from(other));
        assert_ne!(Digest::from(other), var);
        assert_ne!(var, other[..]);
        // The order is that of the bytes, beginning with the first.
        let ordering = digest.as_bytes().cmp(&other);
        assert_eq!(digest.cmp(&other.into()), ordering);
        assert_eq!(var.partial_cmp(&VarDigest::from(Digest::from(other))), Some(ordering));
    }
    // Equal differences in two words do not cancel each other.
    for word in 1..4 {
        let mut other = *digest;
        other[0] ^= 1;
        other[8 * word] ^= 1;
        assert!(digest != other && var != other[..] && !constant_time_eq(&*digest, &other));
    }
    assert!(digest == *digest && digest == digest[..] && var == digest[..]);
    assert_eq!(digest, var);
    assert_eq!(var, digest);
    assert_ne!(var, Digest::<64>::default());
    for len in 0..32 {
        assert!(digest != digest[..len] && var != digest[..len], "{len} bytes");
        assert_ne!(VarDigest::try_from(&digest[..len]), Ok(var));
    }
    assert!(digest != [&digest[..], &[0]].concat()[..]);
    let [short, long] = ["00", "0000"].map(|hex| hex.parse::<VarDigest>().expect("hex"));
    assert!(short < long);
    let set = std::collections::HashSet::from([digest, hashmill::sha256(b""), digest]);
    assert_eq!(set.len(), 2);
}
