{-# LANGUAGE CPP #-}
{-# LANGUAGE Trustworthy #-}

-- |
-- BLAKE2Xb of strict and lazy ByteStrings (the BLAKE2X paper): an output of any length in terms of
-- BLAKE2b. Import it qualified.
module Crypto.Hash.BLAKE2Xb
#define NAME BLAKE2Xb
#define MODULE BLAKE2Xb
#define ALGORITHM blake2xb
#define LENGTH 64
#define LONGEST 2³² - 2
#include "blake2x.inc"
