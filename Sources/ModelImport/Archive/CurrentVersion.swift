import ObjectModel
import PropertyLists

/// The version that a model's property list names as the current one.
///
/// That is `.xccurrentversion` in an `.xcdatamodeld`, whose only key names a version's folder, and
/// `VersionInfo.plist` in a `.momd`; see ``VersionInfo``.
enum CurrentVersion: Hashable {
  /// The name of the version's folder with its extension, or in a `.momd` the version's name.
  case named(String)
  /// The property list names none.
  case unnamed
  /// There is no such file.
  case absent
  /// The file cannot be read, for this reason.
  case unreadable(String)

  var name: String? { if case .named(let name) = self { name } else { nil } }

  static let fileName = ".xccurrentversion"

  /// Reads the file in an `.xcdatamodeld`.
  ///
  /// - Throws: ``ModelImportError``, `unreadable` where the disk fails or forbids it: another
  ///   version would count as current.
  static func read(in folder: FilePath) throws(ModelImportError) -> CurrentVersion {
    let path = folder.appending(fileName)
    guard try path.kind != .missing else { return .absent }
    do throws(ModelImportError) {
      guard let list = try path.propertyList().dictionary else {
        return .unreadable("It is no dictionary.")
      }
      let name = list["_XCCurrentVersionName"]?.string ?? ""
      return name.isEmpty ? .unnamed : .named(name)
    } catch {
      guard error.code != .unreadable else { throw error }
      return .unreadable(error.message)
    }
  }

  /// Returns the finding about it, given the versions beside it; nil where all is well.
  func finding(on model: VersionedModel, folder: FilePath, fileName: String) -> Finding? {
    let problem: String
    switch self {
    case .named where model.versions.contains(where: \.isCurrent): return nil
    case .named where model.unreadable.contains(where: \.isCurrent): return nil
    case .named(let name): problem = ": \(fileName) names \(name), which is not there"
    case .unnamed: problem = ": \(fileName) names none"
    case .absent: problem = ": \(fileName) is missing"
    case .unreadable(let why): problem = ": \(fileName) cannot be read (\(why))"
    }
    return Finding(
      .currentVersionUnknown,
      model.versions.count > 1 ? .warning : .note,
      at: Finding.Place(file: folder.string),
      message: "\(folder.name) has no current version\(problem).",
      remedy: fileName == Self.fileName
        ? "In Xcode, set it in the File inspector under Model Version. Or set `current:` in waystone.yml."
        : "Set `current:` in waystone.yml, or build the app again."
    )
  }
}
