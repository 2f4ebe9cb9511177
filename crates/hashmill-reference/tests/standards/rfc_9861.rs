//! TurboSHAKE and KangarooTwelve: the test vectors of RFC 9861 §5 except those of 17^6 bytes.

use hashmill_reference::{k12, keccak};

use crate::hex;

/// RFC 9861 §5: the pattern 00 01 … FA, repeated.
fn ptn(len: usize) -> Vec<u8> {
    (0..=0xfa).cycle().take(len).collect()
}

#[test]
fn turboshake128() {
    #[rustfmt::skip]
    let cases = [
        (ptn(0), 0x1f, 32,
         "1e415f1c5983aff2169217277d17bb538cd945a397ddec541f1ce41af2c1b74c"),
        (ptn(0), 0x1f, 64,
         "1e415f1c5983aff2169217277d17bb538cd945a397ddec541f1ce41af2c1b74c\
          3e8ccae2a4dae56c84a04c2385c03c15e8193bdf58737363321691c05462c8df"),
        (ptn(0), 0x1f, 10032,
         "a3b9b0385900ce761f22aed548e754da10a5242d62e8c658e3f3a923a7555607"),
        (ptn(1), 0x1f, 32,
         "55cedd6f60af7bb29a4042ae832ef3f58db7299f893ebb9247247d856958daa9"),
        (ptn(17), 0x1f, 32,
         "9c97d036a3bac819db70ede0ca554ec6e4c2a1a4ffbfd9ec269ca6a111161233"),
        (ptn(17usize.pow(2)), 0x1f, 32,
         "96c77c279e0126f7fc07c9b07f5cdae1e0be60bdbe10620040e75d7223a624d2"),
        (ptn(17usize.pow(3)), 0x1f, 32,
         "d4976eb56bcf118520582b709f73e1d6853e001fdaf80e1b13e0d0599d5fb372"),
        (ptn(17usize.pow(4)), 0x1f, 32,
         "da67c7039e98bf530cf7a37830c6664e14cbab7f540f58403b1b82951318ee5c"),
        (ptn(17usize.pow(5)), 0x1f, 32,
         "b97a906fbf83ef7c812517abf3b2d0aea0c4f60318ce11cf103925127f59eecd"),
        (vec![0xff; 3], 0x01, 32,
         "bf323f940494e88ee1c540fe660be8a0c93f43d15ec006998462fa994eed5dab"),
        (vec![0xff; 1], 0x06, 32,
         "8ec9c66465ed0d4a6c35d13506718d687a25cb05c74cca1e42501abd83874a67"),
        (vec![0xff; 3], 0x07, 32,
         "b658576001cad9b1e5f399a9f77723bba05458042d68206f7252682dba3663ed"),
        (vec![0xff; 7], 0x0b, 32,
         "8deeaa1aec47ccee569f659c21dfa8e112db3cee37b18178b2acd805b799cc37"),
        (vec![0xff; 1], 0x30, 32,
         "553122e2135e363c3292bed2c6421fa232bab03daa07c7d6636603286506325b"),
        (vec![0xff; 3], 0x7f, 32,
         "16274cc656d44cefd422395d0f9053bda6d28e122aba15c765e5ad0e6eaf26f9"),
    ];
    for (message, domain, output_len, last_bytes) in cases {
        let output = keccak::turboshake128(&message, domain, output_len);
        let case = format!("{} bytes, {domain:#04x}, {output_len}", message.len());
        assert_eq!(output.len(), output_len);
        assert!(output.ends_with(&hex(last_bytes)), "{case}");
    }
}

