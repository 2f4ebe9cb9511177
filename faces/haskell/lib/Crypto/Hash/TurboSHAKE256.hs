{-# LANGUAGE CPP #-}
{-# LANGUAGE Trustworthy #-}

-- |
-- TurboSHAKE256 of strict and lazy ByteStrings (RFC 9861 §2, in domain 0x1F). Import it qualified.
module Crypto.Hash.TurboSHAKE256
#define NAME TurboSHAKE256
#define MODULE TurboSHAKE256
#define FUNCTION "hashmill_turboshake256"
#define ALGORITHM turboshake256
#define DOMAIN
#include "xof.inc"
