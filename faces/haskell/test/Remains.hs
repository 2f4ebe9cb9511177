-- | Uses a key in every way that this package offers, for the test @remains@ of the C library
-- (@crates\/hashmill-c\/tests\/remains\/scan.rs@), which then searches the memory of this process.
--
-- The key comes and goes in memory that this program allocates, overwrites and frees, so that only
-- the package can have copied it. Contexts are wiped when they are garbage, so the garbage is
-- collected before the search.
module Main (main) where

import Control.Concurrent (yield)
import Control.DeepSeq (NFData, force)
import Control.Exception (evaluate)
import Control.Monad (forM_, unless, void)
import qualified Crypto.Hash.BLAKE2Xb as BLAKE2Xb
import qualified Crypto.Hash.BLAKE2Xs as BLAKE2Xs
import qualified Crypto.Hash.BLAKE2b as BLAKE2b
import qualified Crypto.Hash.BLAKE2s as BLAKE2s
import qualified Crypto.Hash.BLAKE3 as BLAKE3
import Data.ByteString (ByteString)
import qualified Data.ByteString as B
import qualified Data.ByteString.Lazy as L
import qualified Data.ByteString.Unsafe as B (unsafePackCStringLen, unsafeUseAsCStringLen)
import qualified Data.Text as T
import Data.Word (Word16, Word64, Word8)
import Foreign.C.Types (CInt (..), CSize (..))
import Foreign.Marshal.Alloc (alloca, allocaBytes, free, mallocBytes)
import Foreign.Marshal.Array (peekArray)
import Foreign.Marshal.Utils (fillBytes)
import Foreign.Ptr (Ptr, castPtr, plusPtr)
import Foreign.Storable (poke)
import System.Environment (getArgs)
import System.Exit (die, exitSuccess)
import System.Mem (performMajorGC)
import Table

foreign import ccall "read" readFrom :: CInt -> Ptr Word8 -> CSize -> IO CSize
foreign import ccall "write" writeTo :: CInt -> Ptr Word64 -> CSize -> IO CSize

-- | A use of a key: the function, its algorithm, a name, and what it does with the key, a short
-- message and a long one.
type Use = (String, String, String, ByteString -> ByteString -> ByteString -> IO ())

uses :: [Use]
uses = concatMap withHmac keyed ++ concatMap blake2 keyed ++ others

withHmac :: Keyed -> [Use]
withHmac k =
  [ use "once" $ \key short _ -> done (hmac k key short)
  , use "lazy" $ \key short long -> done (hmacLazy k key (L.fromChunks [short, long]))
  , use "many" $ \key _ long -> done (hmacMany k key (batch long))
  , use "prepared" $ \key short _ -> done (hmacWith k key short)
  , use "chained" $ \key short _ -> done (B.take 1 (hmacChain k key 1 short))
  , use "in parts" $ \key short long -> done (hmacPieces k key [short, long] L.empty B.empty)
  ]
  where
    use way run = ("hmac", name (function k), way, run)

blake2 :: Keyed -> [Use]
blake2 k =
  concat
    [ [use "once" $ \key short _ -> done (right (f key short)) | Just f <- [mac k]]
    , [ use "lazy" $ \key short long -> done (right (f key (L.fromChunks [short, long])))
      | Just f <- [macLazy k]
      ]
    , [ use "with parameters" $ \key short _ -> done (right (f (p {BLAKE2b.key = key}) short))
      | Just (p, f) <- [params k]
      ]
    ]
  where
    use way run = ("blake2", name (function k), way, run)

