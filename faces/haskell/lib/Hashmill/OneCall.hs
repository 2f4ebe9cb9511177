-- | Hashing a message in one call.
module Hashmill.OneCall (fixed, extendable, hmac) where

import Data.ByteString (ByteString)
import qualified Data.ByteString as B
import qualified Data.ByteString.Internal as B (unsafeCreate)
import Hashmill.C
import Hashmill.MAC (MAC (..))

-- | Returns the digest, which has @width@ bytes.
fixed :: Int -> Call Fixed -> ByteString -> ByteString
fixed width call message =
  B.unsafeCreate width $ \out -> withBytes message $ \at len ->
    ok (pick (B.length message) call $ \f -> f at len out)
{-# INLINE fixed #-}

-- | Returns the first @width@ bytes of the output; none if @width@ is negative.
extendable :: Call Extendable -> Int -> ByteString -> ByteString
extendable call width message =
  B.unsafeCreate (max 0 width) $ \out -> withBytes message $ \at len ->
    ok (pick (max width (B.length message)) call $ \f -> f at len out (fromIntegral (max 0 width)))
{-# INLINE extendable #-}

-- | Returns the tag of a message with a key, which has @width@ bytes.
hmac :: Algorithm -> Int -> ByteString -> ByteString -> MAC
hmac algorithm width key message = MAC $
  B.unsafeCreate width $ \out ->
    withBytes key $ \atKey keyLen -> withBytes message $ \at len ->
      ok $ pick (B.length key + B.length message) hmacCall $ \f ->
        f algorithm atKey keyLen at len out (fromIntegral width)
{-# INLINE hmac #-}
