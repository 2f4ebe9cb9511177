-- | Properties that hold for all messages.
module Properties (all) where

import Control.Exception (evaluate)
import Control.Monad (forM_, void)
import qualified Crypto.Hash.AsconCXOF128 as AsconCXOF128
import Crypto.Hash.BLAKE2b (Params (..))
import qualified Crypto.Hash.BLAKE2b as BLAKE2b
import qualified Crypto.Hash.BLAKE2Xs as BLAKE2Xs
import qualified Crypto.Hash.BLAKE3 as BLAKE3
import Crypto.Hash.SHA256 (Error, MAC (..))
import qualified Crypto.Hash.SHA256 as SHA256
import qualified Crypto.Hash.TurboSHAKE128 as TurboSHAKE128
import Data.Bits (complementBit, xor)
import Data.ByteString (ByteString)
import qualified Data.ByteString as B
import qualified Data.ByteString.Lazy as L
import Data.Either (isLeft)
import Data.List (sort)
import Foreign.C.String (CString, peekCString)
import Foreign.C.Types (CInt (..), CSize (..))
import Prelude hiding (all)
import System.Timeout (timeout)
import Table
import Test.QuickCheck.Instances.ByteString ()
import Test.Tasty
import Test.Tasty.HUnit
import Test.Tasty.QuickCheck hiding (Function, function)

all :: TestTree
all =
  testGroup
    "properties"
    [ testCase "every algorithm of the library has a module" everyAlgorithm
    , testGroup "of all functions" [testGroup (name f) (ofFunction f) | f <- functions]
    , testGroup "of functions with HMAC" [testGroup (name (function k)) (ofKeyed k) | k <- keyed]
    , testGroup "of MAC" ofMac
    , testGroup "errors" errors
    , testCase "an interrupted hash goes on where it was" interrupted
    ]

-- The table ------------------------------------------------------------------

foreign import ccall "hashmill_algorithm_at" algorithmAt :: CSize -> IO CInt
foreign import ccall "hashmill_algorithm_name" algorithmName :: CInt -> IO CString
foreign import ccall "hashmill_block_len" blockLen :: CInt -> IO CSize

everyAlgorithm :: Assertion
everyAlgorithm = do
  names <- map fst <$> algorithms
  sort (map name functions) @?= sort names

-- | The names and numbers of all algorithms.
algorithms :: IO [(String, CInt)]
algorithms = do
  codes <- takeWhile (/= 0) <$> mapM algorithmAt [0 .. 255]
  mapM (\code -> flip (,) code <$> (algorithmName code >>= peekCString)) codes

blockLength :: Function -> IO Int
blockLength f = do
  Just code <- lookup (name f) <$> algorithms
  fromIntegral <$> blockLen code

-- Messages -------------------------------------------------------------------

-- | A message. Most are short; some are long enough for safe calls and for several blocks of
-- BLAKE2sp.
newtype Message = Message ByteString
  deriving (Show)

instance Arbitrary Message where
  arbitrary = Message <$> frequency [(20, arbitrary), (1, patterned <$> choose (16000, 40000))]
  shrink (Message m) = Message <$> shrink m

patterned :: Int -> ByteString
patterned len = fst (B.unfoldrN len (\i -> Just (fromIntegral (i `mod` 251), i + 1)) (0 :: Int))

-- | A message, cut into pieces of any lengths.
newtype Pieces = Pieces [ByteString]
  deriving (Show)

instance Arbitrary Pieces where
  arbitrary = do
    Message m <- arbitrary
    Pieces <$> cut m
    where
      cut m
        | B.null m = pure []
        | otherwise = do
            len <- choose (0, min (B.length m) 20000)
            (B.take len m :) <$> cut (B.drop (max 1 len) m)
  shrink (Pieces parts) = Pieces <$> shrinkList shrink parts

flipBit :: Int -> Int -> ByteString -> ByteString
flipBit at bit bytes = case B.splitAt (at `mod` B.length bytes) bytes of
  (start, end) -> start <> B.cons (B.head end `complementBit` (bit `mod` 8)) (B.tail end)

-- | An output length for XOFs.
newtype Width = Width Int
  deriving (Show)

instance Arbitrary Width where
  arbitrary = Width <$> frequency [(20, choose (-2, 500)), (1, choose (16000, 20000))]
  shrink (Width n) = Width <$> shrink n

