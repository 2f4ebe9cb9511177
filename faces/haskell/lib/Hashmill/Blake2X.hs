-- | BLAKE2X: outputs of any length in terms of BLAKE2's nodes. ("BLAKE2X", 2016)
module Hashmill.Blake2X (extend) where

import Control.Exception (throw)
import Control.Monad (when)
import Data.Bits (shiftL, (.|.))
import Data.ByteString (ByteString)
import qualified Data.ByteString as B
import qualified Data.ByteString.Lazy as L
import Data.Word (Word64)
import Hashmill.Blake2
import Hashmill.C
import qualified Hashmill.Context as Context

-- | Returns the output of BLAKE2X over the function @algorithm@, whose longest digest has @longest@
-- bytes. If the length is not known, the output ends after 2³² blocks. The parameter 'outputLength'
-- is not used; all other parameters are.
extend :: Algorithm -> Int -> Maybe Int -> Params -> L.ByteString -> Either Error L.ByteString
extend algorithm longest known params message = do
  when (maybe False (\len -> len < 1 || toInteger len >= toInteger unknown) known) (Left (Error blake2OutputLength))
  root <- beginNode algorithm params {outputLength = longest} sequential {nodeOffset = field}
  let digest = Context.finalize (Context.updateLazy root message)
  pure (L.fromChunks (zipWith (block digest) [0 .. 0xFFFFFFFF] lengths))
  where
    unknown = if longest == 64 then 0xFFFFFFFF else 0xFFFF :: Word64
    field = maybe unknown fromIntegral known `shiftL` 32
    lengths = takeWhile (> 0) (maybe id (zipWith min . iterate (subtract longest)) known (repeat longest))
    -- The root was made with the same salt and personalization, so that a block cannot fail.
    block :: ByteString -> Word64 -> Int -> ByteString
    block digest i len = either throw (Context.finalize . (`Context.update` digest)) (node i len)
    node i len =
      beginNode algorithm params {outputLength = len, key = B.empty} $
        sequential
          { fanout = 0
          , maxDepth = 0
          , leafLength = fromIntegral longest
          , nodeOffset = field .|. i
          , innerLength = longest
          }
