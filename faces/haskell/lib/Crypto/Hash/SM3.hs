{-# LANGUAGE CPP #-}
{-# LANGUAGE Trustworthy #-}

-- |
-- SM3 and HMAC-SM3 of strict and lazy ByteStrings (GB\/T 32905-2016; FIPS 198-1).
-- Import it qualified.
module Crypto.Hash.SM3
#define NAME SM3
#define MODULE SM3
#define FUNCTION "hashmill_sm3"
#define ALGORITHM sm3
#define LENGTH 32
#define BITS its high bits, as for SHA-2 (FIPS 180-4 §3.1)
#include "digest.inc"
