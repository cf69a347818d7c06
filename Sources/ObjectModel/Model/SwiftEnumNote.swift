/// The note of SwiftData in the user info of a composite attribute that represents a Swift enum.
///
/// Measured on stores of a public app: `EnumType` is true, and for an enum without raw values `enum`
/// lists the cases. A model keeps both as text; no version hash has them.
package enum SwiftEnumNote {
  /// The key that marks the attribute as an enum.
  package static let typeKey = "EnumType"
  /// The key of the list of cases.
  package static let casesKey = "enum"
  /// The text of true.
  package static let yes = "true"
  /// The character between the cases in the text of their list; no name of a case contains it.
  package static let separator: Character = ","
}

extension AttributeDescription {
  /// Whether SwiftData made the composite attribute of an enum.
  package var isOfSwiftEnum: Bool {
    attributeType == .composite && userInfo[SwiftEnumNote.typeKey] == SwiftEnumNote.yes
  }
}
