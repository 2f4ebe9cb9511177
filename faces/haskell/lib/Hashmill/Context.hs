-- | Hashing a message piece by piece.
--
-- A context is never changed once other code can see it: functions that would change it work on a
-- copy. An action that changes a context in several steps runs in 'unsafePerformIO', not in
-- 'unsafeDupablePerformIO', with which two threads that continue an interrupted computation would
-- both change the same context.
module Hashmill.Context
  ( Hasher
  , begin
  , beginWith
  , beginBlake3Keyed
  , beginBlake3DeriveKey
  , beginAsconCxof128
  , update
  , updateLazy
  , finalize
  , finalizeTo
  , finalizeBits
  , finalizeBitsTo
  , squeeze
  , squeezeBlocks
  , squeezeFrom
  , export
  , resume
  , hashLazy
  , hmacLazy

    -- * HMAC
  , Hmac
  , beginHmac
  , updateHmac
  , updateHmacLazy
  , finalizeHmac
  , tagWith
  , chainWith
  , withHmac
  ) where

import Data.ByteString (ByteString)
import qualified Data.ByteString as B
import qualified Data.ByteString.Internal as B (create, createUptoN', unsafeCreate)
import qualified Data.ByteString.Lazy as L
import qualified Data.ByteString.Lazy.Internal as L (ByteString (..), smallChunkSize)
import Data.Text (Text)
import qualified Data.Text.Encoding as T
import Data.Word (Word64, Word8)
import Foreign.C.Types (CInt)
import Foreign.ForeignPtr (ForeignPtr, finalizeForeignPtr, withForeignPtr)
import Foreign.Marshal.Alloc (alloca, allocaBytes)
import Foreign.Ptr (Ptr, plusPtr)
import Foreign.Storable (peek)
import Hashmill.C hiding (Hasher, Hmac)
import qualified Hashmill.C as C
import Hashmill.MAC (MAC (..))
import System.IO.Unsafe (unsafeDupablePerformIO, unsafePerformIO)

-- | A hash in progress.
newtype Hasher = Hasher (ForeignPtr C.Hasher)

-- | Returns a hasher that has absorbed nothing.
begin :: Algorithm -> Hasher
begin algorithm = unsafePerformIO $ Hasher <$> newInitialised algorithm

newInitialised :: Algorithm -> IO (ForeignPtr C.Hasher)
newInitialised algorithm = do
  new <- newHasher
  withForeignPtr new $ \hasher -> ok (hasherInit hasher algorithm)
  pure new

-- | Returns a hasher that the given call initialises. The call may fail.
beginWith :: (Ptr C.Hasher -> IO CInt) -> Either Error Hasher
beginWith initialise = unsafePerformIO $ do
  new <- newHasher
  status <- withForeignPtr new initialise
  pure (Hasher new `orError` status)

-- | Returns a hasher for BLAKE3 with a key.
beginBlake3Keyed :: ByteString -> Either Error Hasher
beginBlake3Keyed key
  | B.length key == 32 = beginWith $ \hasher -> withBytes key $ \at _ -> hasherInitBlake3Keyed hasher at
  | otherwise = Left KeyLength

-- | Returns a hasher for BLAKE3 that derives keys.
beginBlake3DeriveKey :: Text -> Hasher
beginBlake3DeriveKey text = unsafePerformIO $ do
  new <- newHasher
  withForeignPtr new $ \hasher -> withBytes (T.encodeUtf8 text) $ \at len ->
    ok (hasherInitBlake3DeriveKey hasher at len)
  pure (Hasher new)

-- | Returns a hasher for Ascon-CXOF128 with a customization string.
beginAsconCxof128 :: ByteString -> Either Error Hasher
beginAsconCxof128 custom = beginWith $ \hasher -> withBytes custom (hasherInitAsconCxof128 hasher)

update :: Hasher -> ByteString -> Hasher
update hasher part = updateLazy hasher (L.fromStrict part)

updateLazy :: Hasher -> L.ByteString -> Hasher
updateLazy (Hasher old) parts = unsafePerformIO $ do
  new <- copyHasher old
  absorb hasherUpdate new parts
  pure (Hasher new)

absorb :: Call (Update c) -> ForeignPtr c -> L.ByteString -> IO ()
absorb call context = go
  where
    go L.Empty = pure ()
    go (L.Chunk part parts) = do
      withForeignPtr context $ \c -> withBytes part $ \at len -> ok (pick (B.length part) call $ \f -> f c at len)
      go parts
{-# INLINE absorb #-}

-- | Returns the digest.
finalize :: Hasher -> ByteString
finalize hasher = finalizeTo (outputLength hasher) hasher

-- | Returns the first @width@ bytes of the output.
finalizeTo :: Int -> Hasher -> ByteString
finalizeTo width (Hasher context) = unsafeDupablePerformIO $ finalizeContext hasherFinalize width context

finalizeContext :: Call (Finalize c) -> Int -> ForeignPtr c -> IO ByteString
finalizeContext call width context =
  B.create (max 0 width) $ \out ->
    withForeignPtr context $ \c -> ok (pick width call $ \f -> f c out (fromIntegral (max 0 width)))
{-# INLINE finalizeContext #-}

-- | Returns the digest after more bits, which are taken from the given byte. The last argument is
-- their number, 0 to 7.
finalizeBits :: Hasher -> Word8 -> Int -> Either Error ByteString
finalizeBits hasher = finalizeBitsTo (outputLength hasher) hasher

finalizeBitsTo :: Int -> Hasher -> Word8 -> Int -> Either Error ByteString
finalizeBitsTo width (Hasher context) lastByte bits = unsafeDupablePerformIO $ do
  (output, status) <- B.createUptoN' (max 0 width) $ \out ->
    withForeignPtr context $ \c ->
      (,) (max 0 width) <$> hasherFinalizeBits c lastByte count out (fromIntegral (max 0 width))
  pure (output `orError` status)
  where
    -- A 'CUInt' is shorter than an 'Int', so that the conversion could turn a number that is out of
    -- range into one in range. Such a number becomes 8, which the library refuses.
    count = if bits < 0 || bits > 7 then 8 else fromIntegral bits

outputLength :: Hasher -> Int
outputLength (Hasher context) = fromIntegral (unsafeDupablePerformIO (withForeignPtr context hasherOutputLen))

-- | Returns the output as an endless lazy ByteString.
squeeze :: Hasher -> L.ByteString
squeeze = squeezeAfter L.smallChunkSize (const (pure ()))

-- | 'squeeze' in chunks of 2048 bytes, for an output that ends after a multiple of their length.
squeezeBlocks :: Hasher -> L.ByteString
squeezeBlocks = squeezeAfter 2048 (const (pure ()))

-- | Returns the output of BLAKE3 from a byte on.
squeezeFrom :: Word64 -> Hasher -> L.ByteString
squeezeFrom position = squeezeAfter L.smallChunkSize (\xof -> ok (xofSeek xof position))

squeezeAfter :: Int -> (Ptr Xof -> IO ()) -> Hasher -> L.ByteString
squeezeAfter size prepare (Hasher context) = go $ unsafePerformIO $ do
  new <- newXof
  withForeignPtr context $ \c -> withForeignPtr new $ \xof -> ok (hasherFinalizeXof c xof) >> prepare xof
  pure new
  where
    go from = case next from of (chunk, rest) -> L.Chunk chunk (go rest)
    next from = unsafePerformIO $ do
      new <- copyXof from
      chunk <- finalizeContext (Call xofSqueeze xofSqueeze) size new
      pure (chunk, new)

-- | Returns the state as bytes.
export :: Hasher -> ByteString
export (Hasher context) = fst $ unsafeDupablePerformIO $
  B.createUptoN' maxStateLength $ \out -> alloca $ \written ->
    withForeignPtr context $ \c -> do
      ok (hasherExport c out (fromIntegral maxStateLength) written)
      len <- peek written
      pure (fromIntegral len, ())

-- | Returns the hasher of an exported state, which must be of the given algorithm.
resume :: Algorithm -> ByteString -> Either Error Hasher
resume algorithm state = beginWith $ \hasher ->
  withBytes state $ \at len -> do
    status <- hasherImport hasher at len
    -- If the import failed, the hasher is not initialised.
    found <- if status == success then hasherAlgorithm hasher else pure algorithm
    pure (if found == algorithm then status else wrongAlgorithm)

-- | Returns the output for a lazy message, which has @width@ bytes. A message of at most one chunk
-- is hashed by the given function for strict messages.
hashLazy :: Algorithm -> (ByteString -> ByteString) -> Int -> L.ByteString -> ByteString
hashLazy algorithm strict width message = case message of
  L.Empty -> strict B.empty
  L.Chunk only L.Empty -> strict only
  parts -> unsafePerformIO $ do
    context <- newInitialised algorithm
    absorb hasherUpdate context parts
    output <- finalizeContext hasherFinalize width context
    finalizeForeignPtr context
    pure output

-- | Returns the tag of a lazy message with a key, which has @width@ bytes. A message of at most one
-- chunk is hashed by the given function for strict messages.
hmacLazy :: Algorithm -> (ByteString -> MAC) -> Int -> ByteString -> L.ByteString -> MAC
hmacLazy algorithm strict width key message = case message of
  L.Empty -> strict B.empty
  L.Chunk only L.Empty -> strict only
  parts -> unsafePerformIO $ do
    context <- newKeyed algorithm key
    absorb hmacUpdate context parts
    tag <- finalizeContext (Call hmacFinalize hmacFinalize) width context
    finalizeForeignPtr context
    pure (MAC tag)

-- | HMAC in progress.
newtype Hmac = Hmac (ForeignPtr HmacContext)

-- | Returns an HMAC that has absorbed the key.
beginHmac :: Algorithm -> ByteString -> Hmac
beginHmac algorithm key = unsafePerformIO $ Hmac <$> newKeyed algorithm key

updateHmac :: Hmac -> ByteString -> Hmac
updateHmac hmac part = updateHmacLazy hmac (L.fromStrict part)

updateHmacLazy :: Hmac -> L.ByteString -> Hmac
updateHmacLazy (Hmac old) parts = unsafePerformIO $ do
  new <- copyHmacContext old
  absorb hmacUpdate new parts
  pure (Hmac new)

-- | Returns the tag, which has @width@ bytes.
finalizeHmac :: Int -> Hmac -> MAC
finalizeHmac width (Hmac context) =
  MAC (unsafeDupablePerformIO (finalizeContext (Call hmacFinalize hmacFinalize) width context))

-- | Returns the tag, which has @width@ bytes, after one more message. The message is passed to the
-- library as a batch of one, so that the context is not copied and only the tag is allocated.
tagWith :: Int -> Hmac -> ByteString -> MAC
tagWith width hmac part =
  MAC $ B.unsafeCreate width $ \out ->
    withHmac hmac $ \c -> withBytes part $ \at len -> allocaBytes messageSize $ \one -> do
      pokeMessage one at len
      ok (pick (B.length part) hmacMany $ \f -> f c one 1 out (fromIntegral width))

-- | Returns @count@ tags of @width@ bytes, one after the other. The first is the tag of the given
-- value, and each further one is the tag of the tag before it.
chainWith :: Int -> Hmac -> Int -> ByteString -> ByteString
chainWith width hmac count value =
  B.unsafeCreate (max 0 count * width) $ \out ->
    withHmac hmac $ \c -> withBytes value $ \first len -> allocaBytes messageSize $ \one -> do
      let go i at n
            | i >= count = pure ()
            | otherwise = do
                let to = out `plusPtr` (i * width)
                pokeMessage one at n
                ok (pick (fromIntegral n) hmacMany $ \f -> f c one 1 to (fromIntegral width))
                go (i + 1) to (fromIntegral width)
      go 0 first len

withHmac :: Hmac -> (Ptr HmacContext -> IO a) -> IO a
withHmac (Hmac context) = withForeignPtr context

newKeyed :: Algorithm -> ByteString -> IO (ForeignPtr HmacContext)
newKeyed algorithm key = do
  new <- newHmacContext
  withForeignPtr new $ \c -> withBytes key $ \at len -> ok (hmacInit c algorithm at len)
  pure new
