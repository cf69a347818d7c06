internal import ObjectModel
internal import SwiftDataImport

/// The file that SwiftData opens, beside that of an app's Core Data stores, where one history joins both.
///
/// A store of an old version is opened in place only where it is the file that the app's container is given.
struct MovedStore {
  let sources: SourceVersions
  /// The history.
  let model: VersionedModel
  /// The folder from which paths are shown.
  let folder: WorkingFolder

  /// The names that Core Data's stores have unless the app gives a URL: of the containers in the
  /// sources, else of the models.
  private var fileNames: [String] {
    let own = model.parts.filter { !$0.isOfSwift }.map(\.name)
    let named = sources.working?.persistentContainerNames.sorted(by: ByteOrder.precedes) ?? []
    return (named.isEmpty ? own : named).map { "\($0).sqlite" }
  }

  /// The findings, one for each store that the sources give a container.
  var findings: [Finding] {
    guard model.isMovedToSwift, !fileNames.isEmpty,
      let declared = sources.declared(model.parts.last?.name ?? model.name)
    else { return [] }
    guard !declared.stores.isEmpty else {
      return [
        finding(
          .note,
          "No container in the sources gives the file that SwiftData opens. Old stores are opened in place only "
            + "where it is theirs; \(coreData).",
          "Compare it with the file of the old stores."
        )
      ]
    }
    return declared.stores.map(finding)
  }

  private var coreData: String {
    "Core Data keeps \(fileNames.joined(separator: ", ")) in Application Support unless it is given a URL"
  }

  private func finding(on store: SourceStore) -> Finding {
    let place = store.isInGroup ? "in a group container" : "in Application Support"
    switch store.file {
    case .standard: return begins(with: "default.store \(place)", store, "gives no URL")
    case .named(let name?):
      return begins(with: "\(name).store \(place)", store, "gives the name \(name) and no URL")
    case .named(nil):
      return finding(
        .note,
        "The code computes the name of SwiftData's store and gives no URL, and \(coreData): old stores are opened "
          + "in place only if that is the same file.",
        "Compare the two files.",
        at: store.place
      )
    case .atURL(let name?) where fileNames.contains(name):
      return finding(
        .note,
        "The code gives SwiftData the URL of \(name), as Core Data names its store.",
        "Nothing needs to be done if the app kept its store in that folder.",
        at: store.place
      )
    case .atURL(let name):
      return finding(
        .note,
        "The code gives SwiftData the URL of \(name ?? "a file whose name it computes"), and \(coreData): old "
          + "stores are opened in place only if they are at that URL.",
        "Compare it with the file of the old stores.",
        at: store.place
      )
    }
  }

  private func begins(with file: String, _ store: SourceStore, _ code: String) -> Finding {
    finding(
      .warning,
      "The code \(code), so that SwiftData opens \(file), and \(coreData): SwiftData does not see the old store, "
        + "and begins with an empty one.",
      "Give it that file: `ModelConfiguration(url: .applicationSupportDirectory.appending(path: "
        + "\"\(fileNames[0])\"))`. If code of the app moves or copies the old store, accept this with that as the "
        + "reason.",
      at: store.place
    )
  }

  private func finding(
    _ severity: Finding.Severity,
    _ message: String,
    _ remedy: String,
    at place: SourcePlace? = nil
  ) -> Finding {
    var finding = Finding(
      .movedStoreFile,
      severity,
      at: place?.finding() ?? Finding.Place(),
      message: message,
      remedy: remedy
    )
    if let version = model.current { finding.place.version = version.name }
    finding = sources.placed(finding)
    finding.place.file = finding.place.file.map(folder.shortened)
    return finding
  }
}

extension Project {
  /// The findings on the file that SwiftData opens, where the history joins models of Core Data with it.
  var movedStoreFindings: [Finding] {
    guard let sources else { return [] }
    return archive.models.flatMap { model in
      MovedStore(sources: sources, model: model, folder: folder).findings
    }
  }
}
