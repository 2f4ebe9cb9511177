{-# LANGUAGE CPP #-}
{-# LANGUAGE Trustworthy #-}

-- |
-- BLAKE2s of strict and lazy ByteStrings (RFC 7693; the BLAKE2 paper), with its parameters, and
-- HMAC over it (FIPS 198-1). Import it qualified.
module Crypto.Hash.BLAKE2s
#define NAME BLAKE2s
#define MODULE BLAKE2s
#define FUNCTION "hashmill_blake2s"
#define ALGORITHM blake2s
#define LENGTH 32
#define BLAKE2
#define TREE
#include "digest.inc"
