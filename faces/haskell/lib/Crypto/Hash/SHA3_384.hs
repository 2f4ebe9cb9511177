{-# LANGUAGE CPP #-}
{-# LANGUAGE Trustworthy #-}

-- |
-- SHA3-384 and HMAC-SHA3-384 of strict and lazy ByteStrings (FIPS 202 §6.1; FIPS 198-1).
-- Import it qualified.
module Crypto.Hash.SHA3_384
#define NAME SHA3-384
#define MODULE SHA3_384
#define FUNCTION "hashmill_sha3_384"
#define ALGORITHM sha3_384
#define LENGTH 48
#define BITS its low bits (FIPS 202 §B.1)
#include "digest.inc"
