/// A stand-in for the package `bench` of mops, for the tests here, which do not use mops. It
/// declares the functions that a benchmark calls.

module {
  public class Bench() {
    public func name(_ : Text) {};
    public func description(_ : Text) {};
    public func rows(_ : [Text]) {};
    public func cols(_ : [Text]) {};
    public func runner(_ : (row : Text, col : Text) -> ()) {};
  };
}
