//! SHA-2. NIST's examples for FIPS 180-4 (Cryptographic Standards and Guidelines, "Examples with
//! Intermediate Values"), the bit-level messages of RFC 6234 §8.5 and of NIST's ACVP.

use hashmill_reference::{Bits, sha2};

use crate::hex;

/// A message of 448 bits, which with its padding is longer than one block of SHA-224 and SHA-256.
const M448: &[u8] = b"abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq";

/// A message of 896 bits, which with its padding is longer than one block of the other functions.
const M896: &[u8] = b"abcdefghbcdefghicdefghijdefghijkefghijklfghijklmghijklmn\
                      hijklmnoijklmnopjklmnopqklmnopqrlmnopqrsmnopqrstnopqrstu";

#[test]
fn sha224() {
    assert_eq!(
        sha2::sha224(b"").to_vec(),
        hex("d14a028c2a3a2bc9476102bb288234c415a2b01f828ea62ac5b3e42f")
    );
    assert_eq!(
        sha2::sha224(b"abc").to_vec(),
        hex("23097d223405d8228642a477bda255b32aadbce4bda0b3f7e36c9da7")
    );
    assert_eq!(
        sha2::sha224(M448).to_vec(),
        hex("75388b16512776cc5dba5da1fd890150b0c6455cb4f58b1952522525")
    );
    assert_eq!(
        sha2::sha224(&[b'a'; 1_000_000]).to_vec(),
        hex("20794655980c91d8bbb4c1ea97618a4bf03f42581948b2ee4ee7ad67")
    );
}

#[test]
fn sha256() {
    assert_eq!(
        sha2::sha256(b"").to_vec(),
        hex("e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855")
    );
    assert_eq!(
        sha2::sha256(b"abc").to_vec(),
        hex("ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad")
    );
    assert_eq!(
        sha2::sha256(M448).to_vec(),
        hex("248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1")
    );
    assert_eq!(
        sha2::sha256(&[b'a'; 1_000_000]).to_vec(),
        hex("cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0")
    );
}

#[test]
fn sha384() {
    assert_eq!(
        sha2::sha384(b"").to_vec(),
        hex("38b060a751ac96384cd9327eb1b1e36a21fdb71114be07434c0cc7bf63f6e1da\
         274edebfe76f65fbd51ad2f14898b95b")
    );
    assert_eq!(
        sha2::sha384(b"abc").to_vec(),
        hex("cb00753f45a35e8bb5a03d699ac65007272c32ab0eded1631a8b605a43ff5bed\
         8086072ba1e7cc2358baeca134c825a7")
    );
    assert_eq!(
        sha2::sha384(M896).to_vec(),
        hex("09330c33f71147e83d192fc782cd1b4753111b173b3b05d22fa08086e3b0f712\
         fcc7c71a557e2db966c3e9fa91746039")
    );
    assert_eq!(
        sha2::sha384(&[b'a'; 1_000_000]).to_vec(),
        hex("9d0e1809716474cb086e834e310a4a1ced149e9c00f248527972cec5704c2a5b\
         07b8b3dc38ecc4ebae97ddd87f3d8985")
    );
}

#[test]
fn sha512() {
    assert_eq!(
        sha2::sha512(b"").to_vec(),
        hex("cf83e1357eefb8bdf1542850d66d8007d620e4050b5715dc83f4a921d36ce9ce\
         47d0d13c5d85f2b0ff8318d2877eec2f63b931bd47417a81a538327af927da3e")
    );
    assert_eq!(
        sha2::sha512(b"abc").to_vec(),
        hex("ddaf35a193617abacc417349ae20413112e6fa4e89a97ea20a9eeee64b55d39a\
         2192992a274fc1a836ba3c23a3feebbd454d4423643ce80e2a9ac94fa54ca49f")
    );
    assert_eq!(
        sha2::sha512(M896).to_vec(),
        hex("8e959b75dae313da8cf4f72814fc143f8f7779c6eb9f7fa17299aeadb6889018\
         501d289e4900f7e4331b99dec4b5433ac7d329eeb6dd26545e96e55b874be909")
    );
    assert_eq!(
        sha2::sha512(&[b'a'; 1_000_000]).to_vec(),
        hex("e718483d0ce769644e2e42c7bc15b4638e1f98b13b2044285632a803afa973eb\
         de0ff244877ea60a4cb0432ce577c31beb009c5c2c49aa2e4eadb217ad8cc09b")
    );
}

