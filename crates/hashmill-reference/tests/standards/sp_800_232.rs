//! Ascon: answers of the Ascon team's lists LWC_HASH_KAT_256.txt (Ascon-Hash256),
//! LWC_XOF_KAT_128_512.txt (Ascon-XOF128) and LWC_CXOF_KAT_128_512.txt (Ascon-CXOF128).

use hashmill_reference::ascon;

use crate::hex;

/// The lists' messages: 00 01 02 …
fn message(len: usize) -> Vec<u8> {
    (0..=255).cycle().take(len).collect()
}

#[test]
fn ascon_hash256() {
    let cases = [
        (0, "0b3be5850f2f6b98caf29f8fdea89b64a1fa70aa249b8f839bd53baa304d92b2"),
        (1, "0728621035af3ed2bca03bf6fde900f9456f5330e4b5ee23e7f6a1e70291bc80"),
        (6, "dc0c6748af8ffe63e1084aa3e5786a194685c88c21348b29e184fb50409703bc"),
    ];
    for (len, digest) in cases {
        assert_eq!(ascon::ascon_hash256(&message(len))[..], hex(digest), "{len} bytes");
    }
}

#[test]
fn ascon_xof128() {
    let cases = [
        (1023, "ffc867344d7880e07e70bd57d3ae561bea2a871ae624ae234820a4ac564c9b52"),
        (1024, "0419d6692d415cf4a9dfeec69910dd7199d018b042cb23f49f5ef1acde24e0fa"),
    ];
    for (len, output) in cases {
        assert_eq!(ascon::ascon_xof128(&message(len), 32), hex(output), "{len} bytes");
    }
}

/// The lists' customization strings are 10 11 12 …
#[test]
fn ascon_cxof128() {
    #[rustfmt::skip]
    let cases = [
        (0, 0, "4f50159ef70bb3dad8807e034eaebd44c4fa2cbbc8cf1f05511ab66cdcc52990\
         5ca12083fc186ad899b270b1473dc5f7ec88d1052082dcdfe69fb75d269e7b74"),
        (1, 0, "0c93a483e7d574d49fe52cce03ee646117977d57a8aa57704ab4daf44b501430\
         ff6ac11a5d1fd6f2154b5c65728268270c8bb578508487b8965718ada6272fd6"),
        (7, 3, "429a7933a9258679e7e87d469d079632de78e6258a5c569516cb52485ceea34a\
         a304d9525225a0a9123b76ec3194fc6ce57e981e030ff38f74dc5fa642955020"),
        (8, 8, "7c2fc5904cc9ac514902e50747e36f993dbde034cb05587af1432bf81c74b1ec\
         87ecf6179701064494487476f607715853d74c5727925ebf4974e25eb8878919"),
        (9, 7, "13769420d0c516d67b4d6707ab38f9425fef17aad3962e8843219e18b16c1fa4\
         27a4d1b0325b8ac05e99f7ca676fa75dbb1bdb7551e8ef0c03903ed411270ff7"),
        (16, 20, "0046f6baeef1ca8a0183cd747af4c6c9421ee8fe1f841f9485c0244b4818da20\
         26495dd609a7978e51d4e2a790d89dde581d1eb84d00d1fd13c4691ae15a71de"),
        (32, 32, "f22e68afdbc5ced421b3679e8606666b1e9f080ef42a70ef9bc32d764dddf27f\
         cd879490428977c5ac7d7db6cb16c9e26a2cea1586ec0ae2aa5c8b0135cfc38c"),
    ];
    for (custom, len, output) in cases {
        let custom = &message(0x10 + custom)[0x10..];
        let case = format!("{len} bytes, customization of {}", custom.len());
        assert_eq!(ascon::ascon_cxof128(custom, &message(len), 64), hex(output), "{case}");
    }
}
