{-# LANGUAGE OverloadedStrings #-}

-- | Tests with published and computed answers: those of the project in @vectors/@, and those of
-- Wycheproof if they are installed.
module Vectors (own, wycheproof) where

import Codec.Compression.GZip (decompress)
import Control.Applicative ((<|>))
import Control.Monad (when)
import qualified Crypto.Hash.AsconCXOF128 as AsconCXOF128
import Crypto.Hash.BLAKE2b (Node (..), Params (..), sequential)
import qualified Crypto.Hash.BLAKE2Xb as BLAKE2Xb
import qualified Crypto.Hash.BLAKE2Xs as BLAKE2Xs
import qualified Crypto.Hash.BLAKE3 as BLAKE3
import Crypto.Hash.SHA256 (Error, MAC (..))
import Data.Aeson hiding (Error)
import Data.Aeson.KeyMap (member)
import Data.Aeson.Types (Parser, parseEither)
import Data.ByteString (ByteString)
import qualified Data.ByteString as B
import qualified Data.ByteString.Base16 as Base16
import qualified Data.ByteString.Lazy as L
import Data.List (isPrefixOf, isSuffixOf, sort, stripPrefix)
import qualified Data.Text.Encoding as T
import Data.Word (Word8)
import System.Directory (doesDirectoryExist, listDirectory)
import System.FilePath ((</>))
import Table
import Test.Tasty
import Test.Tasty.HUnit

-- The project's own ----------------------------------------------------------

own :: FilePath -> IO TestTree
own folder = do
  files <- filter (".json" `isSuffixOf`) . sort <$> listDirectory folder
  testGroup "vectors" <$> mapM (ownFile folder) files

ownFile :: FilePath -> FilePath -> IO TestTree
ownFile folder file = do
  Answers answers <- either fail pure . eitherDecode =<< L.readFile (folder </> file)
  pure $ testCase (file ++ ": " ++ show (length answers) ++ " answers") $ do
    assertBool "no answers" (not (null answers))
    mapM_ check answers

newtype Answers = Answers [Answer]

instance FromJSON Answers where
  parseJSON = withObject "answers" $ \o ->
    Answers <$> ((++) <$> o .: "published" <*> o .: "computed")

data Answer = Answer
  { algorithm :: String
  , message :: ByteString
  , more :: Maybe (Word8, Int)
  -- ^ A byte, and how many of its bits follow the message.
  , output :: ByteString
  , skip :: Int
  , domain :: Maybe Word8
  , keyOf :: Maybe ByteString
  , contextOf :: Maybe ByteString
  , customizationOf :: Maybe ByteString
  , paramsOf :: Maybe Object
  , validOf :: Bool
  -- ^ Whether the output is a valid tag.
  }

instance FromJSON Answer where
  parseJSON = withObject "answer" $ \o -> do
    m <- o .: "message"
    lastByte <- m .:? "last"
    count <- m .:? "bits"
    Answer
      <$> o .: "algorithm"
      <*> bytes (Object m)
      <*> traverse (\(hex, n) -> flip (,) n . B.head <$> digits hex) ((,) <$> lastByte <*> count)
      <*> (digits =<< o .: "output")
      <*> o .:? "skip" .!= 0
      <*> o .:? "domain"
      <*> (traverse bytes =<< o .:? "key")
      <*> (traverse bytes =<< o .:? "context")
      <*> (traverse bytes =<< o .:? "customization")
      <*> o .:? "params"
      <*> o .:? "valid" .!= True

-- | Reads a byte string in the format that @vectors/README.md@ defines.
bytes :: Value -> Parser ByteString
bytes = withObject "bytes" $ \o -> pattern o <|> hexadecimal o
  where
    pattern o = do
      len <- o .: "ptn"
      pure (B.pack [fromIntegral (i `mod` 251) | i <- [0 .. len - 1 :: Int]])
    hexadecimal o = do
      part <- digits =<< o .: "hex"
      times <- o .:? "repeat" .!= 1
      pure (B.concat (replicate times part))

digits :: Value -> Parser ByteString
digits = withText "hexadecimal" $ either fail pure . Base16.decode . T.encodeUtf8

-- | Checks that every function that can compute the answer does so.
check :: Answer -> Assertion
check a = case stripPrefix "HMAC-" (algorithm a) of
  Just hashName -> checkHmac a =<< entry (name . function) hashName keyed
  Nothing | Just secret' <- keyOf a -> either (assertFailure . show) (checkBlake3 a) (BLAKE3.initKeyed secret')
  Nothing | Just context <- contextOf a -> checkBlake3 a (BLAKE3.initDeriveKey (T.decodeUtf8 context))
  Nothing | Just custom <- customizationOf a -> checkCustomized a custom
  Nothing -> case (more a, paramsOf a, domain a) of
    (_, Just given, _) | "BLAKE2X" `isPrefixOf` algorithm a -> checkExtended a given
    (Just (lastByte, count), _, _) -> checkBits a lastByte count =<< entry name (algorithm a) functions
    (_, Just given, _) -> checkParams a given =<< entry (name . function) (algorithm a) keyed
    (_, _, Just byte) | byte /= 0x1F -> checkDomain a byte =<< entry name (algorithm a) functions
    _ -> checkPlain a =<< entry name (algorithm a) functions

