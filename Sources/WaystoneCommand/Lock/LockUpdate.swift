internal import MigrationReporting
internal import ObjectModel
internal import Waystone

/// What `lock` makes of a lock: versions added, and at most one accepted.
struct LockUpdate {
  /// The file to write; nil where it would be the same.
  let file: LockFile?
  /// What the verb has to say.
  let report: LockReport

  /// Whether nothing stands against writing.
  var isWritable: Bool { report.isWritable }

  /// - Parameters:
  ///   - accepted: The locked version to lock anew, or to give up where it is gone.
  ///   - reason: Why.
  /// - Throws: ``CommandError`` where there is nothing to accept.
  init(
    _ audit: LockAudit,
    accepting accepted: String?,
    because reason: String?
  ) throws(CommandError) {
    let wanted = audit.wanted.map(\.line)
    try Self.checkNames(audit.loaded.archive)
    let locked = audit.lock?.versions ?? []
    var lines = Dictionary(locked.map { ($0.qualifiedName, $0) }, uniquingKeysWith: { $1 })
    var accepting: String?
    var findings = audit.findings.filter { LockRules.areBroken(by: $0) }
    if let accepted, let reason {
      let old = try Self.find(accepted, in: locked, audit.loaded.names)
      var new = wanted.first { $0.qualifiedName == old.qualifiedName } ?? old
      if !wanted.contains(where: { $0.qualifiedName == old.qualifiedName }) {
        new.isRemoved = true
      }
      guard !new.isSame(as: old) else {
        throw CommandError(
          .refused,
          "\(old.qualifiedName) is as it was locked, so that there is nothing to accept.",
          recovery: "Look at `waystone check`."
        )
      }
      new.reasons = old.reasons + [reason]
      lines[old.qualifiedName] = new
      accepting = old.qualifiedName
      let names = [old.qualifiedName, old.name]
      findings.removeAll { names.contains($0.place.version ?? "") }
    }
    let added = wanted.filter { lines[$0.qualifiedName].map(\.isRemoved) ?? true }
      .filter { $0.qualifiedName != accepting }
    for line in added {
      var line = line
      line.reasons = lines[line.qualifiedName]?.reasons ?? []
      lines[line.qualifiedName] = line
    }
    let names = Dictionary(
      audit.loaded.archive.versions.map { ($0.qualifiedName, audit.loaded.names.name(of: $0)) },
      uniquingKeysWith: { $1 }
    )
    let file = LockFile(versions: Array(lines.values))
    report = LockReport(
      path: audit.path,
      locked: file.versions.filter { !$0.isRemoved }.map {
        names[$0.qualifiedName] ?? $0.qualifiedName
      },
      added: added.map { names[$0.qualifiedName] ?? $0.qualifiedName },
      accepted: accepting.map { names[$0] ?? $0 },
      reason: reason,
      countsAll: audit.loaded.configuration?.shipped.isEmpty ?? true,
      findings: findings
    )
    self.file = audit.lock == nil || !added.isEmpty || accepting != nil ? file : nil
  }

  private static func checkNames(_ archive: ModelArchive) throws(CommandError) {
    var paths: [String: String] = [:]
    for model in archive.models {
      if let other = paths.updateValue(model.path, forKey: model.name) {
        throw LockAudit.sameName(model.name, other, model.path)
      }
    }
  }

  private static func find(
    _ name: String,
    in locked: [LockFile.Version],
    _ names: VersionNames
  ) throws(CommandError) -> LockFile.Version {
    let known = try names.find(name)?.qualifiedName
    let found = locked.filter {
      known == nil
        ? $0.qualifiedName == name || $0.name == name : $0.qualifiedName == known
    }
    guard let version = found.first, found.count == 1 else {
      throw CommandError(
        found.isEmpty ? .unknownVersion : .ambiguousVersion,
        found.isEmpty
          ? "No version called \(name) is locked."
          : "\(found.count) locked versions are called \(name).",
        recovery: found.isEmpty
          ? "A version that is not locked needs no acceptance: run `waystone lock`."
          : "Name the model too, as in \(found[0].qualifiedName)."
      )
    }
    return version
  }
}