#[test]
fn turboshake256() {
    #[rustfmt::skip]
    let cases = [
        (ptn(0), 0x1f, 64,
         "367a329dafea871c7802ec67f905ae13c57695dc2c6663c61035f59a18f8e7db\
          11edc0e12e91ea60eb6b32df06dd7f002fbafabb6e13ec1cc20d995547600db0"),
        (ptn(0), 0x1f, 10032,
         "abefa11630c661269249742685ec082f207265dccf2f43534e9c61ba0c9d1d75"),
        (ptn(1), 0x1f, 64,
         "3e1712f928f8eaf1054632b2aa0a246ed8b0c378728f60bc970410155c28820e\
          90cc90d8a3006aa2372c5c5ea176b0682bf22bae7467ac94f74d43d39b0482e2"),
        (ptn(17), 0x1f, 64,
         "b3bab0300e6a191fbe6137939835923578794ea54843f5011090fa2f3780a9e5\
          cb22c59d78b40a0fbff9e672c0fbe0970bd2c845091c6044d687054da5d8e9c7"),
        (ptn(17usize.pow(2)), 0x1f, 64,
         "66b810db8e90780424c0847372fdc95710882fde31c6df75beb9d4cd9305cfca\
          e35e7b83e8b7e6eb4b78605880116316fe2c078a09b94ad7b8213c0a738b65c0"),
        (ptn(17usize.pow(3)), 0x1f, 64,
         "c74ebc919a5b3b0dd1228185ba02d29ef442d69d3d4276a93efe0bf9a16a7dc0\
          cd4eabadab8cd7a5edd96695f5d360abe09e2c6511a3ec397da3b76b9e1674fb"),
        (ptn(17usize.pow(4)), 0x1f, 64,
         "02cc3a8897e6f4f6ccb6fd46631b1f5207b66c6de9c7b55b2d1a23134a170afd\
          ac234eaba9a77cff88c1f020b73724618c5687b362c430b248cd38647f848a1d"),
        (ptn(17usize.pow(5)), 0x1f, 64,
         "add53b06543e584b5823f626996aee50fe45ed15f20243a7165485acb4aa76b4\
          ffda75cedf6d8cdc95c332bd56f4b986b58bb17d1778bfc1b1a97545cdf4ec9f"),
        (vec![0xff; 3], 0x01, 64,
         "d21c6fbbf587fa2282f29aea620175fb0257413af78a0b1b2a87419ce031d933\
          ae7a4d383327a8a17641a34f8a1d1003ad7da6b72dba84bb62fef28f62f12424"),
        (vec![0xff; 1], 0x06, 64,
         "738d7b4e37d18b7f22ad1b5313e357e3dd7d07056a26a303c433fa3533455280\
          f4f5a7d4f700efb437fe6d281405e07be32a0a972e22e63adc1b090daefe004b"),
        (vec![0xff; 3], 0x07, 64,
         "18b3b5b7061c2e67c1753a00e6ad7ed7ba1c906cf93efb7092eaf27fbeebb755\
          ae6e292493c110e48d260028492b8e09b5500612b8f2578985ded5357d00ec67"),
        (vec![0xff; 7], 0x0b, 64,
         "bb36764951ec97e9d85f7ee9a67a7718fc005cf42556be79ce12c0bde50e5736\
          d6632b0d0dfb202d1bbb8ffe3dd74cb00834fa756cb03471bab13a1e2c16b3c0"),
        (vec![0xff; 1], 0x30, 64,
         "f3fe12873d34bcbb2e608779d6b70e7f86bec7e90bf113cbd4fdd0c4e2f4625e\
          148dd7ee1a52776cf77f240514d9ccfc3b5ddab8ee255e39ee389072962c111a"),
        (vec![0xff; 3], 0x7f, 64,
         "abe569c1f77ec340f02705e7d37c9ab7e155516e4a6a150021d70b6fac0bb40c\
          069f9a9828a0d575cd99f9bae435ab1acf7ed9110ba97ce0388d074bac768776"),
    ];
    for (message, domain, output_len, last_bytes) in cases {
        let output = keccak::turboshake256(&message, domain, output_len);
        let case = format!("{} bytes, {domain:#04x}, {output_len}", message.len());
        assert_eq!(output.len(), output_len);
        assert!(output.ends_with(&hex(last_bytes)), "{case}");
    }
}

