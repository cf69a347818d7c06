internal import ObjectModel

extension EntityReader {
  /// Returns the default of `= UUID()`, which the framework makes anew with each start: one made of the
  /// property's name, so that the version is the same whenever it is read.
  func newIdentifier(
    _ property: PropertyDeclaration,
    _ type: AttributeType
  ) -> AttributeValue? {
    guard type == .uuid, case .call(let callee, let arguments)? = property.value, arguments.isEmpty,
      callee == .reference(["UUID"]) || callee == .reference(["UUID", "init"])
        || callee == .member(["init"])
    else { return nil }
    var bytes = Array(SHA256.hash(Array("\(draft.type.name).\(property.name)".utf8)).prefix(16))
    // Version 4, and the variant of RFC 4122.
    bytes[6] = bytes[6] & 0x0f | 0x40
    bytes[8] = bytes[8] & 0x3f | 0x80
    return .uuid(bytes)
  }

  /// Returns the spelling of an initial value, which differs where values may.
  static func spelling(_ value: SourceExpression, of property: PropertyDeclaration)
    -> String
  {
    let text = String(reflecting: value)
    return text.contains(SourceExpression.long) ? "\(text) at \(property.place)" : text
  }
}
