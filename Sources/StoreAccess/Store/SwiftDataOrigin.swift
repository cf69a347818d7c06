package import ObjectModel

/// The evidence that SwiftData made a store.
///
/// Its stores are Core Data's, and no key of their metadata differs. But the model that a store carries was
/// made of Swift types, and shows it. Three marks are SwiftData's alone: the user info that it gives to
/// composite attributes that represent enums, the names of its indexes, and values whose class is a Swift
/// array. Without any of them, as where an app has plain properties alone, a store is only likely
/// SwiftData's: it has one version identifier of the form `1.0.0`, which SwiftData always writes and Xcode
/// never by itself, each class has the name of its entity or none, no stored fetch or configuration is
/// there, and the framework is one that has SwiftData. Measured on stores of two public apps.
package struct SwiftDataOrigin: Hashable, Sendable {
  /// A mark in the model that shows its origin.
  package enum Mark: String, Hashable, Sendable, CaseIterable {
    /// A composite attribute has the user info of an enum.
    case enums = "enums among its composites"
    /// An index has a name that SwiftData gives.
    case indexes = "indexes named SwiftDataIndexOn…"
    /// Values of an attribute are a Swift array.
    case arrays = "arrays of Swift"
    /// The version identifier and the classes are such as SwiftData gives.
    case identifier = "a version identifier such as 1.0.0"
  }

  /// The marks found, in the order of the cases.
  package let marks: [Mark]
  /// Whether nothing else makes such a store.
  package var isCertain: Bool { marks.contains { $0 != .identifier } }

  /// The first framework that was seen in a store of SwiftData is 1345, of iOS 17; those before
  /// iOS 17 are below 1300.
  private static let firstFramework: Int64 = 1_300

  /// Finds SwiftData's marks in the model that a store carries; nil where it has none.
  ///
  /// - Complexity: O(*p*) in the properties of the model.
  package init?(_ model: ManagedObjectModel, frameworkVersion: Int64?) {
    let attributes = model.entities.flatMap(\.attributes)
    var marks: [Mark] = []
    if attributes.contains(where: \.isOfSwiftEnum) { marks.append(.enums) }
    if model.entities.flatMap(\.indexes).contains(where: { $0.name.hasPrefix("SwiftDataIndexOn") })
    {
      marks.append(.indexes)
    }
    let isArray = { (attribute: AttributeDescription) in
      attribute.attributeValueClassName?.hasPrefix("Array<") == true
    }
    if attributes.contains(where: isArray) { marks.append(.arrays) }
    let isRecent = frameworkVersion.map { $0 >= Self.firstFramework } ?? false
    if isRecent, Self.isIdentified(model) { marks.append(.identifier) }
    guard !marks.isEmpty else { return nil }
    self.marks = marks
  }

  private static func isIdentified(_ model: ManagedObjectModel) -> Bool {
    guard model.versionIdentifiers.count == 1, let identifier = model.versionIdentifiers.first
    else { return false }
    let parts = identifier.split(separator: ".", omittingEmptySubsequences: false)
    let isVersion =
      parts.count == 3
      && parts.allSatisfy { part in
        !part.isEmpty && part.utf8.allSatisfy { (0x30...0x39).contains($0) }
      }
    return isVersion && model.fetchRequestTemplates.isEmpty
      && model.configurations.keys.allSatisfy { $0 == "default" }
      && model.entities.allSatisfy { entity in
        entity.fetchedProperties.isEmpty
          && (entity.managedObjectClassName ?? entity.name) == entity.name
      }
  }
}

extension SwiftDataOrigin: CustomStringConvertible {
  /// The certainty and the marks, in words.
  package var description: String {
    (isCertain ? "yes" : "likely") + ", by "
      + marks.map(\.rawValue).joined(separator: ", ")
  }
}
