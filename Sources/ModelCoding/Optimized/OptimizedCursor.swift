/// A place in an optimized model, from which big-endian numbers are read.
///
/// Never traps: what lies beyond the end, or is no number that fits, is an error.
struct OptimizedCursor {
  let bytes: [UInt8]
  private(set) var offset: Int

  init(_ bytes: [UInt8], at offset: Int) throws(ModelCodingError) {
    guard offset >= 0, offset <= bytes.count else { throw .damaged("A part begins beyond it.") }
    self.bytes = bytes
    self.offset = offset
  }

  /// The next 32 bits.
  mutating func word() throws(ModelCodingError) -> Int {
    try take(4).reduce(0) { $0 << 8 | Int($1) }
  }

  mutating func words(_ count: Int) throws(ModelCodingError) -> [Int] {
    guard count <= (bytes.count - offset) / 4 else { throw .damaged("A record ends beyond it.") }
    var words: [Int] = []
    for _ in 0..<max(0, count) { words.append(try word()) }
    return words
  }

  /// The next 64 bits, of which the upper half is empty.
  mutating func wide() throws(ModelCodingError) -> Int {
    try expectZeros(1)
    return try word()
  }

  mutating func take(_ count: Int) throws(ModelCodingError) -> ArraySlice<UInt8> {
    guard count >= 0, count <= bytes.count - offset else {
      throw .damaged("It ends before its contents do.")
    }
    defer { offset += count }
    return bytes[offset..<(offset + count)]
  }

  mutating func align(to width: Int) throws(ModelCodingError) {
    let rest = offset % width
    if rest != 0 { _ = try take(width - rest) }
  }

  /// Passes over words that were empty in all files measured.
  mutating func expectZeros(_ count: Int) throws(ModelCodingError) {
    for _ in 0..<count where try word() != 0 {
      throw .unknownForm("it says something where others are empty, at byte \(offset - 4)")
    }
  }

  mutating func expect(_ number: Int) throws(ModelCodingError) {
    let found = try word()
    guard found == number else {
      throw .unknownForm("it has \(found) where others have \(number), at byte \(offset - 4)")
    }
  }
}

extension ModelCodingError {
  private static let originalRecovery =
    "Put the .mom of the same name beside it; every build makes both."

  static func damaged(_ reason: String) -> ModelCodingError {
    ModelCodingError(
      .damagedArchive,
      "The optimized model is damaged. \(reason)",
      recovery: originalRecovery
    )
  }

  /// A form that was not measured: refused, because its meaning could only be guessed.
  static func unknownForm(_ reason: String) -> ModelCodingError {
    ModelCodingError(
      .unsupported,
      "The optimized model has a form that is not known: \(reason).",
      recovery: originalRecovery
    )
  }
}
