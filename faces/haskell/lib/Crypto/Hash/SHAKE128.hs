{-# LANGUAGE CPP #-}
{-# LANGUAGE Trustworthy #-}

-- |
-- SHAKE128 of strict and lazy ByteStrings (FIPS 202 §6.2). Import it qualified.
module Crypto.Hash.SHAKE128
#define NAME SHAKE128
#define MODULE SHAKE128
#define FUNCTION "hashmill_shake128"
#define ALGORITHM shake128
#define BITS its low bits (FIPS 202 §B.1)
#include "xof.inc"
