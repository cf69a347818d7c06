internal import ObjectModel

/// The pieces of a SARIF log that are computed rather than copied.
enum SARIFPrint {
  /// Returns a key that identifies a finding, independent of its line and wording.
  ///
  /// It serves only to compare two runs, so 16 digits are enough.
  static func identity(of finding: Finding) -> String {
    let place = finding.place
    let parts = [
      finding.code.rawValue, place.version ?? "", place.entity ?? "", place.property ?? "",
      place.file ?? "",
    ]
    // No name holds a zero.
    let digest = SHA256.hash(Array(parts.joined(separator: "\0").utf8))
    return String(Hexadecimal.string(digest).prefix(16))
  }

  /// Returns a file as a URI: below the repository, or absolute.
  static func artifact(_ path: String) -> [String: String] {
    guard !path.hasPrefix("/") else { return ["uri": "file://" + percentEncoded(path)] }
    // A colon in the first component would make the text before it a scheme (RFC 3986, 4.2).
    return ["uri": percentEncoded(path), "uriBaseId": "%SRCROOT%"]
  }

  /// Returns a path with all but unreserved characters and slashes percent-encoded (RFC 3986, 2.3).
  static func percentEncoded(_ path: String) -> String {
    var result = ""
    for byte in path.utf8 {
      switch byte {
      case UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "a")...UInt8(ascii: "z"),
        UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."),
        UInt8(ascii: "_"), UInt8(ascii: "~"), UInt8(ascii: "/"):
        result.unicodeScalars.append(Unicode.Scalar(byte))
      default: result += "%" + Hexadecimal.string([byte]).uppercased()
      }
    }
    return result
  }

  /// Returns the name of a case as that of a type: `attributeDropped` as `AttributeDropped`.
  static func pascalCase(_ name: String) -> String {
    name.prefix(1).uppercased() + name.dropFirst()
  }
}
