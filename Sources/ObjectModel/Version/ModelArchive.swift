/// The models of a project or folder, with the findings that were made while reading them.
public struct ModelArchive: Hashable, Sendable {
  /// The models, in byte order of their paths.
  public var models: [VersionedModel]
  /// The reader's findings about them.
  public var findings: [Finding]
  /// The places where sources declare versions: by the version's qualified name, and by `Entity.property`,
  /// `Entity` or the empty string.
  package var declarations: [String: [String: Finding.Place]] = [:]
  /// The stages by which the app's own code migrates models, at most once for each, where its sources declare
  /// them.
  package var stages: [DeclaredStages] = []
  /// The path that they were read from, with the commits; of several, one a line; empty where a program
  /// put them together.
  public var path = ""

  /// An archive of some models.
  public init(models: [VersionedModel], findings: [Finding] = []) {
    self.models = models
    self.findings = findings
  }

  /// The versions of all models, model by model, oldest first.
  public var versions: [ModelVersion] { models.flatMap(\.versions) }
}
