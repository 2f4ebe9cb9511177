//! HMAC: RFC 4231 for SHA-2, NIST's examples for SHA-3.

use hashmill_reference::hmac::hmac;
use hashmill_reference::{keccak, names, sha2};

use crate::hex;

/// RFC 4231 §4.2 to §4.8. The tags are those of SHA-224, SHA-256, SHA-384 and SHA-512; those of
/// §4.6 are cut to 128 bits.
#[test]
fn rfc_4231() {
    #[rustfmt::skip]
    let cases: [(&[u8], &[u8], [&str; 4]); 7] = [
        (&[0x0b; 20], b"Hi There", [
            "896fb1128abbdf196832107cd49df33f47b4b1169912ba4f53684b22",
            "b0344c61d8db38535ca8afceaf0bf12b881dc200c9833da726e9376c2e32cff7",
            "afd03944d84895626b0825f4ab46907f15f9dadbe4101ec682aa034c7cebc59c\
             faea9ea9076ede7f4af152e8b2fa9cb6",
            "87aa7cdea5ef619d4ff0b4241a1d6cb02379f4e2ce4ec2787ad0b30545e17cde\
             daa833b7d6b8a702038b274eaea3f4e4be9d914eeb61f1702e696c203a126854",
        ]),
        (b"Jefe", b"what do ya want for nothing?", [
            "a30e01098bc6dbbf45690f3a7e9e6d0f8bbea2a39e6148008fd05e44",
            "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843",
            "af45d2e376484031617f78d2b58a6b1b9c7ef464f5a01b47e42ec3736322445e\
             8e2240ca5e69e2c78b3239ecfab21649",
            "164b7a7bfcf819e2e395fbe73b56e0a387bd64222e831fd610270cd7ea250554\
             9758bf75c05a994a6d034f65f8f0e6fdcaeab1a34d4a6b4b636e070a38bce737",
        ]),
        (&[0xaa; 20], &[0xdd; 50], [
            "7fb3cb3588c6c1f6ffa9694d7d6ad2649365b0c1f65d69d1ec8333ea",
            "773ea91e36800e46854db8ebd09181a72959098b3ef8c122d9635514ced565fe",
            "88062608d3e6ad8a0aa2ace014c8a86f0aa635d947ac9febe83ef4e55966144b\
             2a5ab39dc13814b94e3ab6e101a34f27",
            "fa73b0089d56a284efb0f0756c890be9b1b5dbdd8ee81a3655f83e33b2279d39\
             bf3e848279a722c806b485a47e67c807b946a337bee8942674278859e13292fb",
        ]),
        (&hex("0102030405060708090a0b0c0d0e0f10111213141516171819"), &[0xcd; 50], [
            "6c11506874013cac6a2abc1bb382627cec6a90d86efc012de7afec5a",
            "82558a389a443c0ea4cc819899f2083a85f0faa3e578f8077a2e3ff46729665b",
            "3e8a69b7783c25851933ab6290af6ca77a9981480850009cc5577c6e1f573b4e\
             6801dd23c4a7d679ccf8a386c674cffb",
            "b0ba465637458c6990e5a8c5f61d4af7e576d97ff94b872de76f8050361ee3db\
             a91ca5c11aa25eb4d679275cc5788063a5f19741120c4f2de2adebeb10a298dd",
        ]),
        (&[0x0c; 20], b"Test With Truncation", [
            "0e2aea68a90c8d37c988bcdb9fca6fa8",
            "a3b6167473100ee06e0c796c2955552b",
            "3abf34c3503b2a23a46efc619baef897",
            "415fad6271580a531d4179bc891d87a6",
        ]),
        (&[0xaa; 131], b"Test Using Larger Than Block-Size Key - Hash Key First", [
            "95e9a0db962095adaebe9b2d6f0dbce2d499f112f2d2b7273fa6870e",
            "60e431591ee0b67f0d8a26aacbf5b77f8e0bc6213728c5140546040f0ee37f54",
            "4ece084485813e9088d2c63a041bc5b44f9ef1012a2b588f3cd11f05033ac4c6\
             0c2ef6ab4030fe8296248df163f44952",
            "80b24263c7c1a3ebb71493c1dd7be8b49b46d1f41b4aeec1121b013783f8f352\
             6b56d037e05f2598bd0fd2215d6a1e5295e64f73f63f0aec8b915a985d786598",
        ]),
        (&[0xaa; 131], b"This is a test using a larger than block-size key and a larger than block-size data. \
           The key needs to be hashed before being used by the HMAC algorithm.", [
            "3a854166ac5d9f023f54d517d0b39dbd946770db9c2b95c9f6f565d1",
            "9b09ffa71b942fcb27635fbcd5b0e944bfdc63644f0713938a7f51535c3a35e2",
            "6617178e941f020d351e2f254e8fd32c602420feb0b8fb9adccebb82461e99c5\
             a678cc31e799176d3860e6110c46523e",
            "e37b6a775dc87dbaa4dfa9f96e5e3ffddebd71f8867289865df5a32d20cdc944\
             b6022cac3c4982b10d5eeb55c3e4de15134676fb6de0446065c97440fa8c6a58",
        ]),
    ];
    for (key, message, tags) in cases {
        let got = [
            hmac(sha2::sha224, 64, key, message).to_vec(),
            hmac(sha2::sha256, 64, key, message).to_vec(),
            hmac(sha2::sha384, 128, key, message).to_vec(),
            hmac(sha2::sha512, 128, key, message).to_vec(),
        ];
        for (got, tag) in got.into_iter().zip(tags) {
            assert!(got.starts_with(&hex(tag)), "{message:?}");
        }
    }
}

