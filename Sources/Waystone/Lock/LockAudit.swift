internal import ObjectModel

/// A project's versions held against its lock.
struct LockAudit {
  let project: Project
  /// The lock; nil where there is none.
  let lock: LockFile?
  /// The path of the lock, for messages.
  let path: String
  /// The versions that were shipped.
  let shipped: [ModelVersion]
  /// The qualified names of the versions whose steps users' stores have taken: those that are locked; before
  /// a first lock, those that `shipped:` names, else those before the current one, as a first lock takes
  /// them.
  let settledNames: Set<String>
  /// The qualified names of the versions that are shipped or locked.
  private let names: Set<String>

  /// - Parameter choice: The versions to lock; nil where nothing is to be locked.
  /// - Throws: ``WaystoneError`` where the lock or `shipped:` cannot be used, or a version is not
  ///   known.
  init(_ project: Project, locking choice: LockChoice? = nil) throws(WaystoneError) {
    self.project = project
    path = project.folder.shortened(project.lockPath)
    lock = try project.lockFile()
    shipped =
      if let choice { try project.versions(choice, lock: lock) } else {
        try project.shippedVersions(lock: lock)
      }
    let locked = (lock?.versions ?? []).filter { !$0.isRemoved }.map(\.qualifiedName)
    names = Set(shipped.map(\.qualifiedName)).union(locked)
    settledNames =
      if lock != nil { Set(locked) } else if project.configuration?.shipped.isEmpty ?? true {
        Set(project.firstLockVersions.map(\.qualifiedName))
      } else { Set(try project.shippedVersions(lock: nil).map(\.qualifiedName)) }
  }

  /// Returns whether the order of a model's versions is unknown, or the current one where users have
  /// versions after it: all conclusions from it are unknown, too.
  func hasUnknownOrder(_ model: VersionedModel) -> Bool {
    guard model.orderDoubt != nil, !model.hasUnknownOrder else { return model.hasUnknownOrder }
    let names = Set(shipped.map(\.qualifiedName))
    let later = model.versions.drop { !$0.isCurrent }.dropFirst()
    return later.contains { names.contains($0.qualifiedName) }
  }

  /// Returns the findings of reading the models, an unknown order as an error that names the omission.
  ///
  /// - Parameter omission: Returns a clause on it for the model of a name.
  func archiveFindings(_ omission: (String) -> String) -> [Finding] {
    let unknown = project.archive.models.filter(hasUnknownOrder)
    return project.archive.findings.map { finding in
      guard let model = unknown.first(where: { $0.orderDoubt == finding }) else { return finding }
      var finding = finding
      finding.severity = .error
      finding.statement += " Until it is known, \(omission(model.name))."
      return finding
    }
  }

  /// The commit in which git has a lock, where there is none now.
  var commitWithLock: String?

  /// The qualified names of the versions that are locked and not given up.
  var lockedNames: Set<String> {
    Set((lock?.versions ?? []).filter { !$0.isRemoved }.map(\.qualifiedName))
  }

  /// The locked versions that belong to the models at hand.
  var ownVersions: [LockFile.Version] {
    let models = project.archive.models
    return (lock?.versions ?? []).filter { version in
      !project.isOneModel || models.contains { $0.isCalled(version.modelName) }
    }
  }