#[test]
fn kt128() {
    #[rustfmt::skip]
    let cases = [
        (ptn(0), ptn(0), 32,
         "1ac2d450fc3b4205d19da7bfca1b37513c0803577ac7167f06fe2ce1f0ef39e5"),
        (ptn(0), ptn(0), 64,
         "1ac2d450fc3b4205d19da7bfca1b37513c0803577ac7167f06fe2ce1f0ef39e5\
          4269c056b8c82e48276038b6d292966cc07a3d4645272e31ff38508139eb0a71"),
        (ptn(0), ptn(0), 10032,
         "e8dc563642f7228c84684c898405d3a834799158c079b12880277a1d28e2ff6d"),
        (ptn(1), ptn(0), 32,
         "2bda92450e8b147f8a7cb629e784a058efca7cf7d8218e02d345dfaa65244a1f"),
        (ptn(17), ptn(0), 32,
         "6bf75fa2239198db4772e36478f8e19b0f371205f6a9a93a273f51df37122888"),
        (ptn(17usize.pow(2)), ptn(0), 32,
         "0c315ebcdedbf61426de7dcf8fb725d1e74675d7f5327a5067f367b108ecb67c"),
        (ptn(17usize.pow(3)), ptn(0), 32,
         "cb552e2ec77d9910701d578b457ddf772c12e322e4ee7fe417f92c758f0d59d0"),
        (ptn(17usize.pow(4)), ptn(0), 32,
         "8701045e22205345ff4dda05555cbb5c3af1a771c2b89baef37db43d9998b9fe"),
        (ptn(17usize.pow(5)), ptn(0), 32,
         "844d610933b1b9963cbdeb5ae3b6b05cc7cbd67ceedf883eb678a0a8e0371682"),
        (ptn(0), ptn(1), 32,
         "fab658db63e94a246188bf7af69a133045f46ee984c56e3c3328caaf1aa1a583"),
        (vec![0xff; 1], ptn(41), 32,
         "d848c5068ced736f4462159b9867fd4c20b808acc3d5bc48e0b06ba0a3762ec4"),
        (vec![0xff; 3], ptn(41usize.pow(2)), 32,
         "c389e5009ae57120854c2e8c64670ac01358cf4c1baf89447a724234dc7ced74"),
        (vec![0xff; 7], ptn(41usize.pow(3)), 32,
         "75d2f86a2e644566726b4fbcfc5657b9dbcf070c7b0dca06450ab291d7443bcf"),
        (ptn(8191), ptn(0), 32,
         "1b577636f723643e990cc7d6a659837436fd6a103626600eb8301cd1dbe553d6"),
        (ptn(8192), ptn(0), 32,
         "48f256f6772f9edfb6a8b661ec92dc93b95ebd05a08a17b39ae3490870c926c3"),
        (ptn(8192), ptn(8189), 32,
         "3ed12f70fb05ddb58689510ab3e4d23c6c6033849aa01e1d8c220a297fedcd0b"),
        (ptn(8192), ptn(8190), 32,
         "6a7c1b6a5cd0d8c9ca943a4a216cc64604559a2ea45f78570a15253d67ba00ae"),
    ];
    for (message, custom, output_len, last_bytes) in cases {
        let output = k12::kt128(&message, &custom, output_len);
        let case = format!("{} bytes, {}, {output_len}", message.len(), custom.len());
        assert_eq!(output.len(), output_len);
        assert!(output.ends_with(&hex(last_bytes)), "{case}");
    }
}

