/// One version of an app's model, under the names that people use for it.
public struct ModelVersion: Hashable, Sendable {
  /// The name of the model whose version it is: that of the `.xcdatamodeld`, without extension.
  public var modelName: String
  /// The version's own name: that of the `.xcdatamodel`, without extension.
  public var name: String
  /// What the version declares.
  public var model: ManagedObjectModel
  /// Whether `.xccurrentversion` names it.
  public var isCurrent: Bool
  /// The file or folder that it was read from.
  public var path: String

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
  /// A version put together from those of several models has no model of its own: its name says all.
  public var qualifiedName: String { modelName.isEmpty ? name : "\(modelName)/\(name)" }
}
