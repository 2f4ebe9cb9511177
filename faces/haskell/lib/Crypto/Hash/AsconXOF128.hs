{-# LANGUAGE CPP #-}
{-# LANGUAGE Trustworthy #-}

-- |
-- Ascon-XOF128 of strict and lazy ByteStrings (SP 800-232 §5.2), a function for small devices.
-- Import it qualified.
module Crypto.Hash.AsconXOF128
#define NAME Ascon-XOF128
#define MODULE AsconXOF128
#define FUNCTION "hashmill_ascon_xof128"
#define ALGORITHM ascon_xof128
#define BITS its low bits (FIPS 202 §B.1)
#include "xof.inc"