  /// The findings on differences from the lock, version by version.
  var findings: [Finding] {
    guard lock != nil else {
      let isShipped =
        project.configuration?.shipped.values.contains { !$0.versions.isEmpty } ?? false
      let reason =
        commitWithLock.map { ", and \($0) has one" }
        ?? (isShipped ? ", and waystone.yml names versions that users have" : "")
      return [
        Finding(
          .lockMissing,
          reason.isEmpty ? .note : .error,
          at: Finding.Place(file: path),
          message:
            "There is no lock\(reason), so that nothing tells when a shipped version is edited.",
          remedy: commitWithLock.map {
            "Bring it back: `git checkout \($0.shellWord) -- \(path.shellWord)`."
          } ?? "Run `waystone lock`, and commit \(LockFile.fileName)."
        )
      ]
    }
    let own = ownVersions
    let locked = Dictionary(own.map { ($0.qualifiedName, $0) }, uniquingKeysWith: { $1 })
    let present = present
    let followers = Set(
      project.archive.models.flatMap { model in
        model.unreadable.flatMap(\.followers).map(model.qualifiedName)
      }
    )
    var findings: [Finding] = []
    let codings = CodingFindings(project)
    for (version, line) in wanted() {
      guard let old = locked[version.qualifiedName], !old.isRemoved else {
        findings.append(
          notLocked(version, .error, "is shipped, as waystone.yml says, and is not locked.")
        )
        continue
      }
      let edits = Self.edits(of: version, from: old, to: line, project.names)
      if edits.contains(where: \.breaksLock), let assumed = lockedAsAssumed(version, old) {
        findings.append(assumed)
      } else if let sources = project.sources {
        let source = SourceEdits(sources: sources)
        // Several values of a property that changed are one other type.
        let placed = edits.map { source.placed($0, from: old, of: version) }
        findings += placed.enumerated().filter { !placed[..<$0.offset].contains($0.element) }.map(
          \.element
        )
      } else {
        findings += edits
      }
      findings += codings?.findings(since: old, in: version, line) ?? []
      if !followers.contains(version.qualifiedName) {
        findings += reordered(version, from: old, to: line, among: locked, present)
      }
    }
    return findings + unlockedFindings(locked) + missingFindings
  }

  /// The locked versions that are no longer there.
  var missingFindings: [Finding] {
    let present = present
    // Users have locked versions, also those that `ignore:` leaves out.
    return ownVersions.filter { !$0.isRemoved && !present.contains($0.qualifiedName) }.map(missing)
  }

  /// The qualified names of the versions that are there, those that cannot be read too.
  private var present: Set<String> {
    var present = Set(project.archive.versions.map(\.qualifiedName))
    // The archive's findings report versions that cannot be read.
    for model in project.archive.models {
      present.formUnion(model.unreadable.map { model.qualifiedName(of: $0.name) })
    }
    return present
  }

  /// Returns the state in the lock of each version that is shipped or locked, in the order of the
  /// archive.
  ///
  /// - Complexity: O(*v* · *p*) in these versions and the properties of one.
  func wanted() -> [(version: ModelVersion, line: LockFile.Version)] {
    project.archive.models.flatMap { model in
      // The nearest versions before each that count, through those that do not.
      var after: [[String]] = []
      return model.versions.indices.compactMap {
        position -> (version: ModelVersion, line: LockFile.Version)? in
        let version = model.versions[position]
        var before: [String] = []
        for parent in model.parentPositions(of: position) {
          let other = model.versions[parent]
          let nearest =
            names.contains(other.qualifiedName) ? [other.qualifiedName] : after[parent]
          for name in nearest where !before.contains(name) { before.append(name) }
        }
        after.append(before)
        guard names.contains(version.qualifiedName) else { return nil }
        let shown = before.map { name in
          model.versions.first {
            $0.qualifiedName == name && $0.ownModelName == version.ownModelName
          }?.name ?? name
        }
        return (version, LockFile.Version(version, after: shown))
      }
    }
  }

  // MARK: Versions that are not locked

  /// Returns findings on versions that are neither shipped nor locked.
  private func unlockedFindings(_ locked: [String: LockFile.Version]) -> [Finding] {
    return project.archive.models.flatMap { model in
      model.versions.indices.compactMap { index -> Finding? in
        let version = model.versions[index]
        guard !names.contains(version.qualifiedName) else { return nil }
        let later = model.versions[index...].first { names.contains($0.qualifiedName) }
        guard let later else {
          return notLocked(version, .note, "is not locked, so it counts as new.")
        }
        guard locked[later.qualifiedName] != nil, shipped.contains(later) else { return nil }
        let name = project.names.name(of: version)
        let isNamed = !(project.configuration?.shipped.isEmpty ?? true)
        return Finding(
          .lockedOrderChanged,
          isNamed ? .note : .warning,
          at: place(version),
          message:
            "\(version: name) is not locked and stands before \(version: project.names.name(of: later)), which "
            + "is: to lock it would change the order that users' stores are migrated in.",
          advice: "If it is the next version, let its name or `order:` say so."
        )
      }
    }
  }

