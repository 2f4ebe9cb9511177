{-# LANGUAGE CPP #-}
{-# LANGUAGE Trustworthy #-}

-- |
-- BLAKE2b of strict and lazy ByteStrings (RFC 7693; the BLAKE2 paper), with its parameters, and
-- HMAC over it (FIPS 198-1). Import it qualified.
module Crypto.Hash.BLAKE2b
#define NAME BLAKE2b
#define MODULE BLAKE2b
#define FUNCTION "hashmill_blake2b"
#define ALGORITHM blake2b
#define LENGTH 64
#define BLAKE2
#define TREE
#include "digest.inc"
