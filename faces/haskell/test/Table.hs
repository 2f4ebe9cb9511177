{-# LANGUAGE CPP #-}

-- | All modules in one form, for tests that apply to all of them.
module Table
  ( Function (..)
  , Keyed (..)
  , Tree
  , functions
  , keyed
  ) where

import Crypto.Hash.BLAKE2b (Node (..), Params (..))
import qualified Crypto.Hash.BLAKE2b as BLAKE2b
import qualified Crypto.Hash.BLAKE2bp as BLAKE2bp
import qualified Crypto.Hash.BLAKE2s as BLAKE2s
import qualified Crypto.Hash.BLAKE2sp as BLAKE2sp
import qualified Crypto.Hash.BLAKE3 as BLAKE3
import qualified Crypto.Hash.Keccak256 as Keccak256
import qualified Crypto.Hash.SHA224 as SHA224
import Crypto.Hash.SHA256 (Error, MAC (..))
import qualified Crypto.Hash.SHA256 as SHA256
import qualified Crypto.Hash.SHA384 as SHA384
import qualified Crypto.Hash.SHA3_224 as SHA3_224
import qualified Crypto.Hash.SHA3_256 as SHA3_256
import qualified Crypto.Hash.SHA3_384 as SHA3_384
import qualified Crypto.Hash.SHA3_512 as SHA3_512
import qualified Crypto.Hash.SHA512 as SHA512
import qualified Crypto.Hash.SHA512_224 as SHA512_224
import qualified Crypto.Hash.SHA512_256 as SHA512_256
import qualified Crypto.Hash.SHAKE128 as SHAKE128
import qualified Crypto.Hash.SHAKE256 as SHAKE256
import qualified Crypto.Hash.TurboSHAKE128 as TurboSHAKE128
import qualified Crypto.Hash.TurboSHAKE256 as TurboSHAKE256
import Data.ByteString (ByteString)
import qualified Data.ByteString as B
import qualified Data.ByteString.Lazy as L
import Data.Word (Word8)

-- | The functions that every module has. An 'Int' before the message is the length of the output,
-- which only XOFs use.
data Function = Function
  { name :: String
  , lengthOf :: Maybe Int
  -- ^ The only length of the output; 'Nothing' for an XOF.
  , hash :: Int -> ByteString -> ByteString
  , hashLazy :: Int -> L.ByteString -> ByteString
  , hashMany :: Int -> [ByteString] -> [ByteString]
  , pieces :: Int -> [ByteString] -> ByteString
  , piecesLazy :: Int -> [L.ByteString] -> ByteString
  , bits :: Maybe (Int -> ByteString -> Word8 -> Int -> Either Error ByteString)
  , squeezed :: Maybe (ByteString -> L.ByteString)
  , inDomain :: Maybe (Word8 -> ByteString -> Either Error L.ByteString)
  , stateAfter :: ByteString -> ByteString
  , resumed :: Int -> ByteString -> ByteString -> Either Error ByteString
  -- ^ Continues from an exported state with the rest of the message.
  }

type Tree = Params -> Node -> ByteString -> Either Error ByteString

-- | The functions that only the modules of fixed output length have.
data Keyed = Keyed
  { function :: Function
  , hmac :: ByteString -> ByteString -> MAC
  , hmacLazy :: ByteString -> L.ByteString -> MAC
  , hmacMany :: ByteString -> [ByteString] -> [MAC]
  , hmacWith :: ByteString -> ByteString -> MAC
  , hmacPieces :: ByteString -> [ByteString] -> L.ByteString -> ByteString -> [MAC]
  -- ^ HMAC of strict parts, lazy parts, and an end, which is absorbed in both possible ways.
  , hmacChain :: ByteString -> Int -> ByteString -> ByteString
  , mac :: Maybe (ByteString -> ByteString -> Either Error MAC)
  , macLazy :: Maybe (ByteString -> L.ByteString -> Either Error MAC)
  , params :: Maybe (Params, Params -> ByteString -> Either Error ByteString)
  -- ^ The default parameters, and the hash of a message with given ones.
  , node :: Maybe Tree
  }

#define FIXED(M, n) \
  Function \
    { name = n \
    , lengthOf = Just (B.length (M.hash B.empty)) \
    , hash = const M.hash \
    , hashLazy = const M.hash_lazy \
    , hashMany = const M.hashMany \
    , pieces = const (M.finalize . foldl M.update M.init) \
    , piecesLazy = const (M.finalize . foldl M.update_lazy M.init) \
    , bits = Nothing \
    , squeezed = Nothing \
    , inDomain = Nothing \
    , stateAfter = M.exportState . M.update M.init \
    , resumed = \_ state rest -> (\c -> M.finalize (M.update c rest)) <$> M.importState state \
    }

#define KEYED(M, f) \
  Keyed \
    { function = f \
    , hmac = M.hmac \
    , hmacLazy = M.hmac_lazy \
    , hmacMany = M.hmacMany \
    , hmacWith = \secret -> M.hmacWith (M.hmacInit secret) \
    , hmacPieces = \secret parts others end -> \
        let key' = M.hmacUpdate_lazy (foldl M.hmacUpdate (M.hmacInit secret) parts) others \
         in [M.hmacFinalize (M.hmacUpdate key' end), M.hmacWith key' end] \
    , hmacChain = M.hmacChain . M.hmacInit \
    , mac = Nothing \
    , macLazy = Nothing \
    , params = Nothing \
    , node = Nothing \
    }

#define DIGEST(M, n) \
  KEYED(M, FIXED(M, n) {bits = Just (const (M.finalizeBits . M.update M.init))})

#define BLAKE2(M, n) \
  KEYED(M, FIXED(M, n)) \
    { mac = Just M.mac \
    , macLazy = Just M.mac_lazy \
    , params = Just (M.defaults, \p message -> M.finalize . flip M.update message <$> M.initWith p) \
    }

#define XOF(M, n) \
  Function \
    { name = n \
    , lengthOf = Nothing \
    , hash = M.hash \
    , hashLazy = M.hash_lazy \
    , hashMany = M.hashMany \
    , pieces = \len -> M.finalize len . foldl M.update M.init \
    , piecesLazy = \len -> M.finalize len . foldl M.update_lazy M.init \
    , bits = Nothing \
    , squeezed = Just (M.squeeze . M.update M.init) \
    , inDomain = Nothing \
    , stateAfter = M.exportState . M.update M.init \
    , resumed = \len state rest -> (\c -> M.finalize len (M.update c rest)) <$> M.importState state \
    }

#define SHAKE(M, n) \
  XOF(M, n) {bits = Just (\len -> M.finalizeBits len . M.update M.init)}

#define TURBO(M, n) \
  XOF(M, n) {inDomain = Just (\d message -> M.squeeze . flip M.update message <$> M.initDomain d)}

keyed :: [Keyed]
keyed =
  [ DIGEST(SHA224, "SHA-224")
  , DIGEST(SHA256, "SHA-256")
  , DIGEST(SHA384, "SHA-384")
  , DIGEST(SHA512, "SHA-512")
  , DIGEST(SHA512_224, "SHA-512/224")
  , DIGEST(SHA512_256, "SHA-512/256")
  , DIGEST(SHA3_224, "SHA3-224")
  , DIGEST(SHA3_256, "SHA3-256")
  , DIGEST(SHA3_384, "SHA3-384")
  , DIGEST(SHA3_512, "SHA3-512")
  , DIGEST(Keccak256, "Keccak-256")
  , BLAKE2(BLAKE2b, "BLAKE2b")
      {node = Just (\p n m -> BLAKE2b.finalize . flip BLAKE2b.update m <$> BLAKE2b.initNode p n)}
  , BLAKE2(BLAKE2s, "BLAKE2s")
      {node = Just (\p n m -> BLAKE2s.finalize . flip BLAKE2s.update m <$> BLAKE2s.initNode p n)}
  , BLAKE2(BLAKE2bp, "BLAKE2bp")
  , BLAKE2(BLAKE2sp, "BLAKE2sp")
  ]

functions :: [Function]
functions =
  map function keyed
    ++ [ SHAKE(SHAKE128, "SHAKE128")
       , SHAKE(SHAKE256, "SHAKE256")
       , TURBO(TurboSHAKE128, "TurboSHAKE128")
       , TURBO(TurboSHAKE256, "TurboSHAKE256")
       , XOF(BLAKE3, "BLAKE3")
       ]
