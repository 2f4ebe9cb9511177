module Main (main) where

import qualified Properties
import System.FilePath ((</>))
import Test.Tasty
import qualified Vectors

main :: IO ()
main = do
  let root = ".." </> ".."
  own <- mapM Vectors.own [root </> "vectors", root </> "vectors" </> "verify"]
  wycheproof <- Vectors.wycheproof (root </> ".." </> "shared" </> "vectors" </> "wycheproof")
  defaultMain (testGroup "hashmill" (own ++ [wycheproof, Properties.all]))
