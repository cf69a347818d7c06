internal import PropertyLists

/// A collection without elements: the default of a transformable attribute that SwiftData makes of a Swift array
/// or dictionary.
///
/// A store keeps it as `NSSecureUnarchiveFromData` writes it, in a keyed archive (Apple's documentation of
/// `NSSecureUnarchiveFromDataTransformer`).
package enum EmptyCollection: CaseIterable, Sendable {
  /// `[]`.
  case array
  /// `[:]`.
  case dictionary

  /// The collection that a value is; nil for another value.
  package init?(_ value: AttributeValue) {
    guard let own = Self.allCases.first(where: { $0.value == value }) else { return nil }
    self = own
  }

  /// The bytes in a store.
  package var value: AttributeValue {
    switch self {
    case .array: Self.emptyArray
    case .dictionary: Self.emptyDictionary
    }
  }

  /// The literal in Swift.
  package var literal: String {
    switch self {
    case .array: "[]"
    case .dictionary: "[:]"
    }
  }

  private static let emptyArray = archived { $0.array([]) }
  private static let emptyDictionary = archived { $0.dictionary([]) }

  private static func archived(
    _ root: (inout KeyedArchiveWriter) -> KeyedArchiveWriter.Reference
  ) -> AttributeValue {
    var writer = KeyedArchiveWriter()
    let reference = root(&writer)
    return .binary(writer.archive(root: reference))
  }
}