entry :: (a -> String) -> String -> [a] -> IO a
entry nameOf wanted table = case filter ((== wanted) . nameOf) table of
  [found] -> pure found
  _ -> assertFailure ("no module for " ++ wanted)

-- | The length of an output that ends with the answer.
lengthFor :: Answer -> Int
lengthFor a = skip a + B.length (output a)

checkPlain :: Answer -> Function -> Assertion
checkPlain a f = do
  mapM_ (@?= lengthFor a) (lengthOf f)
  mapM_ (\squeeze -> window a (squeeze (message a)) @?= output a) (squeezed f)
  mapM_ (\squeeze -> (window a <$> squeeze 0x1F (message a)) `gives` output a) (inDomain f)
  mapM_ ((@?= output a) . B.drop (skip a)) $
    [ hash f (lengthFor a) (message a)
    , hashLazy f (lengthFor a) (chunks 100 (message a))
    , pieces f (lengthFor a) [message a]
    ]
      ++ hashMany f (lengthFor a) [message a]

-- | Checks an output of BLAKE3 with a key or with a context.
checkBlake3 :: Answer -> BLAKE3.Context -> Assertion
checkBlake3 a start = do
  B.drop (skip a) (BLAKE3.finalize (lengthFor a) whole) @?= output a
  window a (BLAKE3.squeeze whole) @?= output a
  window a {skip = 0} (BLAKE3.squeezeFrom (fromIntegral (skip a)) whole) @?= output a
  (B.drop (skip a) . BLAKE3.finalize (lengthFor a) . rest <$> BLAKE3.importState (BLAKE3.exportState begun))
    `gives` output a
  where
    (first, second) = B.splitAt (B.length (message a) * 2 `div` 3) (message a)
    begun = BLAKE3.update start first
    rest context = BLAKE3.update_lazy context (chunks 1500 second)
    whole = rest begun

-- | Checks an output of Ascon-CXOF128.
checkCustomized :: Answer -> ByteString -> Assertion
checkCustomized a custom = do
  AsconCXOF128.hash custom (lengthFor a) (message a) `gives` output a
  AsconCXOF128.hash_lazy custom (lengthFor a) (chunks 5 (message a)) `gives` output a
  begun <- either (assertFailure . show) (pure . flip AsconCXOF128.update first) (AsconCXOF128.init custom)
  window a (AsconCXOF128.squeeze (AsconCXOF128.update begun second)) @?= output a
  (AsconCXOF128.finalize (lengthFor a) . flip AsconCXOF128.update second <$> AsconCXOF128.importState (AsconCXOF128.exportState begun))
    `gives` output a
  where
    (first, second) = B.splitAt (B.length (message a) * 2 `div` 3) (message a)

checkBits :: Answer -> Word8 -> Int -> Function -> Assertion
checkBits a lastByte count f = do
  Just finalizeBits <- pure (bits f)
  finalizeBits (lengthFor a) (message a) lastByte count `gives` output a

checkDomain :: Answer -> Word8 -> Function -> Assertion
checkDomain a byte f = do
  Just squeeze <- pure (inDomain f)
  (window a <$> squeeze byte (message a)) `gives` output a

window :: Answer -> L.ByteString -> ByteString
window a = L.toStrict . L.take (fromIntegral (B.length (output a))) . L.drop (fromIntegral (skip a))

checkHmac :: Answer -> Keyed -> Assertion
checkHmac a k = do
  Just key' <- pure (keyOf a)
  let tags = hmac k key' (message a) : hmacLazy k key' (chunks 100 (message a)) : hmacMany k key' [message a]
  mapM_ (\(MAC whole) -> (MAC (B.take (B.length (output a)) whole) == MAC (output a)) @?= validOf a) tags

checkParams :: Answer -> Object -> Keyed -> Assertion
checkParams a given k = do
  Just (defaults, hashWith) <- pure (params k)
  (p, tree) <- either fail pure (parseEither (parameters defaults) given)
  case (tree, node k) of
    (Just n, Just hashNode) -> hashNode p n (message a) `gives` output a
    (Just _, Nothing) -> assertFailure (algorithm a ++ " has no trees")
    (Nothing, _) -> hashWith p (message a) `gives` output a

