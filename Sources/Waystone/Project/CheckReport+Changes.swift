internal import ObjectModel

extension CheckReport {
  /// Leaves out what a change does not touch: findings on files and steps that are as they were.
  ///
  /// Findings that concern the whole stay: the lock, versions without a path, what becomes of one in
  /// the app, several heads, and all of it where the order of versions, `waystone.yml` or a mapping
  /// that is gone may be the cause.
  mutating func limit(to changes: ChangedFiles, in project: Project) {
    changedSince = changes.reference
    guard let touched = changes.touchedVersions(of: project) else { return }
    func path(_ text: String) -> String { project.folder.resolved(text) }
    func isLeftOut(_ finding: Finding) -> Bool {
      // Only the last of several heads is the place, and any may have changed.
      if finding.breaksLock || finding.code.has(.ofWhole) { return false }
      if let version = finding.place.version, touched.contains(version) { return false }
      guard let file = finding.place.file else { return finding.place.version != nil }
      return !changes.touches(path(file))
    }
    let count = allFindings.count
    mappings.removeAll { mapping in
      !changes.touches(path(mapping.path))
        && ![mapping.from, mapping.to].contains { $0.map(touched.contains) == true }
    }
    findings.removeAll(where: isLeftOut)
    leftOut = count - allFindings.count
  }
}

extension ChangedFiles {
  /// Returns the names of the versions that changed or follow one that did; nil where what changed may
  /// concern all: the order, `waystone.yml`, the lock, or a mapping that is gone.
  fileprivate func touchedVersions(of project: Project) -> Set<String>? {
    var touched: Set<String> = []
    for model in project.archive.models {
      guard !model.paths.contains(where: { concernsAll(of: $0, in: project) }) else { return nil }
      let own = model.versions.map { touches(project.folder.resolved($0.path)) }
      for (position, version) in model.versions.enumerated()
      where own[position] || model.parentPositions(of: position).contains(where: { own[$0] }) {
        touched.insert(project.names.name(of: version))
      }
    }
    return touched
  }
}
