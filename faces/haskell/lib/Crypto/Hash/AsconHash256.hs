{-# LANGUAGE CPP #-}
{-# LANGUAGE Trustworthy #-}

-- |
-- Ascon-Hash256 of strict and lazy ByteStrings (SP 800-232 §5.1), a function for small devices.
-- HMAC is not defined for it, because its digest is longer than its block. Import it qualified.
module Crypto.Hash.AsconHash256
#define NAME Ascon-Hash256
#define MODULE AsconHash256
#define FUNCTION "hashmill_ascon_hash256"
#define ALGORITHM ascon_hash256
#define BITS its low bits (FIPS 202 §B.1)
#define LENGTH 32
#define NO_HMAC
#include "digest.inc"