#[test]
fn kt256() {
    #[rustfmt::skip]
    let cases = [
        (ptn(0), ptn(0), 64,
         "b23d2e9cea9f4904e02bec06817fc10ce38ce8e93ef4c89e6537076af8646404\
          e3e8b68107b8833a5d30490aa33482353fd4adc7148ecb782855003aaebde4a9"),
        (ptn(0), ptn(0), 128,
         "b23d2e9cea9f4904e02bec06817fc10ce38ce8e93ef4c89e6537076af8646404\
          e3e8b68107b8833a5d30490aa33482353fd4adc7148ecb782855003aaebde4a9\
          b0925319d8ea1e121a609821ec19efea89e6d08daee1662b69c840289f188ba8\
          60f55760b61f82114c030c97e5178449608ccd2cd2d919fc7829ff69931ac4d0"),
        (ptn(0), ptn(0), 10064,
         "ad4a1d718cf950506709a4c33396139b4449041fc79a05d68da35f1e453522e0\
          56c64fe94958e7085f2964888259b9932752f3ccd855288efee5fcbb8b563069"),
        (ptn(1), ptn(0), 64,
         "0d005a194085360217128cf17f91e1f71314efa5564539d444912e3437efa17f\
          82db6f6ffe76e781eaa068bce01f2bbf81eacb983d7230f2fb02834a21b1ddd0"),
        (ptn(17), ptn(0), 64,
         "1ba3c02b1fc514474f06c8979978a9056c8483f4a1b63d0dccefe3a28a2f323e\
          1cdcca40ebf006ac76ef0397152346837b1277d3e7faa9c9653b19075098527b"),
        (ptn(17usize.pow(2)), ptn(0), 64,
         "de8ccbc63e0f133ebb4416814d4c66f691bbf8b6a61ec0a7700f836b086cb029\
          d54f12ac7159472c72db118c35b4e6aa213c6562caaa9dcc518959e69b10f3ba"),
        (ptn(17usize.pow(3)), ptn(0), 64,
         "647efb49fe9d717500171b41e7f11bd491544443209997ce1c2530d15eb1ffbb\
          598935ef954528ffc152b1e4d731ee2683680674365cd191d562bae753b84aa5"),
        (ptn(17usize.pow(4)), ptn(0), 64,
         "b06275d284cd1cf205bcbe57dccd3ec1ff6686e3ed15776383e1f2fa3c6ac8f0\
          8bf8a162829db1a44b2a43ff83dd89c3cf1ceb61ede659766d5ccf817a62ba8d"),
        (ptn(17usize.pow(5)), ptn(0), 64,
         "9473831d76a4c7bf77ace45b59f1458b1673d64bcd877a7c66b2664aa6dd149e\
          60eab71b5c2bab858c074ded81ddce2b4022b5215935c0d4d19bf511aeeb0772"),
        (ptn(0), ptn(1), 64,
         "9280f5cc39b54a5a594ec63de0bb99371e4609d44bf845c2f5b8c316d72b1598\
          11f748f23e3fabbe5c3226ec96c62186df2d33e9df74c5069ceecbb4dd10eff6"),
        (vec![0xff; 1], ptn(41), 64,
         "47ef96dd616f200937aa7847e34ec2feae8087e3761dc0f8c1a154f51dc9ccf8\
          45d7adbce57ff64b639722c6a1672e3bf5372d87e00aff89be97240756998853"),
        (vec![0xff; 3], ptn(41usize.pow(2)), 64,
         "3b48667a5051c5966c53c5d42b95de451e05584e7806e2fb765eda959074172c\
          b438a9e91dde337c98e9c41bed94c4e0aef431d0b64ef2324f7932caa6f54969"),
        (vec![0xff; 7], ptn(41usize.pow(3)), 64,
         "e0911cc00025e1540831e266d94add9b98712142b80d2629e643aac4efaf5a3a\
          30a88cbf4ac2a91a2432743054fbcc9897670e86ba8cec2fc2ace9c966369724"),
        (ptn(8191), ptn(0), 64,
         "3081434d93a4108d8d8a3305b89682cebedc7ca4ea8a3ce869fbb73cbe4a58ee\
          f6f24de38ffc170514c70e7ab2d01f03812616e863d769afb3753193ba045b20"),
        (ptn(8192), ptn(0), 64,
         "c6ee8e2ad3200c018ac87aaa031cdac22121b412d07dc6e0dccbb53423747e9a\
          1c18834d99df596cf0cf4b8dfafb7bf02d139d0c9035725adc1a01b7230a41fa"),
        (ptn(8192), ptn(8189), 64,
         "74e47879f10a9c5d11bd2da7e194fe57e86378bf3c3f7448eff3c576a0f18c5c\
          aae0999979512090a7f348af4260d4de3c37f1ecaf8d2c2c96c1d16c64b12496"),
        (ptn(8192), ptn(8190), 64,
         "f4b5908b929ffe01e0f79ec2f21243d41a396b2e7303a6af1d6399cd6c7a0a2d\
          d7c4f607e8277f9c9b1cb4ab9ddc59d4b92d1fc7558441f1832c3279a4241b8b"),
    ];
    for (message, custom, output_len, last_bytes) in cases {
        let output = k12::kt256(&message, &custom, output_len);
        let case = format!("{} bytes, {}, {output_len}", message.len(), custom.len());
        assert_eq!(output.len(), output_len);
        assert!(output.ends_with(&hex(last_bytes)), "{case}");
    }
}
