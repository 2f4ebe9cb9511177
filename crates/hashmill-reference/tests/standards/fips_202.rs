//! SHA-3. NIST's examples for FIPS 202 (Cryptographic Standards and Guidelines, "Examples with
//! Intermediate Values"): messages of 0, 5, 30, 1600, 1605 and 1630 bits.

use hashmill_reference::{Bits, keccak};

use crate::hex;

const A3: [u8; 203] = [0xa3; 203];

fn messages() -> [Bits<'static>; 6] {
    [
        Bits { bytes: b"", last_byte: 0, bits: 0 },
        Bits { bytes: b"", last_byte: 0x13, bits: 5 },
        Bits { bytes: b"\x53\x58\x7b", last_byte: 0x19, bits: 6 },
        Bits { bytes: &A3[..200], last_byte: 0, bits: 0 },
        Bits { bytes: &A3[..200], last_byte: 0x03, bits: 5 },
        Bits { bytes: &A3[..203], last_byte: 0x23, bits: 6 },
    ]
}

fn check(hash: impl Fn(Bits) -> Vec<u8>, digests: [&str; 6]) {
    for (message, digest) in messages().into_iter().zip(digests) {
        assert_eq!(hash(message), hex(digest), "{message:?}");
    }
}

#[test]
fn sha3_224() {
    #[rustfmt::skip]
    let digests = [
        "6b4e03423667dbb73b6e15454f0eb1abd4597f9a1b078e3f5b5a6bc7",
        "ffbad5da96bad71789330206dc6768ecaeb1b32dca6b3301489674ab",
        "d666a514cc9dba25ac1ba69ed3930460deaac9851b5f0baab007df3b",
        "9376816aba503f72f96ce7eb65ac095deee3be4bf9bbc2a1cb7e11e0",
        "22d2f7bb0b173fd8c19686f9173166e3ee62738047d7eadd69efb228",
        "4e907bb1057861f200a599e9d4f85b02d88453bf5b8ace9ac589134c",
    ];
    check(|message| keccak::sha3_224_bits(message).to_vec(), digests);
}

#[test]
fn sha3_256() {
    #[rustfmt::skip]
    let digests = [
        "a7ffc6f8bf1ed76651c14756a061d662f580ff4de43b49fa82d80a4b80f8434a",
        "7b0047cf5a456882363cbf0fb05322cf65f4b7059a46365e830132e3b5d957af",
        "c8242fef409e5ae9d1f1c857ae4dc624b92b19809f62aa8c07411c54a078b1d0",
        "79f38adec5c20307a98ef76e8324afbfd46cfd81b22e3973c65fa1bd9de31787",
        "81ee769bed0950862b1ddded2e84aaa6ab7bfdd3ceaa471be31163d40336363c",
        "52860aa301214c610d922a6b6cab981ccd06012e54ef689d744021e738b9ed20",
    ];
    check(|message| keccak::sha3_256_bits(message).to_vec(), digests);
}

#[test]
fn sha3_384() {
    #[rustfmt::skip]
    let digests = [
        "0c63a75b845e4f7d01107d852e4c2485c51a50aaaa94fc61995e71bbee983a2a\
         c3713831264adb47fb6bd1e058d5f004",
        "737c9b491885e9bf7428e792741a7bf8dca9653471c3e148473f2c236b6a0a64\
         55eb1dce9f779b4b6b237fef171b1c64",
        "955b4dd1be03261bd76f807a7efd432435c417362811b8a50c564e7ee9585e1a\
         c7626dde2fdc030f876196ea267f08c3",
        "1881de2ca7e41ef95dc4732b8f5f002b189cc1e42b74168ed1732649ce1dbcdd\
         76197a31fd55ee989f2d7050dd473e8f",
        "a31fdbd8d576551c21fb1191b54bda65b6c5fe97f0f4a69103424b43f7fdb835\
         979fdbeae8b3fe16cb82e587381eb624",
        "3485d3b280bd384cf4a777844e94678173055d1cbc40c7c2c3833d9ef1234517\
         2d6fcd31923bb8795ac81847d3d8855c",
    ];
    check(|message| keccak::sha3_384_bits(message).to_vec(), digests);
}

