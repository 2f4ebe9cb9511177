-- | Haskell bindings for @hashmill.h@: its functions, numbers and structures.
module Hashmill.C where

import Control.Exception (Exception, mask_, throwIO)
import Control.Monad (unless)
import Data.ByteString (ByteString)
import qualified Data.ByteString.Unsafe as B
import Data.Word (Word32, Word64, Word8)
import Foreign.C.String (CString, peekCString)
import Foreign.C.Types (CInt (..), CSize (..), CUInt (..))
import Foreign.ForeignPtr (FinalizerPtr, ForeignPtr, addForeignPtrFinalizer, withForeignPtr)
import Foreign.Marshal.Utils (copyBytes)
import Foreign.Ptr (Ptr, castPtr, plusPtr)
import Foreign.Storable (pokeByteOff)
import GHC.ForeignPtr (mallocForeignPtrAlignedBytes)
import System.IO.Unsafe (unsafeDupablePerformIO)

#include <hashmill.h>

-- Status ---------------------------------------------------------------------

-- | The reason why an operation failed. 'show' describes it in a sentence.
data Error
  = -- | A status of the library.
    Error CInt
  | -- | The key is empty, which to the library means that there is no key.
    EmptyKey
  deriving (Eq)

instance Show Error where
  show (Error status) = unsafeDupablePerformIO (statusText status >>= peekCString)
  show EmptyKey = "the key is empty"

instance Exception Error

