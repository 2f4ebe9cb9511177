module Main (main) where

import qualified Newcomers
import qualified Properties
import System.FilePath ((</>))
import Test.Tasty
import qualified Vectors

main :: IO ()
main = do
  own <- mapM Vectors.own ["test" </> "vectors", "test" </> "vectors" </> "verify"]
  wycheproof <- Vectors.wycheproof (".." </> ".." </> ".." </> "shared" </> "vectors" </> "wycheproof")
  defaultMain (testGroup "hashmill" (own ++ [wycheproof, Properties.all, Newcomers.all]))