#[test]
fn sha3_512() {
    #[rustfmt::skip]
    let digests = [
        "a69f73cca23a9ac5c8b567dc185a756e97c982164fe25859e0d1dcc1475c80a6\
         15b2123af1f5f94c11e3e9402c3ac558f500199d95b6d3e301758586281dcd26",
        "a13e01494114c09800622a70288c432121ce70039d753cadd2e006e4d961cb27\
         544c1481e5814bdceb53be6733d5e099795e5e81918addb058e22a9f24883f37",
        "9834c05a11e1c5d3da9c740e1c106d9e590a0e530b6f6aaa7830525d075ca5db\
         1bd8a6aa981a28613ac334934a01823cd45f45e49b6d7e6917f2f16778067bab",
        "e76dfad22084a8b1467fcf2ffa58361bec7628edf5f3fdc0e4805dc48caeeca8\
         1b7c13c30adf52a3659584739a2df46be589c51ca1a4a8416df6545a1ce8ba00",
        "fc4a167ccb31a937d698fde82b04348c9539b28f0c9d3b4505709c03812350e4\
         990e9622974f6e575c47861c0d2e638ccfc2023c365bb60a93f528550698786b",
        "cf9a30ac1f1f6ac0916f9fef1919c595debe2ee80c85421210fdf05f1c6af73a\
         a9cac881d0f91db6d034a2bbadc1cf7fbcb2ecfa9d191d3a5016fb3fad8709c9",
    ];
    check(|message| keccak::sha3_512_bits(message).to_vec(), digests);
}

/// The first and the last 32 bytes of an output of 512 bytes.
#[test]
fn shake128() {
    #[rustfmt::skip]
    let outputs = [
        "7f9c2ba4e88f827d616045507605853ed73b8093f6efbc88eb1a6eacfa66ef26\
         43e41b45a653f2a5c4492c1add544512dda2529833462b71a41a45be97290b6f",
        "2e0abfba83e6720bfbc225ff6b7ab9ffce58ba027ee3d898764fef287ddeccca\
         654d7d75c908abe62564753eac39d7503da6d37c2e32e1af3b8aec8ae3069cd9",
        "6d5d39c55f3cca567feaf422dc64ba17401d07756d78b0fa3d546d66afc27671\
         2c7156bd7f3cf2b745c912a40bc1b559b656e3e903cc5733e86ba15dfef70678",
        "131ab8d2b594946b9c81333f9bb6e0ce75c3b93104fa3469d3917457385da037\
         44c9fb359fd56ac0a9a75a743cff6862f17d7259ab075216c0699511643b6439",
        "4ac38ebd1678b4a452792c5673f9777d36b55451aaae2424924942d318a2f6f5\
         ad540bec2d046c18e355faf8313d2ef8995ee6aae42568f314933e3a21e5be40",
        "89846dc776ac0f014572ea79f560773451002938248e6882569ac32aeab191fc\
         6381676abbd2d9104ed23a9e89310246b026cedd57595b1ab6fe88a784be0c06",
    ];
    let first_and_last = |output: Vec<u8>| [&output[..32], &output[480..]].concat();
    check(|message| first_and_last(keccak::shake128_bits(message, 512)), outputs);
}

