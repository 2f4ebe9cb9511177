{-# LANGUAGE CPP #-}
{-# LANGUAGE Trustworthy #-}

-- |
-- Ascon-CXOF128 of strict and lazy ByteStrings (SP 800-232 §5.3), a function for small devices. Its
-- customization string separates different uses of the function. Import it qualified.
module Crypto.Hash.AsconCXOF128
#define NAME Ascon-CXOF128
#define MODULE AsconCXOF128
#define ALGORITHM ascon_cxof128
#define CUSTOM
#define BITS its low bits (FIPS 202 §B.1)
#include "xof.inc"
