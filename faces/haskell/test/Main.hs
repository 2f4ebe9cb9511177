module Main (main) where

import qualified Properties
import System.FilePath ((</>))
import Test.Tasty
import qualified Vectors

main :: IO ()
main = do
  own <- Vectors.own ("test" </> "vectors")
  wycheproof <- Vectors.wycheproof (".." </> ".." </> ".." </> "shared" </> "vectors" </> "wycheproof")
  defaultMain (testGroup "hashmill" [own, wycheproof, Properties.all])
