//! BLAKE2: RFC 7693, the answers of the BLAKE2 authors for every length, and published uses of the
//! other parameters.

use hashmill_reference::blake2::{Params, blake2b, blake2bp, blake2s, blake2sp};

use crate::hex;

/// RFC 7693, appendix A.
#[test]
fn blake2b_of_abc() {
    let digest = "ba80a53f981c4d0d6a2797b69f12f6e94c212f14685ac4b74b12bb6fdbffa2d1\
                  7d87c5392aab792dc252d5de4533cc9518d38aa8dbf1925ab92386edd4009923";
    assert_eq!(blake2b(b"abc", &Params::default()), hex(digest));
}

/// RFC 7693, appendix B.
#[test]
fn blake2s_of_abc() {
    let digest = "508c5e8c327c14e2e1a72ba34eeb452f37458b209ed63a294d999b4c86675982";
    assert_eq!(blake2s(b"abc", &Params::default()), hex(digest));
}

/// RFC 7693, appendix E: digests of several lengths, with and without a key, hashed together.
#[test]
fn the_self_test_of_the_rfc() {
    self_test(
        blake2b,
        [20, 32, 48, 64],
        [0, 3, 128, 129, 255, 1024],
        "c23a7800d98123bd10f506c61e29da5603d763b8bbad2e737f5e765a7bccd475",
    );
    self_test(
        blake2s,
        [16, 20, 28, 32],
        [0, 3, 64, 65, 255, 1024],
        "6a411f08ce25adcdfb02aba641451cec53c598b24f4fc787fbdc88797f4c1dfe",
    );
}

fn self_test(
    hash: fn(&[u8], &Params) -> Vec<u8>,
    output_lens: [usize; 4],
    message_lens: [usize; 6],
    digest: &str,
) {
    let mut digests = Vec::new();
    for output_len in output_lens {
        for message_len in message_lens {
            let message = self_test_sequence(message_len);
            let key = self_test_sequence(output_len);
            let params = Params { output_len: Some(output_len), ..Params::default() };
            digests.extend(hash(&message, &params));
            digests.extend(hash(&message, &Params { key: &key, ..params }));
        }
    }
    let params = Params { output_len: Some(32), ..Params::default() };
    assert_eq!(hash(&digests, &params), hex(digest));
}

/// RFC 7693, appendix E: the highest bytes of a Fibonacci-like sequence that begins with the
/// length.
fn self_test_sequence(len: usize) -> Vec<u8> {
    let (mut a, mut b) = (0xdead_4bad_u32.wrapping_mul(len as u32), 1u32);
    let next = || {
        (a, b) = (b, a.wrapping_add(b));
        (b >> 24) as u8
    };
    std::iter::repeat_with(next).take(len).collect()
}

