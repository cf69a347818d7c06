package import ObjectModel

/// A call that lists the models of a container: `ModelContainer(for:)`, `.modelContainer(for:)` or
/// `Schema(_:)`.
package struct ContainerCall: Hashable, Sendable {
  /// The name that is called.
  package var callee: String
  /// The models that it is given, with the constants of the file in place of their names.
  package var models: SourceExpression
  /// The migration plan that it is given.
  package var plan: SourceExpression?
  /// The configurations of its stores, with the constants of the file in place of their names; empty where it
  /// is given none.
  package var configurations: [SourceExpression]
  /// Whether the container holds no store of the app's users, because it is in memory, or in a preview.
  ///
  /// It is nil where a parameter decides that, with a default for a store in memory.
  package var isTemporary: Bool?
  /// The place of the call.
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
  /// The place of the call.
  package var place: SourcePlace
}

/// The declarations of a source file, as far as models need them.
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
  /// The calls that list the models of a container.
  package var containers: [ContainerCall] = []
  /// The calls that make the configurations of stores, and containers of Core Data.
  package var configurations: [ConfigurationCall] = []
  /// The reasons why the file, or a part of it, is not read.
  package var findings: [Finding] = []
  /// The names that unread parts may declare.
  package var hidden = HiddenDeclarations()
}
