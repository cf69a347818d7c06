/// The order of names by their UTF-8 bytes, in which Core Data sorts what it hashes.
///
/// Swift's own `<` compares by canonical equivalence and is another order outside of ASCII.
package enum ByteOrder {
  /// Returns whether the first name's bytes come before the second's.
  package static func precedes(_ first: String, _ second: String) -> Bool {
    first.utf8.lexicographicallyPrecedes(second.utf8)
  }
}
