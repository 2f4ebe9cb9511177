{-# LANGUAGE CPP #-}
{-# LANGUAGE Trustworthy #-}

-- |
-- SHA-512 and HMAC-SHA-512 of strict and lazy ByteStrings (FIPS 180-4 §6.4; FIPS 198-1).
-- Import it qualified.
module Crypto.Hash.SHA512
#define NAME SHA-512
#define MODULE SHA512
#define FUNCTION "hashmill_sha512"
#define ALGORITHM sha512
#define LENGTH 64
#define BITS its high bits (FIPS 180-4 §3.1)
#include "digest.inc"