#[test]
fn sha512_224() {
    assert_eq!(
        sha2::sha512_224(b"").to_vec(),
        hex("6ed0dd02806fa89e25de060c19d3ac86cabb87d6a0ddd05c333b84f4")
    );
    assert_eq!(
        sha2::sha512_224(b"abc").to_vec(),
        hex("4634270f707b6a54daae7530460842e20e37ed265ceee9a43e8924aa")
    );
    assert_eq!(
        sha2::sha512_224(M896).to_vec(),
        hex("23fec5bb94d60b23308192640b0c453335d664734fe40e7268674af9")
    );
    assert_eq!(
        sha2::sha512_224(&[b'a'; 1_000_000]).to_vec(),
        hex("37ab331d76f0d36de422bd0edeb22a28accd487b7a8453ae965dd287")
    );
}

#[test]
fn sha512_256() {
    assert_eq!(
        sha2::sha512_256(b"").to_vec(),
        hex("c672b8d1ef56ed28ab87c3622c5114069bdd3ad7b8f9737498d0c01ecef0967a")
    );
    assert_eq!(
        sha2::sha512_256(b"abc").to_vec(),
        hex("53048e2681941ef99b2e29b76b4c7dabe4c2d0c634fc6d46e0e2f13107e7af23")
    );
    assert_eq!(
        sha2::sha512_256(M896).to_vec(),
        hex("3928e184fb8690f840da3988121d31be65cb9d3ef83ee6146feac861e19b563a")
    );
    assert_eq!(
        sha2::sha512_256(&[b'a'; 1_000_000]).to_vec(),
        hex("9a59a052930187a97038cae692f30708aa6491923ef5194394dc68d56c74fb21")
    );
}

/// RFC 6234 §8.5, test 5 of each function.
#[test]
fn five_bits() {
    let message = Bits { bytes: b"", last_byte: 0x68, bits: 5 };
    assert_eq!(
        sha2::sha224_bits(message).to_vec(),
        hex("e3b048552c3c387bcab37f6eb06bb79b96a4aee5ff27f51531a9551c")
    );
    let message = Bits { bytes: b"", last_byte: 0x68, bits: 5 };
    assert_eq!(
        sha2::sha256_bits(message).to_vec(),
        hex("d6d3e02a31a84a8caa9718ed6c2057be09db45e7823eb5079ce7a573a3760f95")
    );
    let message = Bits { bytes: b"", last_byte: 0x10, bits: 5 };
    assert_eq!(
        sha2::sha384_bits(message).to_vec(),
        hex("8d17be79e32b6718e07d8a603eb84ba0478f7fcfd1bb93995f7d1149e09143ac\
         1ffcfc56820e469f3878d957a15a3fe4")
    );
    let message = Bits { bytes: b"", last_byte: 0xb0, bits: 5 };
    assert_eq!(
        sha2::sha512_bits(message).to_vec(),
        hex("d4ee29a9e90985446b913cf1d1376c836f4be2c1cf3cada0720a6bf4857d886a\
         7ecb3c4e4c0fa8c7f95214e41dc1b0d21b22a84cc03bf8ce4845f34dd5bdbad4")
    );
}

