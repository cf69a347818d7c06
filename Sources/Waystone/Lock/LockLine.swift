private import Foundation
internal import ObjectModel

/// A line of a lock: `{"digest":"…","entity":{…}}`, with a digest of the bytes within the inner braces.
struct LockLine {
  enum Kind: String, CaseIterable {
    case entity
    case version
  }

  let kind: Kind
  /// Twelve hexadecimal digits; a version names its entities by theirs.
  let digest: String
  private let content: Data

  /// Makes the line of an entity's outline or of a ``LockedVersion``.
  init(_ kind: Kind, _ value: some Encodable) throws {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    self.kind = kind
    content = try encoder.encode(value)
    digest = Self.digest(of: content)
  }

  /// A line of a file; nil where it is of another form.
  init?(_ line: ArraySlice<UInt8>) {
    let start = Self.opening.utf8.count
    let digits = line.dropFirst(start).prefix(Self.digestLength)
    let rest = line.dropFirst(start + Self.digestLength)
    let kind = Kind.allCases.first { rest.starts(with: Self.separator($0).utf8) }
    guard line.starts(with: Self.opening.utf8), let kind, rest.last == UInt8(ascii: "}")
    else { return nil }
    self.kind = kind
    digest = String(decoding: digits, as: UTF8.self)
    content = Data(rest.dropFirst(Self.separator(kind).utf8.count).dropLast())
  }

  /// The line as the file has it, without its end.
  var text: String {
    Self.opening + digest + Self.separator(kind) + String(decoding: content, as: UTF8.self) + "}"
  }

  /// Whether the content is the one that the digest was made of.
  var isWhole: Bool { Self.digest(of: content) == digest }

  /// Decodes the content of the line; nil where it is of another type.
  func value<Value: Decodable>(as type: Value.Type) -> Value? {
    try? JSONDecoder().decode(type, from: content)
  }

  private static let opening = #"{"digest":""#
  private static let digestLength = 12

  private static func separator(_ kind: Kind) -> String { "\",\"\(kind.rawValue)\":" }

  private static func digest(of content: Data) -> String {
    String(Hexadecimal.string(SHA256.hash(Array(content))).prefix(digestLength))
  }
}

/// The encoded form of a version in its line.
struct LockedVersion: Codable {
  let model: String
  let name: String
  let checksum: String
  let after: [String]
  let remainder: String
  let entities: [String]
  let reasons: [String]
  let isRemoved: Bool

  init(_ version: LockFile.Version, _ digests: [String]) {
    model = version.modelName
    name = version.name
    checksum = version.checksum
    after = version.after
    remainder = version.remainder
    entities = digests
    reasons = version.reasons
    isRemoved = version.isRemoved
  }
}
