{-# LANGUAGE CPP #-}
{-# LANGUAGE Trustworthy #-}

-- |
-- SHA-384 and HMAC-SHA-384 of strict and lazy ByteStrings (FIPS 180-4 §6.5; FIPS 198-1).
-- Import it qualified.
module Crypto.Hash.SHA384
#define NAME SHA-384
#define MODULE SHA384
#define FUNCTION "hashmill_sha384"
#define ALGORITHM sha384
#define LENGTH 48
#define BITS its high bits (FIPS 180-4 §3.1)
#include "digest.inc"
