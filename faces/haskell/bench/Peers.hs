{-# LANGUAGE CPP #-}
{-# LANGUAGE PackageImports #-}

-- | Compares hashmill with SHA and ppad-sha256 (written in Haskell; the latter if the flag ppad is
-- on) and cryptohash-sha256 (written in C), after checking that all return the same digests.
module Main (main) where

import Control.Monad (forM_, unless)
import Criterion.Main
import qualified "hashmill" Crypto.Hash.BLAKE2b as BLAKE2b
import qualified "cryptohash-sha256" Crypto.Hash.SHA256 as Cryptohash
import qualified "hashmill" Crypto.Hash.SHA256 as Hashmill
#ifdef PPAD
import qualified "ppad-sha256" Crypto.Hash.SHA256 as Ppad
#endif
import qualified "hashmill" Crypto.Hash.SHA3_256 as SHA3_256
import Data.ByteString (ByteString)
import qualified Data.ByteString as B
import qualified Data.ByteString.Lazy as L
import qualified Data.Digest.Pure.SHA as SHA

main :: IO ()
main = do
  forM_ (take 200 messages ++ [longer 1024, longer 65536]) $ \message -> do
    let lazy = L.fromStrict message
    agree
      [ Hashmill.hash message
      , Cryptohash.hash message
      , L.toStrict (SHA.bytestringDigest (SHA.sha256 lazy))
      , Hashmill.hash_lazy (pieces message)
#ifdef PPAD
      , Ppad.hash message
      , Ppad.hash_lazy (pieces message)
#endif
      ]
    agree
      [ let Hashmill.MAC tag = Hashmill.hmac key message in tag
      , let Hashmill.MAC tag = Hashmill.hmacWith prepared message in tag
      , Cryptohash.hmac key message
      , let Hashmill.MAC tag = Hashmill.hmac_lazy key (pieces message) in tag
      , L.toStrict (SHA.bytestringDigest (SHA.hmacSha256 (L.fromStrict key) lazy))
#ifdef PPAD
      , let Ppad.MAC tag = Ppad.hmac key message in tag
      , let Ppad.MAC tag = Ppad.hmac_lazy key (pieces message) in tag
#endif
      ]
  defaultMain $
    [ bgroup
        ("hash/" ++ show len)
        [ bench "hashmill" (whnf Hashmill.hash message)
        , bench "cryptohash-sha256" (whnf Cryptohash.hash message)
        , bench "SHA" (nf (SHA.bytestringDigest . SHA.sha256) (L.fromStrict message))
#ifdef PPAD
        , bench "ppad-sha256" (whnf Ppad.hash message)
#endif
        ]
    | len <- lengths
    , let message = longer len
    ]
      ++ [ bgroup
             ("hash_lazy/" ++ show len)
             [ bench "hashmill" (whnf Hashmill.hash_lazy message)
             , bench "cryptohash-sha256" (whnf Cryptohash.hashlazy message)
#ifdef PPAD
             , bench "ppad-sha256" (whnf Ppad.hash_lazy message)
#endif
             ]
         | len <- lengths
         , let message = pieces (longer len)
         ]
      ++ [ bgroup
             ("hmac/" ++ show len)
             [ bench "hashmill" (whnf (Hashmill.hmac key) message)
             , bench "hashmill, prepared key" (whnf (Hashmill.hmacWith prepared) message)
             , bench "cryptohash-sha256" (whnf (Cryptohash.hmac key) message)
             , bench "SHA" (nf (SHA.bytestringDigest . SHA.hmacSha256 (L.fromStrict key)) (L.fromStrict message))
#ifdef PPAD
             , bench "ppad-sha256" (whnf (Ppad.hmac key) message)
#endif
             ]
         | len <- lengths
         , let message = longer len
         ]
      ++ [ bgroup
             ("hmac_lazy/" ++ show len)
             [ bench "hashmill" (whnf (Hashmill.hmac_lazy key) message)
             , bench "cryptohash-sha256" (whnf (Cryptohash.hmaclazy key) message)
#ifdef PPAD
             , bench "ppad-sha256" (whnf (Ppad.hmac_lazy key) message)
#endif
             ]
         | len <- lengths
         , let message = pieces (longer len)
         ]
      ++ [bench "hmac/chain of 100" (whnf (Hashmill.hmacChain prepared 100) (longer 32))]
      ++ [ bgroup
            ("1000 of 64/" ++ function)
            [ bench "hashMany" (nf many messages)
            , bench "map hash" (nf (map hash) messages)
            ]
         | (function, hash, many) <-
            [ ("SHA-256", Hashmill.hash, Hashmill.hashMany)
            , ("SHA3-256", SHA3_256.hash, SHA3_256.hashMany)
            , ("BLAKE2b", BLAKE2b.hash, BLAKE2b.hashMany)
            ]
         ]

agree :: [ByteString] -> IO ()
agree outputs = unless (all (== head outputs) outputs) (fail "they do not give the same")

prepared :: Hashmill.Hmac
prepared = Hashmill.hmacInit key

key :: ByteString
key = B.replicate 32 0x0B

lengths :: [Int]
lengths = [32, 64, 1024, 65536]

-- | Cuts a message into chunks of at most 4000 bytes, so that most chunks do not end where a block
-- ends.
pieces :: ByteString -> L.ByteString
pieces = L.fromChunks . takeWhile (not . B.null) . map (B.take 4000) . iterate (B.drop 4000)

longer :: Int -> ByteString
longer len = B.pack (take len (cycle [0 .. 250]))

messages :: [ByteString]
messages = [B.pack (take 64 (drop i (cycle [0 .. 250]))) | i <- [1 .. 1000]]
