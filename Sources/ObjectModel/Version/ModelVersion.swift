/// A version of an app's model, with the names that the user refers to it by.
public struct ModelVersion: Hashable, Sendable {
  /// The name of the model whose version it is: that of the `.xcdatamodeld`, without extension,
  /// with its folder where another model has the name; that of the history where it joins several models.
  public var modelName: String
  /// The version's own name: that of the `.xcdatamodel`, without extension.
  public var name: String
  /// The model that the version declares.
  public var model: ManagedObjectModel
  /// Whether `.xccurrentversion` names it.
  public var isCurrent: Bool
  /// The file or folder that it was read from.
  public var path: String
  /// The name of the model that declares it, where it is in a history of several models; nil else.
  package var declaringModelName: String?
  /// Whether the app's Swift sources declare it.
  package var isOfSwift = false

  /// A version with its names and place.
  public init(
    modelName: String,
    name: String,
    model: ManagedObjectModel,
    isCurrent: Bool = false,
    path: String = ""
  ) {
    self.modelName = modelName
    self.name = name
    self.model = model
    self.isCurrent = isCurrent
    self.path = path
  }

  /// `Model/Version`, which is unambiguous where several models share a version's name.
  ///
  /// A version put together from several models has no model of its own: its name is the qualified name.
  public var qualifiedName: String { ownModelName.isEmpty ? name : "\(ownModelName)/\(name)" }

  /// The name of the model that declares it.
  package var ownModelName: String { declaringModelName ?? modelName }

  /// Returns whether a name means the version, or it and others: its own, or that with the model's,
  /// also without the folder that distinguishes two models of one name.
  package func isCalled(_ name: String) -> Bool {
    if self.name == name || qualifiedName == name { return true }
    let parts = path.split(separator: "/")
    let folder = parts.last { part in Self.folderEndings.contains { part.hasSuffix($0) } }
    guard let folder, let dot = folder.lastIndex(of: ".") else { return false }
    return name == "\(folder[..<dot])/\(self.name)"
  }

  /// The endings of the folders of a model's versions.
  private static let folderEndings = [".xcdatamodeld", ".momd"]
}
