{-# LANGUAGE CPP #-}
{-# LANGUAGE Trustworthy #-}

-- |
-- SHA3-256 and HMAC-SHA3-256 of strict and lazy ByteStrings (FIPS 202 §6.1; FIPS 198-1).
-- Import it qualified.
module Crypto.Hash.SHA3_256
#define NAME SHA3-256
#define MODULE SHA3_256
#define FUNCTION "hashmill_sha3_256"
#define ALGORITHM sha3_256
#define LENGTH 32
#define BITS its low bits (FIPS 202 §B.1)
#include "digest.inc"