/// The authors' blake2-kat.json: the message 00 01 02 …, the key 00 01 … of the longest length. The
/// lengths are those where blocks begin and end.
#[test]
fn known_answers() {
    type Hash = fn(&[u8], &Params) -> Vec<u8>;
    #[rustfmt::skip]
    let cases: [(Hash, usize, &[u8], &str); 50] = [
        (blake2b, 0, b"",
         "786a02f742015903c6c6fd852552d272912f4740e15847618a86e217f71f5419\
          d25e1031afee585313896444934eb04b903a685b1448b755d56f701afe9be2ce"),
        (blake2b, 1, b"",
         "2fa3f686df876995167e7c2e5d74c4c7b6e48f8068fe0e44208344d480f7904c\
          36963e44115fe3eb2a3ac8694c28bcb4f5a0f3276f2e79487d8219057a506e4b"),
        (blake2b, 127, b"",
         "b6292669ccd38d5f01caae96ba272c76a879a45743afa0725d83b9ebb26665b7\
          31f1848c52f11972b6644f554c064fa90780dbbbf3a89d4fc31f67df3e5857ef"),
        (blake2b, 128, b"",
         "2319e3789c47e2daa5fe807f61bec2a1a6537fa03f19ff32e87eecbfd64b7e0e\
          8ccff439ac333b040f19b0c4ddd11a61e24ac1fe0f10a039806c5dcc0da3d115"),
        (blake2b, 129, b"",
         "f59711d44a031d5f97a9413c065d1e614c417ede998590325f49bad2fd444d3e\
          4418be19aec4e11449ac1a57207898bc57d76a1bcf3566292c20c683a5c4648f"),
        (blake2b, 255, b"",
         "5b21c5fd8868367612474fa2e70e9cfa2201ffeee8fafab5797ad58fefa17c9b\
          5b107da4a3db6320baaf2c8617d5a51df914ae88da3867c2d41f0cc14fa67928"),
        (blake2b, 0, KEY,
         "10ebb67700b1868efb4417987acf4690ae9d972fb7a590c2f02871799aaa4786\
          b5e996e8f0f4eb981fc214b005f42d2ff4233499391653df7aefcbc13fc51568"),
        (blake2b, 1, KEY,
         "961f6dd1e4dd30f63901690c512e78e4b45e4742ed197c3c5e45c549fd25f2e4\
          187b0bc9fe30492b16b0d0bc4ef9b0f34c7003fac09a5ef1532e69430234cebd"),
        (blake2b, 127, KEY,
         "76d2d819c92bce55fa8e092ab1bf9b9eab237a25267986cacf2b8ee14d214d73\
          0dc9a5aa2d7b596e86a1fd8fa0804c77402d2fcd45083688b218b1cdfa0dcbcb"),
        (blake2b, 128, KEY,
         "72065ee4dd91c2d8509fa1fc28a37c7fc9fa7d5b3f8ad3d0d7a25626b57b1b44\
          788d4caf806290425f9890a3a2a35a905ab4b37acfd0da6e4517b2525c9651e4"),
        (blake2b, 129, KEY,
         "64475dfe7600d7171bea0b394e27c9b00d8e74dd1e416a79473682ad3dfdbb70\
          6631558055cfc8a40e07bd015a4540dcdea15883cbbf31412df1de1cd4152b91"),
        (blake2b, 255, KEY,
         "142709d62e28fcccd0af97fad0f8465b971e82201dc51070faa0372aa43e9248\
          4be1c1e73ba10906d5d1853db6a4106e0a7bf9800d373d6dee2d46d62ef2a461"),
        (blake2s, 0, b"",
         "69217a3079908094e11121d042354a7c1f55b6482ca1a51e1b250dfd1ed0eef9"),
        (blake2s, 1, b"",
         "e34d74dbaf4ff4c6abd871cc220451d2ea2648846c7757fbaac82fe51ad64bea"),
        (blake2s, 63, b"",
         "e57cb79487dd57902432b250733813bd96a84efce59f650fac26e6696aefafc3"),
        (blake2s, 64, b"",
         "56f34e8b96557e90c1f24b52d0c89d51086acf1b00f634cf1dde9233b8eaaa3e"),
        (blake2s, 65, b"",
         "1b53ee94aaf34e4b159d48de352c7f0661d0a40edff95a0b1639b4090e974472"),
        (blake2s, 128, b"",
         "1fa877de67259d19863a2a34bcc6962a2b25fcbf5cbecd7ede8f1fa36688a796"),
        (blake2s, 255, b"",
         "f03f5789d3336b80d002d59fdf918bdb775b00956ed5528e86aa994acb38fe2d"),
        (blake2s, 0, &KEY[..32],
         "48a8997da407876b3d79c0d92325ad3b89cbb754d86ab71aee047ad345fd2c49"),
        (blake2s, 1, &KEY[..32],
         "40d15fee7c328830166ac3f918650f807e7e01e177258cdc0a39b11f598066f1"),
        (blake2s, 63, &KEY[..32],
         "c65382513f07460da39833cb666c5ed82e61b9e998f4b0c4287cee56c3cc9bcd"),
        (blake2s, 64, &KEY[..32],
         "8975b0577fd35566d750b362b0897a26c399136df07bababbde6203ff2954ed4"),
        (blake2s, 65, &KEY[..32],
         "21fe0ceb0052be7fb0f004187cacd7de67fa6eb0938d927677f2398c132317a8"),
        (blake2s, 128, &KEY[..32],
         "0c311f38c35a4fb90d651c289d486856cd1413df9b0677f53ece2cd9e477c60a"),
        (blake2s, 255, &KEY[..32],
         "3fb735061abc519dfe979e54c1ee5bfad0a9d858b3315bad34bde999efd724dd"),
        (blake2bp, 0, b"",
         "b5ef811a8038f70b628fa8b294daae7492b1ebe343a80eaabbf1f6ae664dd67b\
          9d90b0120791eab81dc96985f28849f6a305186a85501b405114bfa678df9380"),
        (blake2bp, 1, b"",
         "a139280e72757b723e6473d5be59f36e9d50fc5cd7d4585cbc09804895a36c52\
          1242fb2789f85cb9e35491f31d4a6952f9d8e097aef94fa1ca0b12525721f03d"),
        (blake2bp, 127, b"",
         "ea64b003a135766121cfbccbdc08dca2402926be78cea3d0a7253d9ec9e63b8a\
          cdd994559917e0e03b5e155f944d7198d99245a794ce19c9b4df4da4a3399334"),
        (blake2bp, 128, b"",
         "05ad0f271faf7e361320518452813ff9fb9976ac378050b6eefb05f7867b577b\
          8f14475794cff61b2bc062d346a7c65c6e0067c60a374af7940f10aa449d5fb9"),
        (blake2bp, 129, b"",
         "b545880294afa153f8b9f49c73d952b5d1228f1a1ab5ebcb05ff79e560c030f7\
          500fe256a40b6a0e6cb3d42acd4b98595c5b51eaec5ad69cd40f1fc16d2d5f50"),
        (blake2bp, 255, b"",
         "3f35c45d24fcfb4acca651076c08000e279ebbff37a1333ce19fd577202dbd24\
          b58c514e36dd9ba64af4d78eea4e2dd13bc18d798887dd971376bcae0087e17e"),
        (blake2bp, 0, KEY,
         "9d9461073e4eb640a255357b839f394b838c6ff57c9b686a3f76107c1066728f\
          3c9956bd785cbc3bf79dc2ab578c5a0c063b9d9c405848de1dbe821cd05c940a"),
        (blake2bp, 1, KEY,
         "ff8e90a37b94623932c59f7559f26035029c376732cb14d41602001cbb73adb7\
          9293a2dbda5f60703025144d158e2735529596251c73c0345ca6fccb1fb1e97e"),
        (blake2bp, 127, KEY,
         "7926708859e6e2ab68f604da69a9fb5087bb33f4e8d895730e301ab2d7df748b\
          67df0b6b8622e52dd57d8d3ad87d5820d4ecfd24178b2d2b78d64f4fbd387582"),
        (blake2bp, 128, KEY,
         "9280f4d1157032ab315c100d636283fbf4fba2fbad0f8bc020721d76bc1c8973\
          ced28871cc907dab60e59756987b0e0f867fa2fe9d9041f2c9618074e44fe5e9"),
        (blake2bp, 129, KEY,
         "5530c2d59f144872e987e4e258a7d8c38ce844e2cc2eed940ffc683b498815e5\
          3adb1faaf568946122805ac3b8e2fed435fed6162e76f564e586ba464424e885"),
        (blake2bp, 255, KEY,
         "96fbcbb60bd313b8845033e5bc058a38027438572d7e7957f3684f6268aadd3a\
          d08d21767ed6878685331ba98571487e12470aad669326716e46667f69f8d7e8"),
        (blake2sp, 0, b"",
         "dd0e891776933f43c7d032b08a917e25741f8aa9a12c12e1cac8801500f2ca4f"),
        (blake2sp, 1, b"",
         "a6b9eecc25227ad788c99d3f236debc8da408849e9a5178978727a81457f7239"),
        (blake2sp, 63, b"",
         "1024c940be7341449b5010522b509f65bbdc1287b455c2bb7f72b2c92fd0d189"),
        (blake2sp, 64, b"",
         "52603b6cbfad4966cb044cb267568385cf35f21e6c45cf30aed19832cb51e9f5"),
        (blake2sp, 65, b"",
         "fff24d3cc729d395daf978b0157306cb495797e6c8dca1731d2f6f81b849baae"),
        (blake2sp, 255, b"",
         "25059f10605e67adfe681350666e15ae976a5a571c13cf5bc8053f430e120a52"),
        (blake2sp, 0, &KEY[..32],
         "715cb13895aeb678f6124160bff21465b30f4f6874193fc851b4621043f09cc6"),
        (blake2sp, 1, &KEY[..32],
         "40578ffa52bf51ae1866f4284d3a157fc1bcd36ac13cbdcb0377e4d0cd0b6603"),
        (blake2sp, 63, &KEY[..32],
         "e85594700e3922a1e8e41eb8b064e7ac6d949d13b5a34523e5a6beac03c8ab29"),
        (blake2sp, 64, &KEY[..32],
         "1d3701a5661bd31ab20562bd07b74dd19ac8f3524b73ce7bc996b788afd2f317"),
        (blake2sp, 65, &KEY[..32],
         "874e1938033d7d383597a2a65f58b554e41106f6d1d50e9ba0eb685f6b6da071"),
        (blake2sp, 255, &KEY[..32],
         "0c8a36597d7461c63a94732821c941856c668376606c86a52de0ee4104c615db"),
    ];
    let bytes: Vec<u8> = (0..=255).collect();
    for (hash, message_len, key, digest) in cases {
        let params = Params { key, ..Params::default() };
        assert_eq!(hash(&bytes[..message_len], &params), hex(digest), "{message_len} bytes");
    }
}

