internal import Files
public import ObjectModel

/// A change of a lock: versions added, and at most one accepted.
public struct LockUpdate: Hashable, Sendable {
  /// The lock's path, from the project's folder.
  public let path: String
  /// The names of all versions that the lock has then, but for those given up.
  public let locked: [String]
  /// The names of those that it did not have before.
  public let added: [String]
  /// The name of the version that is locked anew or given up.
  public let accepted: String?
  /// The reason for which that version is accepted.
  public let reason: String?
  /// The findings on edits since the lock that are not accepted: with any, only the accepted version is
  /// written.
  public let findings: [Finding]
  /// The names of the versions that are not locked then, in the order of the archive.
  public let unlocked: [String]
  /// Whether only the versions before the current one are locked, because neither the lock nor `shipped:`
  /// names the shipped ones.
  package let isGuess: Bool
  /// The file to write; nil where it would be the same.
  let file: LockFile?

  /// Whether nothing forbids the update, and a lock exists after it.
  public var isWritable: Bool { findings.isEmpty && !isEmpty }

  /// Whether the contents or the place of a version are unknown.
  private var isBlind: Bool { findings.contains { $0.code.has(.hiddenVersion) } }

  /// Whether nothing would be locked, so that no lock is made.
  package var isEmpty: Bool { locked.isEmpty && accepted == nil }

  /// Whether the lock has to be written: a version is new or accepted, and nothing forbids it.
  ///
  /// Edits of other versions forbid new versions, but not the one that is accepted.
  package var writes: Bool {
    file != nil && (isWritable || accepted != nil && !isBlind)
  }

  /// - Parameters:
  ///   - choice: The versions that are locked.
  ///   - accepted: The locked version to lock anew, or to give up where it is gone.
  ///   - reason: The reason for the acceptance.
  /// - Throws: ``WaystoneError`` where there is nothing to accept.
  init(
    _ audit: LockAudit,
    locking choice: LockChoice,
    accepting accepted: String?,
    because reason: String?
  ) throws(WaystoneError) {
    let project = audit.project
    let wanted = audit.wanted().map(\.line)
    let locked = audit.lock?.versions ?? []
    var lines = Dictionary(locked.map { ($0.qualifiedName, $0) }, uniquingKeysWith: { $1 })
    var accepting: String?
    // The contents of a version that cannot be read are not known.
    var findings = project.archive.findings.filter { $0.code == .unreadableVersion }
    let isGuess =
      choice == .shipped && audit.lock == nil
      && project.configuration.map(\.shipped.isEmpty) ?? true
    // The current version decides only about versions that neither the user nor `waystone.yml` names.
    let guessed = isGuess ? Project.ofApp(project.archive.models, in: project.folder) : []
    let doubts = project.archive.models
      .filter { $0.hasUnknownOrder || guessed.contains($0) }.compactMap(\.orderDoubt)
    findings += doubts
    let breaks = audit.findings.filter(\.breaksLock)
    findings += doubts.isEmpty ? breaks : breaks.filter { $0.code != .lockedOrderChanged }
    if let accepted, let reason {
      let old = try Self.find(accepted, in: locked, project.names)
      var new = wanted.first { $0.qualifiedName == old.qualifiedName } ?? old
      if !wanted.contains(where: { $0.qualifiedName == old.qualifiedName }) {
        new.isRemoved = true
      }
      guard !new.isSame(as: old) else {
        throw WaystoneError(
          .refused,
          "\(old.qualifiedName) is as it was locked, so that there is nothing to accept.",
          recovery: "Look at `waystone check`."
        )
      }
      new.reasons = old.reasons + [reason]
      lines[old.qualifiedName] = new
      accepting = old.qualifiedName
      let names = [old.qualifiedName, audit.shown(old)]
      findings.removeAll { names.contains($0.place.version ?? "") }
    }
    let isAsLocked = findings.isEmpty
    let added = wanted.filter { lines[$0.qualifiedName].map(\.isRemoved) ?? true }
      .filter { isAsLocked && $0.qualifiedName != accepting }
    for line in added {
      var line = line
      line.reasons = lines[line.qualifiedName]?.reasons ?? []
      lines[line.qualifiedName] = line
    }
    let names = Dictionary(
      project.archive.versions.map { ($0.qualifiedName, project.names.name(of: $0)) },
      uniquingKeysWith: { $1 }
    )
    func shown(_ name: String) -> String { names[name] ?? name }
    let file = LockFile(versions: Array(lines.values))
    path = audit.path
    self.locked = file.versions.filter { !$0.isRemoved }.map { shown($0.qualifiedName) }
    self.added = added.map { shown($0.qualifiedName) }
    self.accepted = accepting.map(shown)
    self.reason = reason
    self.findings = findings
    let after = Set(file.versions.filter { !$0.isRemoved }.map(\.qualifiedName))
    unlocked = project.archive.versions.map(\.qualifiedName).filter { !after.contains($0) }
      .map(shown)
    self.isGuess = isGuess
    self.file = audit.lock == nil || !added.isEmpty || accepting != nil ? file : nil
  }

