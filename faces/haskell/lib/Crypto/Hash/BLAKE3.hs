{-# LANGUAGE CPP #-}
{-# LANGUAGE Trustworthy #-}

-- |
-- BLAKE3 of strict and lazy ByteStrings (the BLAKE3 paper), also with a key, and to derive keys. The
-- usual length of its output is 32 bytes. Import it qualified.
module Crypto.Hash.BLAKE3
#define NAME BLAKE3
#define MODULE BLAKE3
#define FUNCTION "hashmill_blake3"
#define ALGORITHM blake3
#define MODES
#include "xof.inc"
