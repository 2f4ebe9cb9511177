{-# LANGUAGE CPP #-}
{-# LANGUAGE Trustworthy #-}

-- |
-- SHA-512\/224 and HMAC-SHA-512\/224 of strict and lazy ByteStrings (FIPS 180-4 §6.6; FIPS 198-1).
-- Import it qualified.
module Crypto.Hash.SHA512_224
#define NAME SHA-512\/224
#define MODULE SHA512_224
#define FUNCTION "hashmill_sha512_224"
#define ALGORITHM sha512_224
#define LENGTH 28
#define BITS its high bits (FIPS 180-4 §3.1)
#include "digest.inc"
