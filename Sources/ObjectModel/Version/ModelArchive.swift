/// All models that a project or folder holds, with what was found while reading them.
public struct ModelArchive: Hashable, Sendable {
  /// The models, in byte order of their paths.
  public var models: [VersionedModel]
  /// What the reader has to say about them.
  public var findings: [Finding]
  /// Where versions that sources declare do so: by the version's qualified name, and by `Entity.property`,
  /// `Entity` or nothing.
  package var declarations: [String: [String: Finding.Place]] = [:]
  /// The stages by which the app's own code migrates a model, where its sources declare them.
  package var stages: DeclaredStages?
  /// Where they were read, with the commits; empty where a program put them together.
  public var path = ""

  /// An archive of some models.
  public init(models: [VersionedModel], findings: [Finding] = []) {
    self.models = models
    self.findings = findings
  }

  /// The versions of all models, model by model, oldest first.
  public var versions: [ModelVersion] { models.flatMap(\.versions) }
}
