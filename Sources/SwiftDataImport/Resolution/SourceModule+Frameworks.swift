extension SourceModule {
  /// The protocols of Swift and Apple's frameworks that may come first after a colon, where a superclass
  /// or the type of raw values may also be.
  static let protocols: Set<String> = [
    "Codable", "Encodable", "Decodable", "Hashable", "Equatable", "Comparable", "CaseIterable",
    "Identifiable", "Sendable", "Error", "LocalizedError", "CustomStringConvertible",
    "CustomDebugStringConvertible", "RawRepresentable", "CustomLocalizedStringResourceConvertible",
    "AppEnum", "AppEntity", "IndexedEntity", "Transferable", "View", "Plottable", "PersistentModel",
    "Observable", "ObservableObject", "AnyObject", "NSCopying", "ExpressibleByStringLiteral",
    "MKAnnotation", "TimelineEntry",
  ]

  /// Attributes before a type that add nothing to it.
  private static let attributes: Set<String> = [
    "Model", "available", "objc", "objcMembers", "nonobjc", "MainActor", "usableFromInline",
    "frozen", "preconcurrency", "dynamicMemberLookup", "dynamicCallable", "DebugDescription",
  ]

  /// Returns whether an attribute before a type adds nothing to it: one of the language, or an actor's.
  func isHarmless(_ attribute: MacroUse, of type: TypeDeclaration) -> Bool {
    if Self.attributes.contains(attribute.name) { return true }
    let scope = Array(type.path.dropLast())
    guard
      case .type(let actor) = meaning(of: [attribute.name], in: scope, file: type.place.file)
    else { return false }
    return actor.attributes.contains { $0.name == "globalActor" }
  }
}