-- | Checks an output of BLAKE2X, with the length that the parameters have, or of unknown length.
checkExtended :: Answer -> Object -> Assertion
checkExtended a given = do
  (p, _) <- either fail pure (parseEither (parameters BLAKE2Xb.defaults {outputLength = 0}) given)
  let (hashWith, squeezeWith, hashPlain) = case algorithm a of
        "BLAKE2Xb" -> (BLAKE2Xb.hashWith, BLAKE2Xb.squeezeWith, BLAKE2Xb.hash)
        _ -> (BLAKE2Xs.hashWith, BLAKE2Xs.squeezeWith, BLAKE2Xs.hash)
      parts = chunks 100 (message a)
  if outputLength p == 0
    then (window a <$> squeezeWith p parts) `gives` output a
    else do
      (window a . L.fromStrict <$> hashWith p parts) `gives` output a
      when (all B.null [key p, salt p, personal p]) $
        (window a . L.fromStrict <$> hashPlain (outputLength p) (message a)) `gives` output a

-- | Reads the parameters, and those of a node if there are any.
parameters :: Params -> Object -> Parser (Params, Maybe Node)
parameters defaults o = do
  let bytesAt field = traverse bytes =<< o .:? field
  p <- Params <$> o .:? "output_len" .!= outputLength defaults
    <*> bytesAt "key" .!= B.empty
    <*> bytesAt "salt" .!= B.empty
    <*> bytesAt "personal" .!= B.empty
  n <- Node <$> o .:? "fanout" .!= fanout sequential
    <*> o .:? "max_depth" .!= maxDepth sequential
    <*> o .:? "leaf_len" .!= leafLength sequential
    <*> (maybe 0 read <$> o .:? "node_offset")
    <*> o .:? "node_depth" .!= nodeDepth sequential
    <*> o .:? "inner_len" .!= innerLength sequential
    <*> o .:? "last_node" .!= lastNode sequential
  let isNode = any (`member` o) ["fanout", "max_depth", "leaf_len", "node_offset", "node_depth", "inner_len", "last_node"]
  pure (p, if isNode then Just n else Nothing)

gives :: Either Error ByteString -> ByteString -> Assertion
result `gives` expected = either (assertFailure . show) (@?= expected) result

chunks :: Int -> ByteString -> L.ByteString
chunks size = L.fromChunks . go
  where
    go rest
      | B.null rest = []
      | otherwise = case B.splitAt size rest of (chunk, others) -> chunk : go others

-- Wycheproof -----------------------------------------------------------------

wycheproof :: FilePath -> IO TestTree
wycheproof folder = do
  present <- doesDirectoryExist folder
  if present
    then do
      files <- filter (\file -> "hmac_" `isPrefixOf` file) . sort <$> listDirectory folder
      testGroup "Wycheproof" <$> mapM (wycheproofFile folder) files
    else do
      putStrLn ("left out: Wycheproof, for there is no " ++ folder)
      pure $ testGroup "Wycheproof: left out" []

wycheproofFile :: FilePath -> FilePath -> IO TestTree
wycheproofFile folder file = do
  Tags hashName tags <- either fail pure . eitherDecode . decompress =<< L.readFile (folder </> file)
  pure $ testCase (file ++ ": " ++ show (length tags) ++ " tags") $ do
    assertBool "no tags" (not (null tags))
    k <- entry (unpunctuated . name . function) (unpunctuated hashName) keyed
    mapM_ (checkTag k) tags

checkTag :: Keyed -> Tag -> Assertion
checkTag k t = do
  let MAC whole = hmac k (secret t) (text t)
      lazily = hmacLazy k (secret t) (chunks 7 (text t))
  (MAC (B.take (B.length (tag t)) whole) == MAC (tag t)) @?= valid t
  lazily == MAC whole @? "lazy = strict"

-- | Removes the punctuation of a name, because Wycheproof writes SHA512/256 for SHA-512/256.
unpunctuated :: String -> String
unpunctuated = filter (`notElem` ['-', '/'])

data Tags = Tags String [Tag]

instance FromJSON Tags where
  parseJSON = withObject "tags" $ \o -> do
    groups <- o .: "testGroups"
    hmacName <- o .: "algorithm"
    Just hashName <- pure (stripPrefix "HMAC" hmacName)
    Tags hashName . concat <$> mapM (.: "tests") (groups :: [Object])

data Tag = Tag {secret :: ByteString, text :: ByteString, tag :: ByteString, valid :: Bool}

instance FromJSON Tag where
  parseJSON = withObject "tag" $ \o ->
    Tag
      <$> (digits =<< o .: "key")
      <*> (digits =<< o .: "msg")
      <*> (digits =<< o .: "tag")
      <*> ((== ("valid" :: String)) <$> o .: "result")
