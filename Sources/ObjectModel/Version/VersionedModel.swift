/// A model with all its versions, oldest first.
public struct VersionedModel: Hashable, Sendable {
  /// The name of the `.xcdatamodeld`, without extension; with its folder where another model has
  /// the name.
  public var name: String
  /// The versions in the order in which they were shipped.
  public var versions: [ModelVersion]
  /// The folder or file that it was read from.
  public var path: String
  /// The names of the versions that each version follows, where versions branched; nil where each
  /// follows the one before it.
  public var parents: [String: [String]]?
  /// The versions whose files cannot be read, which ``versions`` lacks.
  public var unreadable: [UnreadableVersion] = []
  /// The versions that the project leaves out, which ``versions`` lacks.
  package var ignored: [ModelVersion] = []
  /// Whether the model itself declares the order of its versions, so that names need not.
  package var hasDeclaredOrder = false
  /// Whether the app's Swift sources declare it; of a history of several models, its last one.
  package var isOfSwift = false
  /// The models whose versions it joins into one history, the oldest first; empty where it is one model.
  package var parts: [Part] = []
  /// The project's answers to questions that the versions leave open.
  package var questions = OpenQuestions()
  /// The names of the ignored versions, and of the versions among them that cannot be read.
  package var ignoredNames: Set<String> = []

  /// A model whose versions are put into the natural order of their names.
  public init(
    name: String,
    versions: [ModelVersion],
    path: String = "",
    unreadable: [UnreadableVersion] = []
  ) {
    self.name = name
    self.versions = versions.sorted { NaturalOrder.precedes($0.name, $1.name) }
    self.path = path
    guard !unreadable.isEmpty else { return }
    self.unreadable = unreadable
    let names = (versions.map(\.name) + unreadable.map(\.name)).sorted(by: NaturalOrder.precedes)
    self = placingUnreadable(in: names)
  }

  /// The version that `.xccurrentversion` names, else the last; nil where it names one that cannot be
  /// read.
  public var current: ModelVersion? {
    versions.first(where: \.isCurrent)
      ?? (unreadable.contains(where: \.isCurrent) ? nil : versions.last)
  }

  /// Returns whether a name means a version of it.
  package func hasVersion(called name: String) -> Bool {
    versions.contains { $0.isCalled(name) }
  }
}
