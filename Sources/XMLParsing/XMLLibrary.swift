private import CLibXML2

/// The libxml2 that reads Xcode's files, and stores of the XML kind.
package enum XMLLibrary {
  /// The version of the libxml2 in use, such as "2.9.14".
  package static var version: String {
    let text = unsafe String(cString: waystone_libxml2_version())
    guard let number = Int(text.prefix { $0.isNumber }) else { return text }
    return "\(number / 10_000).\(number / 100 % 100).\(number % 100)"
  }
}