others :: [Use]
others =
  [ ("blake2", "BLAKE2b", "restored", \key short _ -> do
      let context = right (BLAKE2b.initWith BLAKE2b.defaults {BLAKE2b.key = key})
      restored BLAKE2b.exportState (done . BLAKE2b.finalize . right . BLAKE2b.importState) (BLAKE2b.update context short))
  , ("blake2", "BLAKE2s", "restored", \key short _ -> do
      let context = right (BLAKE2s.initWith BLAKE2s.defaults {BLAKE2s.key = key})
      restored BLAKE2s.exportState (done . BLAKE2s.finalize . right . BLAKE2s.importState) (BLAKE2s.update context short))
  , ("blake2x", "BLAKE2b", "once", \key short _ ->
      done (right (BLAKE2Xb.hashWith (of200 BLAKE2Xb.defaults) {BLAKE2Xb.key = key} (L.fromStrict short))))
  , ("blake2x", "BLAKE2s", "once", \key short _ ->
      done (right (BLAKE2Xs.hashWith (of200 BLAKE2Xs.defaults) {BLAKE2Xs.key = key} (L.fromStrict short))))
  , ("blake3", "BLAKE3", "in parts", \key short long ->
      done (BLAKE3.finalize 32 (BLAKE3.update (BLAKE3.update (keyed3 key) short) long)))
  , ("blake3", "BLAKE3", "of any length", \key _ long -> do
      done (L.take 5000 (BLAKE3.squeeze (BLAKE3.update (keyed3 key) long)))
      done (L.take 32 (BLAKE3.squeezeFrom 100 (BLAKE3.update (keyed3 key) long))))
  , ("blake3", "BLAKE3", "chunks side by side", \key _ long ->
      done (BLAKE3.finalize 32 (BLAKE3.update (keyed3 key) (message (5 * B.length long)))))
  , ("blake3", "BLAKE3", "derived", \key short _ ->
      done (BLAKE3.finalize 32 (BLAKE3.update (BLAKE3.update (BLAKE3.initDeriveKey derivation) key) short)))
  , ("blake3", "BLAKE3", "restored", \key _ long ->
      restored BLAKE3.exportState (done . BLAKE3.finalize 32 . right . BLAKE3.importState) (BLAKE3.update (keyed3 key) long))
  , -- For the test itself: the search must find this copy.
    ("blake3", "BLAKE3", "left on purpose", \key _ _ -> do
      at <- mallocBytes 32
      forM_ (zip [0 ..] (B.unpack key)) $ \(i, byte) -> poke (at `plusPtr` i) byte)
  ]
  where
    of200 defaults = defaults {BLAKE2b.outputLength = 200}
    keyed3 = right . BLAKE3.initKeyed

-- | Exports a state, restores it, and overwrites the exported one, which belongs to the caller.
restored :: (context -> ByteString) -> (ByteString -> IO ()) -> context -> IO ()
restored export run context = do
  let state = export context
  run state
  B.unsafeUseAsCStringLen state $ \(at, len) -> fillBytes at 0 len

-- | As in the other programs of this test.
batch :: ByteString -> [ByteString]
batch long = [B.take (i * B.length long `div` 40) long | i <- [0 .. 39]]

derivation :: T.Text
derivation = T.pack "hashmill 2026-11-23 remains"

done :: NFData a => a -> IO ()
done = void . evaluate . force

right :: Either e a -> a
right = either (const (error "an error of the library")) id

main :: IO ()
main = getArgs >>= \arguments -> case arguments of
  ["--list"] -> forM_ uses $ \(what, algorithm, way, _) -> putStrLn (unwords [what, algorithm, way])
  ["--child", _] -> serve
  _ -> die "--list or --child BACKEND"

serve :: IO ()
serve = do
  numbers <- allocaBytes 8 $ \at -> readAll at 8 >> peekArray 4 (castPtr at :: Ptr Word16)
  case map fromIntegral numbers of
    [use, size, short, long] -> do
      at <- mallocBytes 256
      readAll at size
      key <- B.unsafePackCStringLen (castPtr at, size)
      let (_, _, _, run) = uses !! use
      run key (message short) (message long)
      fillBytes at 0 256
      free at
    _ -> die "no numbers"
  -- The second collection finds what the first one's finalizers let go.
  performMajorGC
  yield
  performMajorGC
  yield
  alloca $ \zero -> poke zero 0 >> void (writeTo 1 zero 8)
  serve

message :: Int -> ByteString
message len = B.pack [fromIntegral (151 * i + 67 + i `div` 256) | i <- [0 .. len - 1]]

-- | Reads so many bytes from the standard input, without a buffer, which would keep the key.
readAll :: Ptr Word8 -> Int -> IO ()
readAll at len = unless (len == 0) $ do
  got <- fromIntegral <$> readFrom 0 at (fromIntegral len)
  if got <= 0 then exitSuccess else readAll (at `plusPtr` got) (len - got)