const KEY: &[u8; 64] = &{
    let mut key = [0; 64];
    let mut i = 0;
    while i < 64 {
        key[i] = i as u8;
        i += 1;
    }
    key
};

/// The documentation of Python's hashlib, "Personalization".
#[test]
fn personalization() {
    for (personal, digest) in [
        (b"MyApp Files Hash", "20d9cd024d4fb086aae819a1432dd2466de12947831b75c5a30cf2676095d3b4"),
        (b"MyApp Block Hash", "cf68fb5761b9c44e7878bfb2c4c9aea52264a80b75005e65619778de59f383a3"),
    ] {
        let params = Params { output_len: Some(32), personal, ..Params::default() };
        assert_eq!(blake2b(b"the same content", &params), hex(digest));
    }
}

/// The documentation of Python's hashlib, "Tree mode": two leaves and a root.
#[test]
fn tree() {
    let message = [0; 6000];
    let tree =
        Params { fanout: 2, max_depth: 2, leaf_len: 4096, inner_len: 64, ..Params::default() };
    let first = blake2b(&message[..4096], &tree);
    let second = blake2b(&message[4096..], &Params { node_offset: 1, last_node: true, ..tree });
    let root = Params { output_len: Some(32), node_depth: 1, last_node: true, ..tree };
    let digest = "3ad2a9b37c6070e374c7a8c508fe20ca86b6ed54e286e93a0318e95e881db5aa";
    assert_eq!(blake2b(&[first, second].concat(), &root), hex(digest));
}

/// RFC 7693 §2.5: a shorter salt or personalization is padded with zeros.
#[test]
fn a_short_salt_is_filled_up_with_zeros() {
    let salted = |salt| blake2sp(b"abc", &Params { salt, ..Params::default() });
    assert_eq!(salted(b"salt"), salted(b"salt\0\0\0\0"));
    assert_ne!(salted(b"salt"), salted(b""));
}
