/// The names that were given in one place, all of them different without regard to case.
struct UniqueNames {
  private var taken: Set<String> = []

  /// Returns a name, with a number behind it where one before is equal.
  mutating func name(for wanted: String) -> String {
    // A statement ends at the first NUL.
    let plain = wanted.replacing("\0", with: "\u{fffd}")
    var name = plain
    var number = 2
    while !taken.insert(name.lowercased()).inserted {
      name = "\(plain)_\(number)"
      number += 1
    }
    return name
  }

  /// Returns a name for a file: letters, digits and a few signs.
  mutating func file(for wanted: String) -> String {
    var plain = ""
    for scalar in wanted.unicodeScalars where plain.utf8.count < 150 {
      let isPlain =
        scalar.properties.isAlphabetic || ("0"..."9").contains(scalar)
        || "-_".unicodeScalars.contains(scalar)
      plain.unicodeScalars.append(isPlain ? scalar : "_")
    }
    return name(for: plain)
  }
}
