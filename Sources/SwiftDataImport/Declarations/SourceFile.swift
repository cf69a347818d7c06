package import ObjectModel

/// A call that says which models a container holds: `ModelContainer(for:)`, `.modelContainer(for:)` or
/// `Schema(_:)`.
package struct ContainerCall: Hashable, Sendable {
  /// What is called.
  package var callee: String
  /// The models that it is given, with the constants of the file in place of their names.
  package var models: SourceExpression
  /// The migration plan that it is given.
  package var plan: SourceExpression?
  /// Whether what it makes holds no store of the app's users: a container in memory, or in a preview; nil
  /// where a parameter decides that is in memory unless it is told otherwise.
  package var isTemporary: Bool?
  /// Where it stands.
  package var place: SourcePlace
}

/// A call that makes the configuration of a store of SwiftData, or a container of Core Data.
package struct ConfigurationCall: Hashable, Sendable {
  /// Whether it makes a container of Core Data.
  package var isOfCoreData: Bool
  /// The name that it is given; nil where it is given none.
  package var name: SourceExpression?
  /// The URL of the store that it is given; nil where it is given none.
  package var url: SourceExpression?
  /// Whether it is given a group container.
  package var hasGroupContainer: Bool
  /// Whether its store is in memory, or in a preview.
  package var isTemporary: Bool
  /// Where it stands.
  package var place: SourcePlace
}

/// What a source file declares, as far as models need it.
package struct SourceFile: Hashable, Sendable {
  /// The file, as it was named to the reader.
  package var name: String
  /// The name of the target that compiles it, where that is known.
  package var module = ""
  /// The targets and products that it declares, where it is a package's manifest.
  package var manifest: PackageManifest?
  /// The types and extensions, nested ones after those around them.
  package var types: [TypeDeclaration] = []
  /// The other names for types.
  package var aliases: [TypeAlias] = []
  /// The modules that it imports.
  package var imports: [String] = []
  /// The calls that say which models a container holds.
  package var containers: [ContainerCall] = []
  /// The calls that make the configurations of stores, and containers of Core Data.
  package var configurations: [ConfigurationCall] = []
  /// What keeps the file, or a part of it, from being read.
  package var findings: [Finding] = []
  /// What may be declared by what was not read.
  package var hidden = HiddenDeclarations()

  /// A file of which nothing is known yet.
  package init(name: String) { self.name = name }
}
