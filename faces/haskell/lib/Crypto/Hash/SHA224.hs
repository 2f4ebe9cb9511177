{-# LANGUAGE CPP #-}
{-# LANGUAGE Trustworthy #-}

-- |
-- SHA-224 and HMAC-SHA-224 of strict and lazy ByteStrings (FIPS 180-4 §6.3; FIPS 198-1).
-- Import it qualified.
module Crypto.Hash.SHA224
#define NAME SHA-224
#define MODULE SHA224
#define FUNCTION "hashmill_sha224"
#define ALGORITHM sha224
#define LENGTH 28
#define BITS its high bits (FIPS 180-4 §3.1)
#include "digest.inc"
