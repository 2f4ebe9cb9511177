{-# LANGUAGE CPP #-}
{-# LANGUAGE Trustworthy #-}

-- |
-- BLAKE2Xs of strict and lazy ByteStrings (the BLAKE2X paper): an output of any length in terms of
-- BLAKE2s. Import it qualified.
module Crypto.Hash.BLAKE2Xs
#define NAME BLAKE2Xs
#define MODULE BLAKE2Xs
#define ALGORITHM blake2xs
#define LENGTH 32
#define LONGEST 2¹⁶ - 2
#include "blake2x.inc"
