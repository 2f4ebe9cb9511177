-- | BLAKE2X: outputs of any length in terms of BLAKE2's nodes. ("BLAKE2X", 2016)
module Hashmill.Blake2X (hashWith, squeezeWith) where

import Control.Monad (when)
import Data.Bits (shiftL)
import Data.ByteString (ByteString)
import qualified Data.ByteString.Lazy as L
import Hashmill.Blake2
import Hashmill.C
import qualified Hashmill.Context as Context

-- | Returns an output of known length.
hashWith :: Algorithm -> Params -> L.ByteString -> Either Error ByteString
hashWith algorithm params message = do
  let len = outputLength params
  when (len < 1) (Left (Error blake2OutputLength))
  root <- beginBlake2X algorithm params (fromIntegral len)
  pure (Context.finalizeTo len (Context.updateLazy root message))

-- | Returns the output of unknown length, which ends after 2³² blocks. The second argument is the
-- length of a block in bytes.
squeezeWith :: Algorithm -> Int -> Params -> L.ByteString -> Either Error L.ByteString
squeezeWith algorithm block params message = do
  root <- beginBlake2X algorithm params 0
  pure (L.take (fromIntegral block `shiftL` 32) (Context.squeezeBlocks (Context.updateLazy root message)))
