import ObjectModel
import PropertyLists

/// The contents of `VersionInfo.plist` of a `.momd`: current version and entity hashes.
///
/// Apple documents none of its keys; they were measured on six `.momd` of public apps. The
/// checksums came with Xcode 15.
struct VersionInfo: Hashable {
  /// The hash of each entity, by version.
  var hashes: [String: [String: VersionHash]] = [:]
  /// The checksum of all entities' hashes, by version.
  var checksums: [String: String] = [:]
  /// The current version.
  var current = CurrentVersion.absent

  static let fileName = "VersionInfo.plist"

  /// Reads the file in a `.momd`.
  ///
  /// - Throws: ``ModelImportError``, `unreadable` where the disk fails or forbids it.
  static func read(in folder: FilePath) throws(ModelImportError) -> VersionInfo {
    let path = folder.appending(fileName)
    guard try path.kind != .missing else { return VersionInfo() }
    var info = VersionInfo()
    do throws(ModelImportError) {
      guard let list = try path.propertyList().dictionary,
        let versions = list["NSManagedObjectModel_VersionHashes"]?.dictionary
      else {
        info.current = .unreadable("It holds no version hashes.")
        return info
      }
      for (version, entities) in versions {
        info.hashes[version] = entities.dictionary?.compactMapValues { value in
          value.data.flatMap { VersionHash($0) }
        }
      }
      let checksums = list["NSManagedObjectModel_VersionChecksums"]?.dictionary
      info.checksums = checksums?.compactMapValues(\.string) ?? [:]
      let name = list["NSManagedObjectModel_CurrentVersionName"]?.string ?? ""
      info.current = name.isEmpty ? .unnamed : .named(name)
    } catch {
      guard error.code != .unreadable else { throw error }
      info.current = .unreadable(error.message)
    }
    return info
  }

  /// Returns findings where the file and the models beside it disagree, by version and entity.
  func findings(versions: [ModelVersion], in folder: FilePath) -> [Finding] {
    let file = folder.appending(Self.fileName).string
    // A file that is absent or damaged has its own finding.
    switch current {
    case .absent, .unreadable: return []
    case .named, .unnamed: break
    }
    var findings: [Finding] = []
    func disagree(_ version: String, _ entity: String?, _ message: Finding.Text) {
      findings.append(
        Finding(
          .versionInfoDiffers,
          .warning,
          at: Finding.Place(file: file, version: version, entity: entity),
          message: message,
          advice: "Build the app again, or take the whole \(folder.name) from one build."
        )
      )
    }
    for version in versions {
      guard let recorded = hashes[version.name] else {
        disagree(version.name, nil, "\(Self.fileName) does not list \(version.name).mom.")
        continue
      }
      let computed = version.model.entityVersionHashes
      for name in Set(computed.keys).union(recorded.keys).sorted(by: ByteOrder.precedes)
      where computed[name] != recorded[name] {
        let what: String =
          switch (computed[name], recorded[name]) {
          case (_, nil): "is not listed in \(Self.fileName)"
          case (nil, _): "is listed in \(Self.fileName), but not in \(version.name).mom"
          default: "has another version hash than \(Self.fileName) says"
          }
        disagree(
          version.name,
          name,
          "The entity \(name) of \(version.name) \(what); stores of it may not be recognised."
        )
      }
      if let checksum = checksums[version.name], checksum != version.model.versionChecksum,
        computed == recorded
      {
        disagree(
          version.name,
          nil,
          "\(version: version.name) has another checksum than \(Self.fileName) says."
        )
      }
    }
    let names = Set(versions.map(\.name))
    for name in hashes.keys.sorted(by: ByteOrder.precedes) where !names.contains(name) {
      disagree(name, nil, "\(Self.fileName) lists \(name), but there is no \(name).mom.")
    }
    return findings
  }
}
