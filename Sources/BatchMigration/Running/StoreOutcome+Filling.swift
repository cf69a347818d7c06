internal import Files
internal import Foundation
internal import StoreAccess
internal import Waystone

extension StoreOutcome {
  /// The code of a store that the options of a batch left out.
  package static let leftOut = "leftOut"
  /// The code of a store that was migrated, with a file beside it that was not read.
  package static let unread = "unread"
  /// The code of a store that is in order, and of a kind that Waystone does not read.
  private static let unsupported = "\(StoreAccessError.Code.unsupported)"
  /// The code of an item that is no plain file, or no folder, where one is required.
  private static let notPlain = "notPlain"

  /// The code of a result in its store's place that has the certified contents, though its file was written
  /// to.
  static let writtenSince = "writtenSince"

  /// The code of a source whose contents are not those that were migrated.
  static let replaced = "replaced"

  /// The code of a store whose original is in its place again.
  static let rolledBack = "rolledBack"

  /// The outcome of a result without proof.
  static var uncertified: StoreOutcome {
    var outcome = StoreOutcome(.failed)
    outcome.code = "uncertified"
    outcome.message = "The result is written, but its certificate is missing."
    outcome.recovery = "Move the result away, then `waystone batch retry --state failed`."
    return outcome
  }

  /// Returns the outcome of a store in an archive or a backup that is to be replaced.
  static func cannotReplace(_ name: String) -> StoreOutcome {
    var outcome = StoreOutcome(.refused)
    outcome.code = "cannotReplace"
    outcome.message = "\(name) lies in an archive or a backup, which is only read."
    outcome.recovery = "Name a folder for results: --output TREE."
    return outcome
  }

  /// An outcome about which nothing more is known yet.
  init(_ state: StoreState) { self.init(state, started: Date(), seconds: 0) }

  /// An outcome of a store that could not be migrated.
  init(_ error: WaystoneError) {
    // Its rows forbid a hop, as where its plan is refused.
    let isRefused =
      error.refusal != nil && error.code == .failed || error.reason == Self.unsupported
    self.init(isRefused ? .refused : StoreState(error.code))
    code = error.refusal ?? error.findings.first?.code.rawValue ?? error.reason
    // A link or a folder in the place of a file is no evidence about the store.
    if state == .damaged, error.reason == Self.notPlain { state = .failed }
    message = error.batchMessage
    recovery = error.batchRecovery
  }

  /// Takes from a plan where it leads from.
  mutating func take(_ plan: MigrationPlan, in project: Project) {
    model = plan.source.version.modelName
    version = project.names.name(of: plan.source.version)
    path = ([plan.source] + plan.hops.map(\.destination)).map { project.names.name(of: $0.version) }
  }

  /// Takes the model and version of the store from its identification, where the outcome lacks them.
  mutating func take(_ identified: StoreIdentification?) {
    guard version == nil, let identified else { return }
    model = identified.model
    version = identified.version
  }

  /// Takes what a run made.
  mutating func take(_ done: MigrationOutcome) {
    result = done.store
    resultBytes = try? FileSystem.size(of: done.store)
    sourceDigest = done.certificate?.source.digest
    resultDigest = done.certificate?.result.digest
    let warnings = done.findings.filter { $0.severity >= .warning }
    let words = done.unreadNotes + warnings.map(\.message)
    guard !words.isEmpty else { return }
    code = done.unreadNotes.isEmpty ? warnings.first?.code.rawValue : Self.unread
    message = words.joined(separator: " ")
  }

  /// Takes the digests and the place of a result from its certificate.
  mutating func take(_ certificate: MigrationCertificate, at place: String) {
    result = place
    resultBytes = try? FileSystem.size(of: place)
    sourceDigest = certificate.source.digest
    resultDigest = certificate.result.digest
  }
}

/// The model and version of a store, with any outcome.
package struct StoreIdentification: Codable, Hashable, Sendable {
  /// The model, where it has a name.
  package var model: String?
  /// The version.
  package var version: String
}

extension StoreState {
  /// The state in which an error leaves a store.
  init(_ code: WaystoneError.Code) {
    switch code {
    case .unknownStoreVersion, .noPath, .blocked, .refused, .unknownVersion, .ambiguousVersion,
      .badArgument, .badConfiguration:
      self = .refused
    case .badFile: self = .damaged
    default: self = .failed
    }
  }
}

extension Project {
  /// Returns the name that identifies a version of a model, from its own name in a certificate; that name
  /// itself where the models no longer have the version.
  func name(ofVersion name: String, in model: String?) -> String {
    let version = try? names.find(name, preferring: model)
    return version.map(names.name(of:)) ?? name
  }
}
