{-# LANGUAGE CPP #-}
{-# LANGUAGE Trustworthy #-}

-- |
-- SHA-256 and HMAC-SHA-256 of strict and lazy ByteStrings (FIPS 180-4 §6.2; FIPS 198-1).
-- Import it qualified.
module Crypto.Hash.SHA256
#define NAME SHA-256
#define MODULE SHA256
#define FUNCTION "hashmill_sha256"
#define ALGORITHM sha256
#define LENGTH 32
#define BITS its high bits (FIPS 180-4 §3.1)
#include "digest.inc"
