{-# LANGUAGE CPP #-}
{-# LANGUAGE Trustworthy #-}

-- |
-- SHAKE256 of strict and lazy ByteStrings (FIPS 202 §6.2). Import it qualified.
module Crypto.Hash.SHAKE256
#define NAME SHAKE256
#define MODULE SHAKE256
#define FUNCTION "hashmill_shake256"
#define ALGORITHM shake256
#define BITS its low bits (FIPS 202 §B.1)
#include "xof.inc"
