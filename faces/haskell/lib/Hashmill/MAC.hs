{-# LANGUAGE DerivingStrategies #-}
{-# LANGUAGE GeneralizedNewtypeDeriving #-}

-- | Message authentication codes.
module Hashmill.MAC (MAC (..)) where

import Control.DeepSeq (NFData)
import Data.ByteString (ByteString)
import Hashmill.C
import System.IO.Unsafe (unsafeDupablePerformIO)

-- | A message authentication code. Compare two codes with '==', which takes a time that depends on
-- their lengths only. Do not compare the 'ByteString's inside: that comparison stops at the first
-- difference, and its time tells a forger where the difference is.
newtype MAC = MAC ByteString
  deriving newtype (Show, NFData)

instance Eq MAC where
  MAC a == MAC b = unsafeDupablePerformIO $
    withBytes a $ \atA lenA -> withBytes b $ \atB lenB ->
      (== success) <$> tagVerify atA lenA atB lenB
