{-# LANGUAGE CPP #-}
{-# LANGUAGE Trustworthy #-}

-- |
-- BLAKE2sp of strict and lazy ByteStrings (the BLAKE2 paper, §2.10), with its parameters, and HMAC
-- over it (FIPS 198-1). Import it qualified.
module Crypto.Hash.BLAKE2sp
#define NAME BLAKE2sp
#define MODULE BLAKE2sp
#define FUNCTION "hashmill_blake2sp"
#define ALGORITHM blake2sp
#define LENGTH 32
#define BLAKE2
#include "digest.inc"