-- | Runs a call that can fail only if this package is wrong. If it fails, throws its status.
ok :: IO CInt -> IO ()
ok call = call >>= \status -> unless (status == success) (throwIO (Error status))
{-# INLINE ok #-}

-- | Returns the result of a call that fails if an argument is wrong, or its status as an 'Error'.
orError :: a -> CInt -> Either Error a
orError result status = if status == success then Right result else Left (Error status)

success, wrongAlgorithm, blake2OutputLength :: CInt
success = #{const HASHMILL_OK}
wrongAlgorithm = #{const HASHMILL_ERROR_STATE_ALGORITHM}
blake2OutputLength = #{const HASHMILL_ERROR_BLAKE2_OUTPUT_LENGTH}

foreign import ccall unsafe "hashmill_status_text" statusText :: CInt -> IO CString

-- Short and long calls -------------------------------------------------------

-- | A function that is imported twice. An unsafe call costs almost nothing, but while it runs, no
-- thread of the program can collect garbage. A safe call costs about 100 ns, and other threads go
-- on.
data Call f = Call {unsafely :: f, safely :: f}

-- | Makes the unsafe call for up to 16384 bytes, which takes some tens of microseconds at most, and
-- the safe call for more.
--
-- An asynchronous exception that arrives during a safe call would be raised in the middle of its
-- return, and a pure computation that is resumed later would find garbage in place of the status.
-- So the safe call masks asynchronous exceptions.
pick :: Int -> Call f -> (f -> IO CInt) -> IO CInt
pick len call apply
  | len <= 16384 = apply (unsafely call)
  | otherwise = mask_ (apply (safely call))
{-# INLINE pick #-}

withBytes :: ByteString -> (Ptr Word8 -> CSize -> IO a) -> IO a
withBytes bytes use = B.unsafeUseAsCStringLen bytes $ \(at, len) -> use (castPtr at) (fromIntegral len)
{-# INLINE withBytes #-}

-- Algorithms -----------------------------------------------------------------

newtype Algorithm = Algorithm CInt
  deriving (Eq)

#{enum Algorithm, Algorithm
 , sha224 = HASHMILL_SHA224
 , sha256 = HASHMILL_SHA256
 , sha384 = HASHMILL_SHA384
 , sha512 = HASHMILL_SHA512
 , sha512_224 = HASHMILL_SHA512_224
 , sha512_256 = HASHMILL_SHA512_256
 , sha3_224 = HASHMILL_SHA3_224
 , sha3_256 = HASHMILL_SHA3_256
 , sha3_384 = HASHMILL_SHA3_384
 , sha3_512 = HASHMILL_SHA3_512
 , blake2b = HASHMILL_BLAKE2B
 , blake2s = HASHMILL_BLAKE2S
 , blake2bp = HASHMILL_BLAKE2BP
 , blake2sp = HASHMILL_BLAKE2SP
 , shake128 = HASHMILL_SHAKE128
 , shake256 = HASHMILL_SHAKE256
 , turboshake128 = HASHMILL_TURBOSHAKE128
 , turboshake256 = HASHMILL_TURBOSHAKE256
 }

-- One call -------------------------------------------------------------------

-- | The type of @hashmill_sha256@ and similar functions: message, digest.
type Fixed = Ptr Word8 -> CSize -> Ptr Word8 -> IO CInt

-- | The type of @hashmill_shake128@ and similar functions: message, output.
type Extendable = Ptr Word8 -> CSize -> Ptr Word8 -> CSize -> IO CInt

-- | The type of @hashmill_hmac@: algorithm, key, message, tag.
type Hmac = Algorithm -> Ptr Word8 -> CSize -> Ptr Word8 -> CSize -> Ptr Word8 -> CSize -> IO CInt

hmacCall :: Call Hmac
hmacCall = Call hmacUnsafe hmacSafe
{-# INLINE hmacCall #-}

foreign import ccall unsafe "hashmill_hmac" hmacUnsafe :: Hmac
foreign import ccall safe "hashmill_hmac" hmacSafe :: Hmac

-- | Compares a tag with the expected tag.
foreign import ccall unsafe "hashmill_tag_verify"
  tagVerify :: Ptr Word8 -> CSize -> Ptr Word8 -> CSize -> IO CInt

-- Contexts -------------------------------------------------------------------

data Hasher
data HmacContext
data Xof

newHasher :: IO (ForeignPtr Hasher)
newHasher = newContext #{const HASHMILL_HASHER_SIZE} hasherWipe

newHmacContext :: IO (ForeignPtr HmacContext)
newHmacContext = newContext #{const HASHMILL_HMAC_SIZE} hmacWipe

newXof :: IO (ForeignPtr Xof)
newXof = newContext #{const HASHMILL_XOF_SIZE} xofWipe

-- | Allocates pinned memory, which is wiped when nothing refers to it any more, or by
-- @finalizeForeignPtr@. A @bracket@ would be wrong: an asynchronous exception only interrupts a
-- pure computation, and when the computation is resumed it must find its context unchanged.
newContext :: Int -> FinalizerPtr c -> IO (ForeignPtr c)
newContext size wipe = do
  context <- mallocForeignPtrAlignedBytes size #{const HASHMILL_ALIGNMENT}
  addForeignPtrFinalizer wipe context
  pure context

copyHasher :: ForeignPtr Hasher -> IO (ForeignPtr Hasher)
copyHasher from = do
  to <- newHasher
  withForeignPtr from $ \f -> withForeignPtr to $ \t -> copyBytes t f #{const HASHMILL_HASHER_SIZE}
  pure to

copyHmacContext :: ForeignPtr HmacContext -> IO (ForeignPtr HmacContext)
copyHmacContext from = do
  to <- newHmacContext
  withForeignPtr from $ \f -> withForeignPtr to $ \t -> copyBytes t f #{const HASHMILL_HMAC_SIZE}
  pure to

copyXof :: ForeignPtr Xof -> IO (ForeignPtr Xof)
copyXof from = do
  to <- newXof
  withForeignPtr from $ \f -> withForeignPtr to $ \t -> copyBytes t f #{const HASHMILL_XOF_SIZE}
  pure to

-- | The type of a call that absorbs: a context, and the next part of its message.
type Update c = Ptr c -> Ptr Word8 -> CSize -> IO CInt

hasherUpdate :: Call (Update Hasher)
hasherUpdate = Call hasherUpdateUnsafe hasherUpdateSafe
{-# INLINE hasherUpdate #-}

hmacUpdate :: Call (Update HmacContext)
hmacUpdate = Call hmacUpdateUnsafe hmacUpdateSafe
{-# INLINE hmacUpdate #-}

foreign import ccall unsafe "hashmill_hasher_init" hasherInit :: Ptr Hasher -> Algorithm -> IO CInt
foreign import ccall unsafe "hashmill_hasher_init_turboshake"
  hasherInitTurboshake :: Ptr Hasher -> Algorithm -> Word8 -> IO CInt
foreign import ccall unsafe "hashmill_hasher_init_blake2"
  hasherInitBlake2 :: Ptr Hasher -> Algorithm -> Ptr Blake2Params -> IO CInt
foreign import ccall unsafe "hashmill_hasher_update" hasherUpdateUnsafe :: Update Hasher
foreign import ccall safe "hashmill_hasher_update" hasherUpdateSafe :: Update Hasher
foreign import ccall unsafe "hashmill_hasher_output_len" hasherOutputLen :: Ptr Hasher -> IO CSize
foreign import ccall unsafe "hashmill_hasher_algorithm" hasherAlgorithm :: Ptr Hasher -> IO Algorithm
foreign import ccall unsafe "&hashmill_hasher_wipe" hasherWipe :: FinalizerPtr Hasher

-- | The type of a call that writes output: a context, and its output.
type Finalize c = Ptr c -> Ptr Word8 -> CSize -> IO CInt

hasherFinalize :: Call (Finalize Hasher)
hasherFinalize = Call hasherFinalizeUnsafe hasherFinalizeSafe
{-# INLINE hasherFinalize #-}

foreign import ccall unsafe "hashmill_hasher_finalize" hasherFinalizeUnsafe :: Finalize Hasher
foreign import ccall safe "hashmill_hasher_finalize" hasherFinalizeSafe :: Finalize Hasher
foreign import ccall unsafe "hashmill_hasher_finalize_bits"
  hasherFinalizeBits :: Ptr Hasher -> Word8 -> CUInt -> Ptr Word8 -> CSize -> IO CInt
foreign import ccall unsafe "hashmill_hasher_export"
  hasherExport :: Ptr Hasher -> Ptr Word8 -> CSize -> Ptr CSize -> IO CInt
foreign import ccall unsafe "hashmill_hasher_import" hasherImport :: Ptr Hasher -> Ptr Word8 -> CSize -> IO CInt

maxStateLength :: Int
maxStateLength = #{const HASHMILL_MAX_STATE_LEN}

foreign import ccall unsafe "hashmill_hasher_finalize_xof" hasherFinalizeXof :: Ptr Hasher -> Ptr Xof -> IO CInt
foreign import ccall unsafe "hashmill_xof_squeeze" xofSqueeze :: Finalize Xof
foreign import ccall unsafe "&hashmill_xof_wipe" xofWipe :: FinalizerPtr Xof

foreign import ccall unsafe "hashmill_hmac_init"
  hmacInit :: Ptr HmacContext -> Algorithm -> Ptr Word8 -> CSize -> IO CInt
foreign import ccall unsafe "hashmill_hmac_update" hmacUpdateUnsafe :: Update HmacContext
foreign import ccall safe "hashmill_hmac_update" hmacUpdateSafe :: Update HmacContext
foreign import ccall unsafe "hashmill_hmac_finalize" hmacFinalize :: Finalize HmacContext
foreign import ccall unsafe "&hashmill_hmac_wipe" hmacWipe :: FinalizerPtr HmacContext

-- Many messages --------------------------------------------------------------

-- | @hashmill_bytes@.
data Message

messageSize :: Int
messageSize = #{size hashmill_bytes}

pokeMessage :: Ptr Message -> Ptr Word8 -> CSize -> IO ()
pokeMessage message at len = do
  #{poke hashmill_bytes, data} message at
  #{poke hashmill_bytes, len} message len

-- | The type of a call for many messages: the algorithm or the prepared key, the messages and their
-- number, the outputs and the length of each output in bytes.
type Many a = a -> Ptr Message -> CSize -> Ptr Word8 -> CSize -> IO CInt

hashMany :: Call (Many Algorithm)
hashMany = Call hashManyUnsafe hashManySafe

hmacMany :: Call (Many (Ptr HmacContext))
hmacMany = Call hmacManyUnsafe hmacManySafe

foreign import ccall unsafe "hashmill_hash_many" hashManyUnsafe :: Many Algorithm
foreign import ccall safe "hashmill_hash_many" hashManySafe :: Many Algorithm
foreign import ccall unsafe "hashmill_hmac_finish_many" hmacManyUnsafe :: Many (Ptr HmacContext)
foreign import ccall safe "hashmill_hmac_finish_many" hmacManySafe :: Many (Ptr HmacContext)

-- BLAKE2 ---------------------------------------------------------------------

-- | @hashmill_blake2_params@.
data Blake2Params

blake2ParamsSize, blake2ParamsAlignment :: Int
blake2ParamsSize = #{size hashmill_blake2_params}
blake2ParamsAlignment = #{alignment hashmill_blake2_params}

pokeSize, pokeOutputLen, pokeInnerLen :: Ptr Blake2Params -> CSize -> IO ()
pokeSize = #{poke hashmill_blake2_params, size}
pokeOutputLen = #{poke hashmill_blake2_params, output_len}
pokeInnerLen = #{poke hashmill_blake2_params, inner_len}

pokeNodeOffset :: Ptr Blake2Params -> Word64 -> IO ()
pokeNodeOffset = #{poke hashmill_blake2_params, node_offset}

pokeLeafLen :: Ptr Blake2Params -> Word32 -> IO ()
pokeLeafLen = #{poke hashmill_blake2_params, leaf_len}

pokeFanout, pokeMaxDepth, pokeNodeDepth, pokeLastNode :: Ptr Blake2Params -> Word8 -> IO ()
pokeFanout = #{poke hashmill_blake2_params, fanout}
pokeMaxDepth = #{poke hashmill_blake2_params, max_depth}
pokeNodeDepth = #{poke hashmill_blake2_params, node_depth}
pokeLastNode = #{poke hashmill_blake2_params, last_node}

keyOf, saltOf, personalOf :: Ptr Blake2Params -> Ptr Message
keyOf = #{ptr hashmill_blake2_params, key}
saltOf = #{ptr hashmill_blake2_params, salt}
personalOf = #{ptr hashmill_blake2_params, personal}
