{-# LANGUAGE DerivingStrategies #-}
{-# LANGUAGE GeneralizedNewtypeDeriving #-}

-- | Message authentication codes.
module Hashmill.MAC (MAC (..)) where

import Control.DeepSeq (NFData)
import Data.ByteString (ByteString)
import Hashmill.C
import System.IO.Unsafe (unsafeDupablePerformIO)

-- | A message authentication code. Compare codes as they are, with '==': that takes a time which
-- | depends on
-- their lengths only. The 'ByteString's inside would be compared up to the first difference, and
-- the time taken tells a forger where that is.
newtype MAC = MAC ByteString
  deriving newtype (Show, NFData)

instance Eq MAC where
  MAC a == MAC b = unsafeDupablePerformIO $
    withBytes a $ \atA lenA -> withBytes b $ \atB lenB ->
      (== success) <$> tagVerify atA lenA atB lenB
