/// The interface of mops' package `bench`, for the tests here, which do not use mops: what a
/// benchmark calls.

module {
  public class Bench() {
    public func name(_ : Text) {};
    public func description(_ : Text) {};
    public func rows(_ : [Text]) {};
    public func cols(_ : [Text]) {};
    public func runner(_ : (row : Text, col : Text) -> ()) {};
  };
}
