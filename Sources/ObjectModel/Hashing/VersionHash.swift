/// The 32-byte hash by which Core Data distinguishes two versions of an entity.
///
/// Counterpart of the values of `NSManagedObjectModel.entityVersionHashesByName`.
public struct VersionHash: Hashable, Sendable {
  private let first: UInt64
  private let second: UInt64
  private let third: UInt64
  private let fourth: UInt64

  /// The hash with these bytes, or nil unless there are exactly 32.
  public init?(_ bytes: some Collection<UInt8>) {
    guard bytes.count == 32 else { return nil }
    var words = SIMD4<UInt64>()
    var index = 0
    for byte in bytes {
      words[index / 8] = words[index / 8] << 8 | UInt64(byte)
      index += 1
    }
    (first, second, third, fourth) = (words[0], words[1], words[2], words[3])
  }

  /// The hash that 64 hexadecimal digits spell, or nil.
  public init?(hexadecimal: String) {
    guard let bytes = Hexadecimal.bytes(hexadecimal) else { return nil }
    self.init(bytes)
  }

  /// The 32 bytes, as in `NSStoreModelVersionHashes`.
  public var bytes: [UInt8] {
    [first, second, third, fourth].flatMap { word in
      stride(from: UInt64(56), through: 0, by: -8).map { UInt8(truncatingIfNeeded: word >> $0) }
    }
  }
}

extension VersionHash: CustomStringConvertible {
  /// 64 lowercase hexadecimal digits.
  public var description: String { Hexadecimal.string(bytes) }
}

extension VersionHash: Codable {
  /// Reads 64 hexadecimal digits.
  ///
  /// - Throws: `DecodingError` where they are none.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    guard let hash = VersionHash(hexadecimal: try container.decode(String.self)) else {
      throw DecodingError.dataCorruptedError(
        in: container,
        debugDescription: "A version hash has 64 hexadecimal digits."
      )
    }
    self = hash
  }

  /// Writes 64 hexadecimal digits.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(description)
  }
}