  private func notLocked(
    _ version: ModelVersion,
    _ severity: Finding.Severity,
    _ what: String
  ) -> Finding {
    Finding(
      .versionNotLocked,
      severity,
      at: place(version),
      message: "\(version: project.names.name(of: version)) \(what)",
      advice:
        "Run `waystone lock \(argument: project.names.name(of: version))` when users have it, and commit "
        + "\(path)."
    )
  }

  private func place(_ version: ModelVersion) -> Finding.Place {
    Finding.Place(file: version.contentsPath, version: project.names.name(of: version))
  }

  // MARK: Order and presence

  private func reordered(
    _ version: ModelVersion,
    from old: LockFile.Version,
    to new: LockFile.Version,
    among locked: [String: LockFile.Version],
    _ present: Set<String>
  ) -> [Finding] {
    /// Returns the qualified names of the versions that a version follows, those of another model are
    /// so already.
    func predecessors(of line: LockFile.Version) -> [String] {
      line.after.map { locked[$0] == nil ? "\(line.modelName)/\($0)" : $0 }
    }
    var before: Set<String> = []
    var next = predecessors(of: old)
    var seen: Set<String> = []
    while let name = next.popLast() {
      guard seen.insert(name).inserted else { continue }
      // The versions before a removed one come before those after it.
      if let other = locked[name], other.isRemoved || !present.contains(other.qualifiedName) {
        next += predecessors(of: other)
      } else {
        before.insert(name)
      }
    }
    let after = Set(predecessors(of: new))
    // Where the history of another model was put before it, no step that users' stores have taken is another.
    let isJoined = before.isEmpty && after.allSatisfy { !$0.hasPrefix("\(new.modelName)/") }
    guard before != after, !isJoined else { return [] }
    before = Set(before.map { locked[$0].map(shown) ?? $0 })
    func words(_ names: some Collection<String>) -> String {
      names.isEmpty
        ? "was the first"
        : "followed \(names.sorted(by: ByteOrder.precedes).joined(separator: ", "))"
    }
    let name = project.names.name(of: version)
    let now = new.after.isEmpty ? "is the first" : "follows \(new.after.joined(separator: ", "))"
    return [
      Finding(
        .lockedOrderChanged,
        .error,
        at: place(version),
        message: "\(version: name) \(words(before)) when it was locked, and now \(now).",
        advice: "Restore the order by `order:` in waystone.yml, or accept it: `waystone lock "
          + "--accept \(argument: name) --reason \"...\"`."
      )
    ]
  }

  /// Returns the name of a locked version in findings, with the model's where another has the same.
  func shown(_ version: LockFile.Version) -> String {
    let all =
      (lock?.versions ?? []).map(\.qualifiedName)
      + project.archive.versions.map(\.qualifiedName)
    let same = Set(all.filter { $0.hasSuffix("/\(version.name)") })
    return same.count > 1 ? version.qualifiedName : version.name
  }

  private func missing(_ version: LockFile.Version) -> Finding {
    // Where a second model of the name came, both are called by their folders.
    let twin = project.archive.versions.first { other in
      (other.ownModelName == version.modelName || other.isCalled(version.qualifiedName))
        && other.model.versionChecksum == version.checksum
    }
    let effect =
      twin.map {
        "\(project.names.name(of: $0)) hashes alike, so that stores of it are still known."
      }
      ?? "stores of it fit no version any more."
    return Finding(
      .lockedVersionMissing,
      .error,
      at: Finding.Place(file: path, line: version.line, version: shown(version)),
      message: "\(version: version.qualifiedName) is locked and no longer there: \(effect)",
      advice:
        "Bring it back, or give it up: `waystone lock --accept \(argument: version.qualifiedName) "
        + "--reason \"...\"`."
    )
  }
}

extension ModelVersion {
  /// The file with the version's declarations, where it has one of its own.
  package var contentsPath: String { path.hasSuffix(".xcdatamodel") ? "\(path)/contents" : path }
}
