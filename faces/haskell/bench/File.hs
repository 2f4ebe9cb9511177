-- | @file FUNCTION FILE@ prints the digest of a file that is read lazily.
module Main (main) where

import qualified Crypto.Hash.BLAKE2b as BLAKE2b
import qualified Crypto.Hash.SHA256 as SHA256
import qualified Crypto.Hash.SHA3_256 as SHA3_256
import Data.ByteString (ByteString)
import qualified Data.ByteString.Base16 as Base16
import qualified Data.ByteString.Char8 as B
import qualified Data.ByteString.Lazy as L
import System.Environment (getArgs)

main :: IO ()
main = do
  args <- getArgs
  case args of
    [name, file] | Just hash <- lookup name functions -> B.putStrLn . Base16.encode . hash =<< L.readFile file
    _ -> fail ("usage: file FUNCTION FILE, where FUNCTION is one of: " ++ unwords (map fst functions))

functions :: [(String, L.ByteString -> ByteString)]
functions = [("blake2b", BLAKE2b.hash_lazy), ("sha256", SHA256.hash_lazy), ("sha3-256", SHA3_256.hash_lazy)]
