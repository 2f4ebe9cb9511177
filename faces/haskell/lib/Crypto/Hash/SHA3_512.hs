{-# LANGUAGE CPP #-}
{-# LANGUAGE Trustworthy #-}

-- |
-- SHA3-512 and HMAC-SHA3-512 of strict and lazy ByteStrings (FIPS 202 §6.1; FIPS 198-1).
-- Import it qualified.
module Crypto.Hash.SHA3_512
#define NAME SHA3-512
#define MODULE SHA3_512
#define FUNCTION "hashmill_sha3_512"
#define ALGORITHM sha3_512
#define LENGTH 64
#define BITS its low bits (FIPS 202 §B.1)
#include "digest.inc"
