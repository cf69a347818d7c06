package import MigrationPlanning
internal import ObjectModel
internal import StoreAccess

/// Stores that Core Data made at a version, which settle the names that its model leaves open.
extension Project {
  /// Returns the absolute path of the store that is given as a sample of a version, on the command line or
  /// else in the configuration.
  package func samplePath(for node: VersionGroup, given path: String? = nil) -> String? {
    if let path { return folder.resolved(path) }
    guard let configuration else { return nil }
    let names = Set(node.versions.map(\.qualifiedName))
    return configuration.samples.filter { name, _ in
      // A name of no version is reported where samples are checked.
      guard let version = try? mapped.names.find(name) else { return false }
      return names.contains(version.qualifiedName)
    }
    .values.min { $0.line < $1.line }.map(configuration.resolved)
  }

  /// Returns the columns of each table of the store that is given as a sample of a version, on the command
  /// line or else in the configuration.
  ///
  /// - Throws: ``WaystoneError`` where it is missing, no store, or of another version.
  package func sample(
    for node: VersionGroup,
    given path: String? = nil
  ) throws -> [String: [String]]? {
    try samplePath(for: node, given: path).map {
      try mapped.sampleColumns(ofStoreAt: $0, shownAs: folder.shortened($0), for: node)
    }
  }

  /// Looks at each sample of the configuration, which a plan to its version would rest on.
  ///
  /// - Throws: ``WaystoneError`` at the line whose version or store is not there, or whose store is
  ///   of another version.
  func checkSamples() throws(WaystoneError) {
    guard let configuration else { return }
    var lines: [String: (name: String, line: Int)] = [:]
    for (name, entry) in configuration.samples.sorted(by: { $0.value.line < $1.value.line }) {
      func refusal(_ message: String, _ recovery: String) -> WaystoneError {
        configuration.error(line: entry.line, message, recovery: recovery)
      }
      // Differences of a schema of the sources are reported by the check, property by property.
      if sources?.hasVersion(called: name) == true { continue }
      // A version that cannot be read is reported with the archive.
      if archive.models.contains(where: { $0.hasUnreadable(name) }) { continue }
      guard let version = try? names.find(name) else {
        throw refusal(
          "No version, or more than one, is called \(name), which `samples` names.",
          "Name one that `waystone versions` shows, or remove it."
        )
      }
      if let other = lines.updateValue((name, entry.line), forKey: version.qualifiedName) {
        throw refusal(
          "`samples` names \(name) twice: line \(other.line) does, too.",
          "Keep one of the two."
        )
      }
      let store = try inspection(ofSample: entry, configuration)
      guard store.metadata.versionHashes == version.model.entityVersionHashes else {
        let own = store.identification.versions.last.map { names.name(of: $0) }
        throw refusal(
          "\(entry.text) is no store of \(name)\(own.map { ", but of \($0)" } ?? "").",
          own.map { "Name it as the sample of \($0), or give a store of \(name)." }
            ?? "Give a store that Core Data made at that very version."
        )
      }
      if let guess = store.metadata.guessRefusal(shownAs: entry.text) {
        throw refusal(guess.message, guess.recovery)
      }
    }
  }

  /// Returns the findings on schemas of the sources that differ from the stores that `samples:` names for
  /// them.
  ///
  /// - Throws: ``WaystoneError`` at the line whose store cannot be read.
  func sampleFindings() throws(WaystoneError) -> [Finding] {
    guard let configuration, let sources else { return [] }
    let samples = SourceSamples(sources: sources, project: self)
    var findings: [Finding] = []
    for (name, entry) in configuration.samples.sorted(by: { $0.value.line < $1.value.line })
    where sources.hasVersion(called: name) {
      findings += samples.findings(on: name, try inspection(ofSample: entry, configuration))
    }
    return findings
  }

  /// Returns the store that `samples:` names.
  ///
  /// - Throws: ``WaystoneError`` at its line where it cannot be read.
  private func inspection(
    ofSample entry: Configuration.Entry,
    _ configuration: Configuration
  ) throws(WaystoneError) -> StoreInspection {
    let path = configuration.resolved(entry)
    do {
      return try StoreInspection(
        of: entry.text,
        at: path,
        versions: archive.versions,
        rows: .never
      )
    } catch {
      let failure = WaystoneError(error)
      throw configuration.error(
        line: entry.line,
        failure.message.replacing(path, with: entry.text),
        recovery: failure.recovery
      )
    }
  }
}