/// The first and the last 32 bytes of an output of 512 bytes.
#[test]
fn shake256() {
    #[rustfmt::skip]
    let outputs = [
        "46b9dd2b0ba88d13233b3feb743eeb243fcd52ea62b81b82b50c27646ed5762f\
         ab0bae316339894304e35877b0c28a9b1fd166c796b9cc258a064a8f57e27f2a",
        "48a5c11abaeeff092f3646ef0d6b3d3ff76c2f55f9c732ac6470c03764008212\
         669f6fce5c5509fbb6afd24aeacc5fa4a51523e6b173246ed4bfa521d74fc6bb",
        "465d081dff875e396200e4481a3e9dcd88d079aa6d66226cb6ba454107cb81a7\
         1266ce9b11286e674ca9c10c9c9955049a66e9051d9a2b1fc9afe26798e9cec6",
        "cd8a920ed141aa0407a22d59288652e9d9f1a7ee0c1e7c1ca699424da84a904d\
         6a1a9d7846436e4dca5728b6f760eef0ca92bf0be5615e96959d767197a0beeb",
        "98d093b067475760124ffb9204a5b327c6bb05c54ff234f0b43fac7240415166\
         532b48d6f1a2d1723b07d5460bc13916d96e88180713ac33d2c232e35e764e04",
        "8a8325079b0fc3265d52f59855cafe655df438aa639f6fec991f2494330ce32f\
         c83d5ef7bc27efa393af4c439fc39958e0e75537358802ef0853b7470b0f19ac",
    ];
    let first_and_last = |output: Vec<u8>| [&output[..32], &output[480..]].concat();
    check(|message| first_and_last(keccak::shake256_bits(message, 512)), outputs);
}

/// FIPS 202 §A.2: a shorter output is the beginning of a longer one.
#[test]
fn an_output_is_the_beginning_of_every_longer_one() {
    let long = keccak::shake256(b"abc", 500);
    for len in [0, 1, 135, 136, 137, 272, 499] {
        assert_eq!(keccak::shake256(b"abc", len), long[..len]);
    }
}

/// FIPS 202 §B.1: the further bits are the low bits of the last byte; its other bits are ignored.
#[test]
fn the_high_bits_of_the_last_byte_are_not_read() {
    for bits in 0..=7 {
        let digest = |last_byte| keccak::sha3_256_bits(Bits { bytes: b"abc", last_byte, bits });
        assert_eq!(digest(0b1010_1010), digest(0b1010_1010 | (0xff << bits) as u8));
    }
    let no_bits = Bits { bytes: b"abc", last_byte: 0xff, bits: 0 };
    assert_eq!(keccak::sha3_256_bits(no_bits), keccak::sha3_256(b"abc"));
}

/// FIPS 202 §5.1: after 1085 bits of the message, the bits 01 and the first 1 of the padding fill
/// the block of 1088 bits; after 1086 bits, the bits 01 alone fill it. Answers of the Keccak Team's
/// ShortMsgKAT_SHA3-256.txt.
#[test]
fn the_padding_may_take_a_block_more() {
    #[rustfmt::skip]
    let message = hex("7de762652c7a3135a8b42a45e29c5c4e31791487b1777f151b29fd2cbc901eab\
                       6864af5788ebdaa54e5707b82d96150e47780c05ca59347b72864172f40c1e91\
                       b786e3891bbfa66d761a2ecb69873c28baba3e1ec725e9346df6a1f315b96dde\
                       bc5f10f97ca0cd30d108aecc747628435bb93951ffaa0a965ee1a9a1943ca018\
                       f0133e9d946bc406");
    let (last_byte, bytes) = message.split_last().unwrap();
    let message = Bits { bytes, last_byte: *last_byte, bits: 5 };
    let digest = "f174c4b4c5adf121e261564bdb77d7781cc61de747e1956df67a5dd9bb3c8d5e";
    assert_eq!(keccak::sha3_256_bits(message).to_vec(), hex(digest));

    #[rustfmt::skip]
    let message = hex("549c452b52bf24cd363c8c6f832fadf5ae643e51bfd75d31968224adea8d8ee5\
                       cc9a4b7c6a8da0eede2b0f0651a5e1889c4f03953155aa4f7eacc3f17a55a719\
                       84e36018e9d8150ba31a0317c14a457c754c72cced34250b3cfca8a330de2f5a\
                       6829433615cfb4fd0e63921593d1b519399ec8be42a32ad96cefddde181ecde1\
                       93707f967e182621");
    let (last_byte, bytes) = message.split_last().unwrap();
    let message = Bits { bytes, last_byte: *last_byte, bits: 6 };
    let digest = "17ca6189b880bd0fa610c68a703ef845130d028433b5b2a010202401f09f5d6b";
    assert_eq!(keccak::sha3_256_bits(message).to_vec(), hex(digest));
}
