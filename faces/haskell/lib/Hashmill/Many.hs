-- | Hashing many messages side by side in the lanes of the vector unit.
module Hashmill.Many (hashMany, hmacMany) where

import Data.ByteString (ByteString)
import qualified Data.ByteString.Internal as B (create, fromForeignPtr, toForeignPtr)
import Data.Foldable (for_)
import Data.Word (Word8)
import Foreign.C.Types (CInt, CSize)
import Foreign.ForeignPtr (touchForeignPtr)
import Foreign.ForeignPtr.Unsafe (unsafeForeignPtrToPtr)
import Foreign.Marshal.Alloc (allocaBytes)
import Foreign.Ptr (Ptr, plusPtr)
import Hashmill.C hiding (Hmac, hashMany, hmacMany)
import qualified Hashmill.C as C
import Hashmill.Context (Hmac, withHmac)
import Hashmill.MAC (MAC (..))
import System.IO.Unsafe (unsafeDupablePerformIO)

-- | Returns the digests of the messages. The second argument is the length of a digest in bytes.
hashMany :: Algorithm -> Int -> [ByteString] -> [ByteString]
hashMany algorithm = inBatches $ \len messages count out outLen ->
  pick len C.hashMany $ \f -> f algorithm messages count out outLen

-- | Returns the tags of the messages with a prepared key. The first argument is the length of a tag
-- in bytes.
hmacMany :: Int -> Hmac -> [ByteString] -> [MAC]
hmacMany width hmac = map MAC . inBatches tags width
  where
    tags len messages count out outLen =
      withHmac hmac $ \c -> pick len C.hmacMany $ \f -> f c messages count out outLen

-- | A call of the library for a batch of messages. The first argument is the length in bytes of all
-- messages together.
type Batch = Int -> Ptr Message -> CSize -> Ptr Word8 -> CSize -> IO CInt

inBatches :: Batch -> Int -> [ByteString] -> [ByteString]
inBatches call anyWidth = go
  where
    go [] = []
    go messages = case splitAt batchSize messages of (batch, rest) -> outputs batch (go rest)

    width = max 0 anyWidth

    -- Messages in a batch: enough to fill the lanes, and so few that the outputs stay in the cache.
    batchSize = max 16 (min 1024 (65536 `div` max 1 width))

    outputs batch rest = unsafeDupablePerformIO $ do
      let count = length batch
      rows <- B.create (count * width) $ \out ->
        allocaBytes (count * messageSize) $ \array -> do
          len <- pokeMessages array batch
          ok (call (max len (count * width)) array (fromIntegral count) out (fromIntegral width))
          for_ batch $ \message -> case B.toForeignPtr message of
            (memory, _, _) -> touchForeignPtr memory
      let (memory, start, _) = B.toForeignPtr rows
          row i
            | i == count = rest
            | otherwise = B.fromForeignPtr memory (start + i * width) width : row (i + 1)
      pure (row 0)

-- | Writes the addresses and lengths of the messages to the array, and returns the sum of their
-- lengths. The caller must keep the messages alive.
pokeMessages :: Ptr Message -> [ByteString] -> IO Int
pokeMessages = go 0
  where
    go total _ [] = pure total
    go total at (message : messages) = case B.toForeignPtr message of
      (memory, offset, len) -> do
        pokeMessage at (unsafeForeignPtrToPtr memory `plusPtr` offset) (fromIntegral len)
        let both = total + len
        both `seq` go both (at `plusPtr` messageSize) messages
