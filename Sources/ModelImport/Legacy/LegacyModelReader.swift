import ObjectModel
import PropertyLists

/// A reader of the keyed archive of Xcode's model editor: the `elements` file of Xcode 3, and the
/// snapshots of models inside of `xcmapping.xml`.
///
/// Apple documents none of it. The classes are the editor's own, prefixed `XDPM` and `XDUML`; a
/// model's facts are attached to stereotypes. Measured on 14 files and 68 snapshots of public apps.
struct LegacyModelReader {
  /// The greatest size in bytes; the largest of a public app has 150 KB.
  static let greatestSize = 16 << 20
  /// The greatest number of properties, those that entities share counted again.
  private static let greatestCount = 50_000
  /// The greatest number of findings.
  private static let greatestFindingCount = 10_000

  let file: String
  var findings: [Finding] = []
  private var count = 0

  /// Returns the model in the archive's bytes.
  ///
  /// - Throws: ``ModelImportError``.
  /// - Complexity: O(*n*) in the bytes.
  static func read(_ bytes: [UInt8], file: String) throws(ModelImportError) -> ImportedModel {
    let root: ArchivedObject
    do throws(PropertyListError) {
      root = try KeyedArchive(bytes).root
    } catch { throw ModelImportError(error, file: file) }
    guard root.className == "XDPMModel" else {
      throw ModelImportError(
        .notAModel,
        file: file,
        message: "The archive holds an object of class \(root.className), not an editor's model.",
        recovery: "Name the elements file of an .xcdatamodel."
      )
    }
    var reader = LegacyModelReader(file: file)
    let model = try reader.model(root)
    return ImportedModel(model: model, findings: reader.findings)
  }

  private init(file: String) { self.file = file }

  private mutating func model(
    _ root: ArchivedObject
  ) throws(ModelImportError) -> ManagedObjectModel {
    guard let package = root["_xd_rootPackage"]?.object,
      let members = package["XDBucketForClassesstorage"]?.members
    else { throw damaged(root, "_xd_rootPackage", "a package of entities") }
    var entities: [EntityDescription] = []
    var templates: [FetchRequestTemplate] = []
    for member in members {
      guard let object = member.object, object.className == "XDPMEntity" else {
        throw damaged(package, "XDBucketForClassesstorage", "a list of entities")
      }
      entities.append(try entity(object, templates: &templates))
    }
    if let others = package["XDBucketForPackagesstorage"]?.members, !others.isEmpty {
      leaveOut("The packages inside of the model's own", at: Finding.Place(file: file))
    }
    if let configurations = root["_configurationsByName"]?.members, !configurations.isEmpty {
      leaveOut("The configurations, whose form is not known,", at: Finding.Place(file: file))
    }
    guard findings.count < Self.greatestFindingCount else { throw tooLarge("unknown parts") }
    do throws(PropertyListError) {
      try root.archive.checkEffort()
    } catch { throw ModelImportError(error, file: file) }
    do throws(ModelError) {
      return try ManagedObjectModel(
        entities: entities,
        fetchRequestTemplates: templates,
        versionIdentifiers: root["_modelVersionIdentifier"]?.string.map { [$0] } ?? []
      )
    } catch {
      throw ModelImportError(
        .inconsistentModel(error.code),
        file: file,
        message: error.message,
        recovery: error.recovery
      )
    }
  }

  /// Counts a property that is read.
  ///
  /// - Throws: ``ModelImportError`` where entities share properties beyond measure.
  mutating func visit() throws(ModelImportError) {
    count += 1
    guard count <= Self.greatestCount else { throw tooLarge("properties") }
  }

  private func tooLarge(_ parts: String) -> ModelImportError {
    ModelImportError(
      .tooLarge,
      file: file,
      message: "The archived model has more \(parts) than any real one.",
      recovery: "Models have far less; check that this is one."
    )
  }

  /// Returns the error that a key of an object does not hold what its class requires.
  func damaged(_ object: ArchivedObject, _ key: String, _ expected: String) -> ModelImportError {
    ModelImportError(object.unexpected(key, expected), file: file)
  }

  /// Notes something that is left out.
  mutating func leaveOut(_ what: String, at place: Finding.Place) {
    guard findings.count < Self.greatestFindingCount else { return }
    findings.append(
      Finding(
        .unusableValue,
        .warning,
        at: place,
        message: "\(what) cannot be used and is left out.",
        remedy: "Open the model in Xcode and save it, which writes a contents file."
      )
    )
  }
}

extension ArchivedValue {
  /// The members of a collection, in any order and without names.
  var members: [ArchivedValue]? { elements ?? pairs?.map(\.value) }
}