  private static func find(
    _ name: String,
    in locked: [LockFile.Version],
    _ names: VersionNames
  ) throws(WaystoneError) -> LockFile.Version {
    let known = try names.find(name)?.qualifiedName
    let found = locked.filter {
      known == nil
        ? $0.qualifiedName == name || $0.name == name : $0.qualifiedName == known
    }
    guard let version = found.first, found.count == 1 else {
      throw WaystoneError(
        found.isEmpty ? .unknownVersion : .ambiguousVersion,
        found.isEmpty
          ? "No version called \(name) is locked."
          : "\(found.count) locked versions are called \(name).",
        recovery: found.isEmpty
          ? "A version that is not locked needs no acceptance: name it to `waystone lock`."
          : "Name the model too, as in \(found[0].qualifiedName.shellWord)."
      )
    }
    return version
  }
}

extension Project {
  /// Returns the change that ``lock(_:accepting:because:)`` would make; nothing is written.
  ///
  /// - Throws: ``WaystoneError`` as that does.
  public func lockUpdate(
    _ choice: LockChoice = .shipped,
    accepting version: VersionName? = nil,
    because reason: String? = nil
  ) throws(WaystoneError) -> LockUpdate {
    guard (version == nil) == (reason == nil) else {
      throw WaystoneError(
        .badArgument,
        "A version is accepted with a reason, and a reason is of a version.",
        recovery: "Name both, or neither."
      )
    }
    let audit = try LockAudit(self, locking: choice)
    return try LockUpdate(audit, locking: choice, accepting: version?.text, because: reason)
  }

  /// Adds the versions that users have to the lock, but never what is locked already.
  ///
  /// Where a locked version was edited, ``LockUpdate/findings`` report it, and nothing is written but the
  /// version that is accepted. Another process that locks versions meanwhile is waited for.
  ///
  /// - Parameters:
  ///   - choice: The versions that users have.
  ///   - version: A locked version to lock anew as it is now, or to give up where it is gone.
  ///   - reason: The reason; the lock keeps it.
  /// - Throws: ``WaystoneError``: `badFile` where the lock cannot be read; `unknownVersion` where one is not
  ///   there; `refused` where there is nothing to accept; or the error of writing it.
  /// - Complexity: O(*p*) in the properties of all locked versions.
  @discardableResult
  public func lock(
    _ choice: LockChoice = .shipped,
    accepting version: VersionName? = nil,
    because reason: String? = nil
  ) throws(WaystoneError) -> LockUpdate {
    try WaystoneError.converting {
      while true {
        let update = try holdingLock { isThere -> LockUpdate? in
          let update = try lockUpdate(choice, accepting: version, because: reason)
          guard update.writes, let file = update.file else { return update }
          do {
            try AtomicFile.write(file.text, to: lockPath, as: isThere ? .replacement : .newFile)
            return update
          } catch let error as FileError where !isThere && [.exists, .inUse].contains(error.code) {
            // Another process was faster, or is, and its versions count too.
            return nil
          }
        }
        if let update { return update }
      }
    }
  }

  /// Runs a body while the lock's file is held against other processes that would write it.
  ///
  /// - Parameter body: The closure; it receives whether there is such a file.
  private func holdingLock<Value>(_ body: (_ isThere: Bool) throws -> Value) throws -> Value {
    while try FileSystem.status(lockPath)?.kind == .file {
      let file = try OpenFile(writing: lockPath)
      try file.lock()
      defer { file.unlock() }
      // The process that held it may have put another file in its place.
      if let there = try FileSystem.status(lockPath), try file.status().isSameFile(as: there) {
        return try body(true)
      }
    }
    return try body(false)
  }
}