/// NIST ACVP, SHA2-224, SHA2-384 and SHA2-512/224, AFT: messages of a few bits, and messages whose
/// padding needs one more block.
#[test]
fn messages_that_end_inside_a_byte() {
    #[rustfmt::skip]
    let cases = [
        ("224", 3, hex("a0"),
         hex("0dab2ee5972a83cec1c0876c094b15ab0668bf8172f7daa06707f6f5")),
        ("224", 7, hex("08"),
         hex("f2085c20c4f238aa3aeb1b28fcd6a81c6b4d42ddd4a4e18741a87c9f")),
        ("224", 469, hex("e593a0688ed84d6fff941becb357a8a1f6248a6d5724fa026b42fcd332273e90\
                              a18bd0459833b1d8c0c05c5a493bef13d264483b61a060bdd140a0"),
         hex("e730154c636082dde957ad92ed08a63af17ff408396663ebb7afc129")),
        ("224", 475, hex("24e97cb31d7470861ca223b4f7ac9e32576a5241711e6569c4df110a52fb7694\
                              eb27c900da6be700a51d89729b75eb870dbef7e0a66d970dea371ee0"),
         hex("ec7d096425d68abf872e82b56b883e149c5fb1d5dfa1f6b9bea42c37")),
        ("384", 5, hex("20"),
         hex("19d39383760404d6291d36fe8fc0efcc980d14c75ddac0cdb1ab3a40ac8b0070\
              f55a3ab9b36cccc0dfc9c1cd20fc5eac")),
        ("384", 11, hex("8380"),
         hex("40fe2f27a91a10bc062a88ef17282b2a293f312efb20e5953db66bf4252345d5\
              a3910308425c9c597173971f38eac605")),
        ("384", 911, hex("ae42bceebd7ba9079cd1c62cbf0b8da74e3ffe3fc5ae254e313cb63cf815ed47\
                              8e24b49fc5b017d87e00a578c084792d421659908b3d8364e2829ed552290842\
                              4a88b33838d1bda7ce897b491309d0d0100a64025639ce415ced718357e663fb\
                              4bb68293548939a818b1ca597cde505207f6"),
         hex("39b1ac2c4a6d644c8801b8b165f3d44ed1bd2540eb73342446ce45109104f17e\
              e94d07bbfb70c86de41c41ae7e0e0c94")),
        ("384", 924, hex("868bdbeef93b29370c51127e89a3a139bfe3db20f71814903c6b1fd19da2b024\
                              748bfc15e9b3150c3abf2caaeed934da4434920af8b24772a1c5920e4753f628\
                              fc0147be7df57e41eed3e34e8ab655de79672583cbbc25bc4a6a0b67f503e01e\
                              0da76144a7ae4179c86db72e7e91ecad2d970230"),
         hex("56d341b64cc284cecb44c8c3daecf1be44e29a2165b84868284cbdd25737ab91\
              6cc9311fe5a8ddf2df78e75edfde9eea")),
        ("512-224", 7, hex("78"),
         hex("27bf42e94b22d81cf177bc0a6bfaa458d5e3cd715403a5ecc623a293")),
        ("512-224", 11, hex("3100"),
         hex("9bec7988cfae98fb858065f56c2c56360c2785fc8f06382ac7c8245b")),
        ("512-224", 898, hex("f56285780e9a8c6a5b5abf30abb94be6719219fe54a0952442d22fbc7be0a3f6\
                              c7187e15a8d912f13fee0f6f4ca39700c64f4ba3a5f4b533b82e11614bcc586a\
                              89cbd402fa5235fd35bff2c9d40d1294737b88940b6dc2db5b3867ded64870f2\
                              f7e3bc5f77cabc4f2396d1a890106c1fc0"),
         hex("fc7c9806d1b71e5708068bcbc4d375889338e0b9a90c7e4c11f53e69")),
        ("512-224", 900, hex("89c14a1ed2e1fff41b6a01057adad7971e5c4a8d723c972a7b30ca0dab6c6aa7\
                              ac5a98c570928ed88a2e2f1bdf94a1f47ff1abeb62c10e1296caa151ba8a223a\
                              75d09a1ccf4788ca47bd5e804f2df51c827497dd96e0783677581d095cc685d8\
                              be7e49c4a1346907cf42dbeb07756aa3c0"),
         hex("28d04efc978260ef0a34750892da69df9381350bce95b9e0aafe2737")),
    ];
    for (name, len, message, digest) in cases {
        let message = Bits {
            bytes: &message[..len / 8],
            last_byte: message[len / 8],
            bits: (len % 8) as u32,
        };
        let got = match name {
            "224" => sha2::sha224_bits(message).to_vec(),
            "384" => sha2::sha384_bits(message).to_vec(),
            "512-224" => sha2::sha512_224_bits(message).to_vec(),
            _ => unreachable!(),
        };
        assert_eq!(got, digest, "SHA-{name} of {len} bits");
    }
}

/// FIPS 180-4 §3.1: the further bits are the high bits of the last byte; its other bits are
/// ignored.
#[test]
fn the_low_bits_of_the_last_byte_are_not_read() {
    for bits in 0..=7 {
        let digest = |last_byte| sha2::sha512_256_bits(Bits { bytes: b"abc", last_byte, bits });
        assert_eq!(digest(0b1010_1010), digest(0b1010_1010 | (0xff >> bits)));
    }
    let no_bits = Bits { bytes: b"abc", last_byte: 0xff, bits: 0 };
    assert_eq!(sha2::sha512_256_bits(no_bits), sha2::sha512_256(b"abc"));
}
