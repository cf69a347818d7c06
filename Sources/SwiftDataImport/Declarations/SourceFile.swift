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
  /// Whether the container holds no store of the app's users, because it is in memory, or in a preview.
  ///
  /// It is nil where a parameter decides that, with a default for a store in memory.
  package var isTemporary: Bool?
  /// The place of the call.
  package var place: SourcePlace
}

/// The declarations of a source file, as far as models need them.
package struct SourceFile: Hashable, Sendable {
  /// The file, as it was named to the reader.
  package var name: String
  /// The types and extensions, nested ones after those around them.
  package var types: [TypeDeclaration] = []
  /// The other names for types.
  package var aliases: [TypeAlias] = []
  /// The modules that it imports.
  package var imports: [String] = []
  /// The calls that list the models of a container.
  package var containers: [ContainerCall] = []
  /// The reasons why the file, or a part of it, is not read.
  package var findings: [Finding] = []
  /// The names that unread parts may declare.
  package var hidden = HiddenDeclarations()

  /// Makes a file without declarations.
  package init(name: String) { self.name = name }
}
