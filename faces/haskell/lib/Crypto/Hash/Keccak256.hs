{-# LANGUAGE CPP #-}
{-# LANGUAGE Trustworthy #-}

-- |
-- Keccak-256 and HMAC-Keccak-256 of strict and lazy ByteStrings (the Keccak submission,
-- version 3; FIPS 198-1). It is not SHA3-256, which has another padding.
-- Import it qualified.
module Crypto.Hash.Keccak256
#define NAME Keccak-256
#define MODULE Keccak256
#define FUNCTION "hashmill_keccak256"
#define ALGORITHM keccak256
#define LENGTH 32
#define BITS its low bits, as for SHA-3 (FIPS 202 §B.1)
#include "digest.inc"