/// NIST, "Examples with Intermediate Values", HMAC with SHA-3: keys shorter and longer than the
/// block.
#[test]
fn sha3() {
    #[rustfmt::skip]
    let cases = [
        ("sha3-224", 28, "Sample message for keylen<blocklen",
         "332cfd59347fdb8e576e77260be4aba2d6dc53117b3bfb52c6d18c04"),
        ("sha3-224", 172, "Sample message for keylen>blocklen",
         "078695eecc227c636ad31d063a15dd05a7e819a66ec6d8de1e193e59"),
        ("sha3-256", 32, "Sample message for keylen<blocklen",
         "4fe8e202c4f058e8dddc23d8c34e467343e23555e24fc2f025d598f558f67205"),
        ("sha3-256", 168, "Sample message for keylen>blocklen",
         "9bcf2c238e235c3ce88404e813bd2f3a97185ac6f238c63d6229a00b07974258"),
        ("sha3-384", 48, "Sample message for keylen<blocklen",
         "d588a3c51f3f2d906e8298c1199aa8ff6296218127f6b38a90b6afe2c5617725\
          bc99987f79b22a557b6520db710b7f42"),
        ("sha3-384", 152, "Sample message for keylen>blocklen",
         "e5ae4c739f455279368ebf36d4f5354c95aa184c899d3870e460ebc288ef1f94\
          70053f73f7c6da2a71bcaec38ce7d6ac"),
        ("sha3-512", 64, "Sample message for keylen<blocklen",
         "4efd629d6c71bf86162658f29943b1c308ce27cdfa6db0d9c3ce81763f9cbce5\
          f7ebe9868031db1a8f8eb7b6b95e5c5e3f657a8996c86a2f6527e307f0213196"),
        ("sha3-512", 136, "Sample message for keylen>blocklen",
         "5f464f5e5b7848e3885e49b2c385f0694985d0e38966242dc4a5fe3fea4b37d4\
          6b65ceced5dcf59438dd840bab22269f0ba7febdb9fcf74602a35666b2a32915"),
    ];
    for (name, key_len, message, tag) in cases {
        let key: Vec<u8> = (0..key_len).collect();
        let got = names::hmac(name, &key, message.as_bytes());
        assert_eq!(got, Some(hex(tag)), "{name}, a key of {key_len} bytes");
    }
}

/// FIPS 202 §7, table 3: the block is the rate.
#[test]
fn the_block_of_sha3_is_its_rate() {
    let got = hmac(keccak::sha3_384, 104, b"key", b"message");
    assert_eq!(Some(got.to_vec()), names::hmac("sha3-384", b"key", b"message"));
}
