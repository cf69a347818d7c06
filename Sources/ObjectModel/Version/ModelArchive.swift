/// All models that a project or folder holds, with what was found while reading them.
public struct ModelArchive: Hashable, Sendable {
  /// The models, in byte order of their paths.
  public var models: [VersionedModel]
  /// What the reader has to say about them.
  public var findings: [Finding]
  /// Where they were read; empty where a program put them together.
  public var path = ""

  /// An archive of some models.
  public init(models: [VersionedModel], findings: [Finding] = []) {
    self.models = models
    self.findings = findings
  }

  /// The versions of all models, model by model, oldest first.
  public var versions: [ModelVersion] { models.flatMap(\.versions) }
}
