{-# LANGUAGE OverloadedStrings #-}

-- | What people write who come from ppad-sha256, cryptohash-sha256, SHA, cryptonite or hashlib, before
-- they have read anything. Each test is a program of one or two lines.
module Newcomers (all) where

import qualified Crypto.Hash.BLAKE2b as BLAKE2b
import qualified Crypto.Hash.BLAKE2s as BLAKE2s
import qualified Crypto.Hash.BLAKE3 as BLAKE3
import qualified Crypto.Hash.SHA224 as SHA224
import qualified Crypto.Hash.SHA256 as SHA256
import qualified Crypto.Hash.SHA384 as SHA384
import qualified Crypto.Hash.SHA3_256 as SHA3_256
import qualified Crypto.Hash.SHA512 as SHA512
import qualified Crypto.Hash.SHAKE128 as SHAKE128
import qualified Crypto.Hash.SHAKE256 as SHAKE256
import Data.ByteString (ByteString)
import qualified Data.ByteString as B
import qualified Data.ByteString.Base16 as Base16
import qualified Data.ByteString.Lazy as L
import Data.List (foldl')
import qualified Data.Text as T
import Data.Text.Encoding (encodeUtf8)
import System.Directory (getTemporaryDirectory, removeFile)
import System.IO (hClose, openBinaryTempFile)
import Test.Tasty
import Test.Tasty.HUnit
import Prelude hiding (all)

-- | The answers are those of Python's hashlib; that of BLAKE3 is the example in the hashmill crate.
all :: TestTree
all =
  testGroup
    "newcomers"
    [ program "sha256" $ hex (SHA256.hash "abc") @?= abc
    , program "sha256 of nothing" $ hex (SHA256.hash B.empty) @?= "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"
    , program "sha224" $ hex (SHA224.hash "abc") @?= "23097d223405d8228642a477bda255b32aadbce4bda0b3f7e36c9da7"
    , program "sha384" $ B.length (SHA384.hash "abc") @?= 48
    , program "sha512" $ B.take 16 (hex (SHA512.hash "abc")) @?= "ddaf35a193617aba"
    , program "sha3_256" $ hex (SHA3_256.hash "abc") @?= "3a985da74fe225b2045c172d6bd390bd855f086e3e9d525b46bfe24511431532"
    , program "text" $ hex (SHA256.hash (encodeUtf8 (T.pack "na\239ve"))) @?= "f86fd89de87a848a45bfe77708d91a5d2ff48b8e4a4b98af5165af82692f8928"
    , program "twice, as Bitcoin does" $ hex (SHA256.hash (SHA256.hash "hello")) @?= "9595c9df90075148eb06860365df33584b75bff782a510c6cd4883a419833d50"
    , program "a lazy message" $ hex (SHA256.hash_lazy (L.replicate 1000000 97)) @?= millionA
    , program "piece by piece" $ hex (SHA256.finalize (SHA256.update (SHA256.update SHA256.init "a") "bc")) @?= abc
    , program "a fold over parts" $ hex (SHA256.finalize (foldl' SHA256.update SHA256.init ["a", "b", "c"])) @?= abc
    , program "a context is used twice" $ do
        let context = SHA256.update SHA256.init "a"
        hex (SHA256.finalize (SHA256.update context "bc")) @?= abc
        SHA256.finalize (SHA256.update context "bc") @?= SHA256.hash "abc"
    , program "a file" $ do
        folder <- getTemporaryDirectory
        (path, file) <- openBinaryTempFile folder "hashmill"
        B.hPut file "abc" >> hClose file
        digest <- SHA256.hash_lazy <$> L.readFile path
        hex digest @?= abc
        removeFile path
    , program "many" $ map hex (SHA256.hashMany ["abc", ""]) @?= [abc, hex (SHA256.hash "")]
    , program "hmac" $ SHA256.hmac "key" fox @?= SHA256.MAC (unhex "f7bc83f430538424b13298e6aa6fb143ef4d59a14946175997479dbc2d1a3cd8")
    , program "hmac's bytes" $ do
        let SHA512.MAC tag = SHA512.hmac "key" fox
        B.take 16 (hex tag) @?= "b42af09057bac1e2"
    , program "hmac piece by piece" $
        SHA256.hmacFinalize (SHA256.hmacUpdate (SHA256.hmacInit "key") fox) @?= SHA256.hmac "key" fox
    , program "hmac of a lazy message" $ SHA256.hmac_lazy "key" (L.fromStrict fox) @?= SHA256.hmac "key" fox
    , program "blake2b and blake2s" $ do
        B.take 16 (hex (BLAKE2b.hash "abc")) @?= "ba80a53f981c4d0d"
        hex (BLAKE2s.hash "abc") @?= "508c5e8c327c14e2e1a72ba34eeb452f37458b209ed63a294d999b4c86675982"
    , program "blake2b-256" $ do
        let digest = BLAKE2b.finalize . flip BLAKE2b.update "abc" <$> BLAKE2b.initWith BLAKE2b.defaults {BLAKE2b.outputLength = 32}
        fmap hex digest @?= Right "bddd813c634239723171ef3fee98579b94964e3bb1cb3e427262c8c068d52319"
    , program "shake" $ do
        hex (SHAKE128.hash 16 "abc") @?= "5881092dd818bf5cf8a3ddb793fbcba7"
        hex (SHAKE256.hash 32 "abc") @?= "483366601360a8771c6863080cc4114d8db44530f8f1e1ee4f94ea37e78b5739"
    , program "blake3" $ hex (BLAKE3.hash 32 "abc") @?= "6437b3ac38465133ffb63b75273a8db548c558465d79db03fd359c6cd5bd9d85"
    ]
 where
  program = testCase
  hex = Base16.encode
  fox = "The quick brown fox jumps over the lazy dog" :: ByteString

abc, millionA :: ByteString
abc = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"
millionA = "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0"

unhex :: ByteString -> ByteString
unhex = either error id . Base16.decode
