import ObjectModel

/// A model that a search found: the files of its versions, not read yet.
struct FoundModel {
  /// The storage of the versions, with the facts that it states about them.
  enum Kind {
    /// A single version, in no folder of versions.
    case single
    /// The versions in an `.xcdatamodeld`.
    case versions(CurrentVersion)
    /// The versions in a `.momd`, and its optimized copies of some of them.
    case compiled(VersionInfo, optimized: [FilePath])
  }

  /// The model's name.
  let name: String
  /// The folder or file of the model.
  let path: FilePath
  /// The versions, each in a form of one version.
  let versions: [FilePath]
  let kind: Kind

  /// Returns the model with the versions that were read, and the findings about it.
  func assembled(
    _ imports: [Result<ImportedModel, ModelImportError>]
  ) -> (VersionedModel, [Finding]) {
    var findings: [Finding] = []
    var result: [ModelVersion] = []
    var unreadable: [UnreadableVersion] = []
    for (path, read) in zip(versions, imports) {
      let imported: ImportedModel
      switch read {
      case .success(let model): imported = model
      case .failure(let error):
        findings.append(error.finding(on: name(of: path)))
        var version = UnreadableVersion(name: name(of: path), reason: error.message)
        version.isCurrent = isCurrent(path)
        unreadable.append(version)
        continue
      }
      findings += imported.findings.map { finding in
        var finding = finding
        finding.place.version = path.stem
        return finding
      }
      let version = ModelVersion(
        modelName: name,
        name: name(of: path),
        model: imported.model,
        isCurrent: isCurrent(path),
        path: path.string
      )
      result.append(version)
    }
    let model = VersionedModel(
      name: name,
      versions: result,
      path: path.string,
      unreadable: unreadable
    )
    result = model.versions
    switch kind {
    case .single: break
    case .versions(let current):
      let fileName = CurrentVersion.fileName
      findings += [current.finding(on: model, folder: path, fileName: fileName)]
        .compactMap(\.self)
    case .compiled(let info, let optimized):
      let fileName = VersionInfo.fileName
      findings += [info.current.finding(on: model, folder: path, fileName: fileName)]
        .compactMap(\.self)
      findings += info.findings(versions: result, in: path)
      findings += optimized.compactMap { OptimizedModel.finding(on: $0, versions: result) }
    }
    return (model, findings)
  }

  private func name(of version: FilePath) -> String {
    version.isInnerFile ? name : version.stem
  }

  private func isCurrent(_ version: FilePath) -> Bool {
    switch kind {
    case .single: false
    case .versions(let current): current.name == version.name
    case .compiled(let info, _): info.current.name == version.stem
    }
  }
}

extension ModelImportError {
  /// Whether the file was read and only its content is wrong: other files are not affected.
  package var isOfContent: Bool {
    switch code {
    case .notXML, .hostileXML, .tooLarge, .notAModel, .badValue, .damagedArchive,
      .inconsistentModel, .unknownVersion:
      true
    case .missing, .unreadable, .folderLoop, .unsayable, .cannotCreate, .inputOutput, .otherModel,
      .unreadableVersion, .ignoredVersion:
      false
    }
  }

  /// Returns the finding about a version that cannot be read.
  fileprivate func finding(on version: String) -> Finding {
    Finding(
      .unreadableVersion,
      .error,
      at: Finding.Place(file: file, line: line, version: version),
      message: "Version \(version) cannot be read: \(message)",
      remedy: recovery
    )
  }
}

extension FilePath {
  /// Whether this is the file inside of an `.xcdatamodel`, whose folder has the name.
  var isInnerFile: Bool { name == "contents" || name == "elements" }
}
