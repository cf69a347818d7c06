package import ObjectModel

/// A call that says which models a container holds: `ModelContainer(for:)`, `.modelContainer(for:)` or
/// `Schema(_:)`.
package struct ContainerCall: Hashable, Sendable {
  /// What is called.
  package var callee: String
  /// The types that the call names by `.self`.
  package var types: [[String]]
  /// Where it stands.
  package var place: SourcePlace
}

/// What a source file declares, as far as models need it.
package struct SourceFile: Hashable, Sendable {
  /// The file, as it was named to the reader.
  package var name: String
  /// The types and extensions, nested ones after those around them.
  package var types: [TypeDeclaration] = []
  /// The other names for types.
  package var aliases: [TypeAlias] = []
  /// The calls that say which models a container holds.
  package var containers: [ContainerCall] = []
  /// What keeps the file, or a part of it, from being read.
  package var findings: [Finding] = []

  /// A file of which nothing is known yet.
  package init(name: String) { self.name = name }
}
