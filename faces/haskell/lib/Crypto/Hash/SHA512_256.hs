{-# LANGUAGE CPP #-}
{-# LANGUAGE Trustworthy #-}

-- |
-- SHA-512\/256 and HMAC-SHA-512\/256 of strict and lazy ByteStrings (FIPS 180-4 §6.7; FIPS 198-1).
-- Import it qualified.
module Crypto.Hash.SHA512_256
#define NAME SHA-512\/256
#define MODULE SHA512_256
#define FUNCTION "hashmill_sha512_256"
#define ALGORITHM sha512_256
#define LENGTH 32
#define BITS its high bits (FIPS 180-4 §3.1)
#include "digest.inc"
