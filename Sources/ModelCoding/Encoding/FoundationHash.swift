/// The hash by which Apple's Foundation places strings in its dictionaries.
///
/// It is `CFHash` of a `CFString` on 64-bit systems, as the open-source CFString.c computes it. It
/// shows in the order in which archived dictionaries list their keys, and nowhere else.
package enum FoundationHash {
  /// Returns the hash of the text's UTF-16 code units.
  ///
  /// - Complexity: O(n) up to 96 units; of longer text, 96 units are read.
  package static func hash(_ text: String) -> UInt64 {
    let units = Array(text.utf16)
    var result = UInt64(units.count)
    if units.count <= 96 {
      mix(units[...], into: &result)
    } else {
      let middle = units.count / 2
      mix(units.prefix(32), into: &result)
      mix(units[(middle - 16)..<(middle + 16)], into: &result)
      mix(units.suffix(32), into: &result)
    }
    return result &+ result << UInt64(units.count & 31)
  }

  private static func mix(_ units: ArraySlice<UInt16>, into result: inout UInt64) {
    var rest = units
    while rest.count >= 4 {
      let four = rest.prefix(4).map { UInt64($0) }
      let low = four[2] &* 257 &+ four[3]
      let high = four[0] &* 16_974_593 &+ four[1] &* 66_049
      result = result &* 67_503_105 &+ high &+ low
      rest = rest.dropFirst(4)
    }
    for unit in rest { result = result &* 257 &+ UInt64(unit) }
  }
}
