{-# LANGUAGE CPP #-}
{-# LANGUAGE Trustworthy #-}

-- |
-- BLAKE2bp of strict and lazy ByteStrings (the BLAKE2 paper, §2.10), with its parameters, and HMAC
-- over it (FIPS 198-1). Import it qualified.
module Crypto.Hash.BLAKE2bp
#define NAME BLAKE2bp
#define MODULE BLAKE2bp
#define FUNCTION "hashmill_blake2bp"
#define ALGORITHM blake2bp
#define LENGTH 64
#define BLAKE2
#include "digest.inc"
