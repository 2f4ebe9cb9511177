{-# LANGUAGE CPP #-}
{-# LANGUAGE Trustworthy #-}

-- |
-- SHA3-224 and HMAC-SHA3-224 of strict and lazy ByteStrings (FIPS 202 §6.1; FIPS 198-1).
-- Import it qualified.
module Crypto.Hash.SHA3_224
#define NAME SHA3-224
#define MODULE SHA3_224
#define FUNCTION "hashmill_sha3_224"
#define ALGORITHM sha3_224
#define LENGTH 28
#define BITS its low bits (FIPS 202 §B.1)
#include "digest.inc"
