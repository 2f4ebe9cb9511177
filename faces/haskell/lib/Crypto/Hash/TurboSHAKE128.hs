{-# LANGUAGE CPP #-}
{-# LANGUAGE Trustworthy #-}

-- |
-- TurboSHAKE128 of strict and lazy ByteStrings (RFC 9861 §2, in domain 0x1F). Import it qualified.
module Crypto.Hash.TurboSHAKE128
#define NAME TurboSHAKE128
#define MODULE TurboSHAKE128
#define FUNCTION "hashmill_turboshake128"
#define ALGORITHM turboshake128
#define DOMAIN
#include "xof.inc"