ofFunction :: Function -> [TestTree]
ofFunction f =
  [ testProperty "lazy = strict, in any chunks" $ \(Width n) (Pieces parts) ->
      hashLazy f n (L.fromChunks parts) === hash f n (B.concat parts)
  , testProperty "piece by piece = in one" $ \(Width n) (Pieces parts) ->
      pieces f n parts === hash f n (B.concat parts)
  , testProperty "lazy pieces = in one" $ \(Width n) (Pieces parts) (Pieces others) ->
      piecesLazy f n [L.fromChunks parts, L.fromChunks others] === hash f n (B.concat (parts ++ others))
  , testProperty "many = map" $ \(Width n) (Pieces parts) ->
      hashMany f n parts === map (hash f n) parts
  , testCase "more than one batch of many = map" $ do
      let messages = [patterned (i `mod` 200) | i <- [1 .. 3000]]
      hashMany f 40 messages @?= map (hash f 40) messages
  , testCase "many is lazy" $ do
      let endless = hashMany f 32 (repeat (patterned 10))
      (endless !! 5000) @?= hash f 32 (patterned 10)
  , testProperty "length" $ \(Width n) (Message m) ->
      B.length (hash f n m) === maybe (max 0 n) id (lengthOf f)
  , testProperty "exported and imported" $ \(Width n) (Message m) (Message rest) ->
      shown (resumed f n (stateAfter f m) rest) === Right (hash f n (m <> rest))
  , testProperty "a damaged state is an error" $ \(Message m) (NonNegative at) bit ->
      isLeft (resumed f 32 (flipBit at bit (stateAfter f m)) B.empty)
  , testCase "a state of another function is an error" $
      forM_ functions $ \other ->
        isLeft (resumed f 32 (stateAfter other (patterned 5)) B.empty) @?= (name other /= name f)
  ]
    ++ [ testProperty "no bits more = none" $ \(Width n) (Message m) byte ->
          shown (finalizeBits n m byte 0) === Right (hash f n m)
       | Just finalizeBits <- [bits f]
       ]
    ++ [ testCase "eight bits are too many, and less than none" $
          forM_ [8, -1, 2 ^ (32 :: Int), 2 ^ (32 :: Int) + 7, minBound, maxBound] $ \count ->
            isLeft (finalizeBits 32 B.empty 0 count) @? show count
       | Just finalizeBits <- [bits f]
       ]
    ++ [ testProperty "squeeze begins with every length" $ \(Width n) (Message m) ->
          L.toStrict (L.take (fromIntegral n) (squeeze m)) === hash f n m
       | Just squeeze <- [squeezed f]
       ]

ofKeyed :: Keyed -> [TestTree]
ofKeyed k =
  [ testProperty "hmac is what FIPS 198-1 says" $ \(Message secret) (Message m) -> ioProperty $ do
      block <- blockLength f
      let short = if B.length secret > block then h secret else secret
          pad byte = B.map (xor byte) (short <> B.replicate (block - B.length short) 0)
      pure $ hmac k secret m === MAC (h (pad 0x5C <> h (pad 0x36 <> m)))
  , testProperty "lazy = strict, in any chunks" $ \(Message secret) (Pieces parts) ->
      hmacLazy k secret (L.fromChunks parts) === hmac k secret (B.concat parts)
  , testProperty "many = map" $ \(Message secret) (Pieces parts) ->
      hmacMany k secret parts === map (hmac k secret) parts
  , testProperty "with a prepared key = in one call" $ \(Message secret) (Pieces parts) ->
      map (hmacWith k secret) parts === map (hmac k secret) parts
  , testProperty "piece by piece = in one call" $ \(Message secret) (Pieces parts) (Pieces others) (Message end) ->
      let whole = hmac k secret (B.concat (parts ++ others ++ [end]))
       in hmacPieces k secret parts (L.fromChunks others) end === [whole, whole]
  , testProperty "a chain is a tag of the tag before it" $ \(Message secret) (Message m) (NonNegative few) ->
      let tags = take (few `mod` 5) (tail (iterate (bytesOf . hmac k secret) m))
       in hmacChain k secret (length tags) m === B.concat tags
  , testCase "a chain of no tags is empty" $ map (\n -> hmacChain k B.empty n B.empty) [0, -1] @?= [B.empty, B.empty]
  ]
    ++ [ testProperty "mac is hash with a key" $ \secret (Pieces parts) ->
          let m = B.concat parts
              viaParams = MAC <$> hashWith defaults {key = secret} m
           in conjoin
                [ isLeft viaParams === (B.length secret > outputLength defaults)
                , if B.null secret
                    then property (isLeft (macOf secret m) && isLeft (macOfLazy secret (L.fromChunks parts)))
                    else
                      conjoin
                        [ shown (macOf secret m) === shown viaParams
                        , shown (macOfLazy secret (L.fromChunks parts)) === shown viaParams
                        ]
                ]
       | (Just macOf, Just macOfLazy, Just (defaults, hashWith)) <- [(mac k, macLazy k, params k)]
       ]
    ++ [ testCase "mac has no empty key, and a hash none at all" $ do
          isLeft (macOf B.empty B.empty) @? "strict"
          isLeft (macOfLazy B.empty L.empty) @? "lazy"
          not (isLeft (hashWith defaults B.empty)) @? "without a key"
       | (Just macOf, Just macOfLazy, Just (defaults, hashWith)) <- [(mac k, macLazy k, params k)]
       ]
  where
    f = function k
    h = hash f 0
    bytesOf (MAC tag) = tag

