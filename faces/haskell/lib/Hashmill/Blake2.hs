-- | BLAKE2's parameters.
module Hashmill.Blake2
  ( Params (..)
  , defaultParams
  , Node (..)
  , sequential
  , beginBlake2
  , beginNode
  , beginBlake2X
  ) where

import Data.ByteString (ByteString)
import qualified Data.ByteString as B
import Data.Word (Word32, Word64, Word8)
import Foreign.Marshal.Alloc (allocaBytesAligned)
import Foreign.Ptr (Ptr)
import Hashmill.C
import Hashmill.Context (beginWith)
import qualified Hashmill.Context as Context

-- | Parameters for BLAKE2b, BLAKE2s, BLAKE2bp or BLAKE2sp. (The BLAKE2 paper, §2.5)
data Params = Params
  { outputLength :: !Int
  -- ^ Length of the digest in bytes: 1 to 64 for BLAKE2b and BLAKE2bp, 1 to 32 for BLAKE2s and
  -- BLAKE2sp.
  , key :: !ByteString
  -- ^ Up to 64 bytes for BLAKE2b and BLAKE2bp, or 32 for BLAKE2s and BLAKE2sp; empty for none.
  , salt :: !ByteString
  -- ^ Up to 16 bytes for BLAKE2b and BLAKE2bp, or 8; padded with zeros.
  , personal :: !ByteString
  -- ^ A personalization of up to 16 bytes for BLAKE2b and BLAKE2bp, or 8; padded with zeros.
  }

-- | Parameters with a digest of @width@ bytes, and no key, salt or personalization.
defaultParams :: Int -> Params
defaultParams width = Params {outputLength = width, key = B.empty, salt = B.empty, personal = B.empty}

-- | A node of a tree. (The BLAKE2 paper, §2.10)
data Node = Node
  { fanout :: !Word8
  -- ^ Children of a node, 0 for any number, 1 for no tree.
  , maxDepth :: !Word8
  -- ^ Levels of the tree: 1 for no tree, 255 for any number, 0 in BLAKE2X.
  , leafLength :: !Word32
  -- ^ Bytes of the message in a leaf, 0 for any number.
  , nodeOffset :: !Word64
  -- ^ The position of the node in its level, from 0; less than 2⁴⁸ for BLAKE2s.
  , nodeDepth :: !Word8
  -- ^ The level of the node, 0 for a leaf.
  , innerLength :: !Int
  -- ^ Bytes of the digest of an inner node: 0 to 64, or 0 to 32 for BLAKE2s.
  , lastNode :: !Bool
  -- ^ Whether it is the last node of its level.
  }

-- | The parameters of a node if there is no tree.
sequential :: Node
sequential =
  Node
    { fanout = 1
    , maxDepth = 1
    , leafLength = 0
    , nodeOffset = 0
    , nodeDepth = 0
    , innerLength = 0
    , lastNode = False
    }

beginBlake2 :: Algorithm -> Params -> Either Error Context.Hasher
beginBlake2 algorithm params = beginNode algorithm params sequential

beginNode :: Algorithm -> Params -> Node -> Either Error Context.Hasher
beginNode algorithm params node = beginWith $ \hasher -> withParams params node (hasherInitBlake2 hasher algorithm)

-- | Returns a hasher for BLAKE2X. The last argument is the length of the output in bytes, or 0 if it
-- is not known. The parameter 'outputLength' is not used.
beginBlake2X :: Algorithm -> Params -> Word64 -> Either Error Context.Hasher
beginBlake2X algorithm params len = beginWith $ \hasher ->
  withParams params sequential (\p -> hasherInitBlake2X hasher algorithm p len)

withParams :: Params -> Node -> (Ptr Blake2Params -> IO a) -> IO a
withParams params node use =
  allocaBytesAligned blake2ParamsSize blake2ParamsAlignment $ \p ->
    withMessage (keyOf p) (key params) $
      withMessage (saltOf p) (salt params) $
        withMessage (personalOf p) (personal params) $ do
          pokeSize p (fromIntegral blake2ParamsSize)
          pokeOutputLen p (fromIntegral (outputLength params))
          pokeFanout p (fanout node)
          pokeMaxDepth p (maxDepth node)
          pokeLeafLen p (leafLength node)
          pokeNodeOffset p (nodeOffset node)
          pokeNodeDepth p (nodeDepth node)
          pokeInnerLen p (fromIntegral (innerLength node))
          pokeLastNode p (if lastNode node then 1 else 0)
          use p

withMessage :: Ptr Message -> ByteString -> IO a -> IO a
withMessage message bytes use = withBytes bytes $ \at len -> pokeMessage message at len >> use