shown :: Either Error a -> Either String a
shown = either (Left . show) Right

ofMac :: [TestTree]
ofMac =
  [ testProperty "equal as their bytes are" $ \a b -> (MAC a == MAC b) === (a == b)
  , testProperty "equal to itself" $ \a -> MAC a === MAC (B.copy a)
  , testProperty "one bit differs" $ \a (NonNegative at) bit ->
      not (B.null a) ==> MAC a /= MAC (flipBit at bit a)
  , testProperty "shown as its bytes are" $ \a -> show (MAC a) === show a
  ]

errors :: [TestTree]
errors =
  [ testProperty "BLAKE2b has outputs of 1 to 64 bytes" $ \len ->
      isLeft (BLAKE2b.initWith BLAKE2b.defaults {outputLength = len}) === (len < 1 || len > 64)
  , testCase "BLAKE2Xs has outputs of 1 to 65,534 bytes" $
      map (\len -> (B.length <$> BLAKE2Xs.hash len B.empty) `elem` [Right len]) [-1, 0, 1, 65534, 65535, maxBound]
        @?= [False, False, True, True, False, False]
  , testProperty "TurboSHAKE has domains 1 to 127" $ \domain ->
      isLeft (TurboSHAKE128.initDomain domain) === (domain < 1 || domain > 127)
  , testCase "Ascon-CXOF128 has customization strings of up to 256 bytes" $ do
      map (\len -> isLeft (AsconCXOF128.init (B.replicate len 1))) [0, 256, 257] @?= [False, False, True]
      either show (const "") (AsconCXOF128.hash (B.replicate 257 1) 32 B.empty)
        @?= "the customization string of Ascon-CXOF128 has at most 256 bytes"
  , testCase "Ascon-CXOF128 takes messages of bits" $ do
      Right begun <- pure (AsconCXOF128.init (B.pack [0x62, 0x69, 0x74, 0x73]))
      let finish = AsconCXOF128.finalizeBits 8 (AsconCXOF128.update begun (B.pack [0x61, 0x62, 0x63]))
      shown (finish 0xF5 5) @?= Right (B.pack [0xab, 0x5f, 0x11, 0xbe, 0x01, 0x5f, 0xd9, 0x47])
      map (isLeft . finish 0) [-1, 7, 8] @?= [True, False, True]
  , testProperty "BLAKE3 has keys of 32 bytes" $ \(Message secret) ->
      isLeft (BLAKE3.initKeyed secret) === (B.length secret /= 32)
        .&&. not (isLeft (BLAKE3.initKeyed (B.take 32 (secret <> B.replicate 32 0))))
  , testCase "and says so" $
      either show (const "") (BLAKE3.initKeyed B.empty) @?= "the key does not have 32 bytes"
  , testProperty "BLAKE3's output from any byte on" $ \(Message m) (NonNegative (Small at)) ->
      let c = BLAKE3.update BLAKE3.init m
       in L.take 200 (BLAKE3.squeezeFrom (fromIntegral at) c) === L.take 200 (L.drop (fromIntegral (at :: Int)) (BLAKE3.squeeze c))
  , testCase "an error is a sentence" $
      either show (const "") (BLAKE2b.mac (B.replicate 65 0) B.empty)
        @?= "the key is longer than 64 bytes for BLAKE2b, 32 for BLAKE2s"
  , testCase "so is that of an empty key" $
      either show (const "") (BLAKE2b.mac B.empty B.empty) @?= "the key is empty"
  ]

-- | A timeout interrupts a pure computation, which continues when its value is needed later. Checks
-- that the value is right.
interrupted :: Assertion
interrupted = forM_ [1 .. 20 :: Int] $ \_ -> do
  let parts = replicate 500 (patterned 40000)
      whole = B.concat parts
      digests =
        [ SHA256.hash_lazy (L.fromChunks parts)
        , SHA256.hash whole
        , SHA256.finalize (SHA256.update_lazy SHA256.init (L.fromChunks parts))
        , last (SHA256.hashMany (parts ++ [whole]))
        ]
      tags = [SHA256.hmac_lazy key' (L.fromChunks parts), SHA256.hmac key' whole]
      key' = patterned 9
  forM_ digests (void . timeout 1000 . evaluate)
  forM_ tags (void . timeout 1000 . evaluate)
  let expected = foldl SHA256.update SHA256.init parts
  digests @?= replicate 4 (SHA256.finalize expected)
  tags @?= replicate 2 (SHA256.hmac_lazy key' (L.fromChunks (B.empty : parts)))
