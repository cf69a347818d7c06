import ModelCoding
import ModelImport
import ObjectModel
import PropertyLists
import SwiftDataImport
import XMLParsing

/// A reader of foreign files, with all that runs on what it has read.
enum FuzzTarget: String, CaseIterable {
  /// Binary property lists.
  case plist
  /// Keyed archives: of compiled models, compressed ones of the model cache, and Xcode 3's.
  case archive
  /// The XML of model versions, and any XML element by element.
  case xml
  /// Swift sources with SwiftData models; only in a build with the reader of those.
  case swift
  /// The list of an Xcode project's targets.
  case project

  /// The greatest size, in bytes, of an input that is written, too: writing need not withstand hostile input.
  private static let greatestRoundTrip = 1 << 14

  /// Reads the input, and returns for each input, damaged ones included.
  func run(_ bytes: [UInt8]) {
    switch self {
    case .plist: Self.readList(bytes)
    case .archive: Self.readArchive(bytes)
    case .xml:
      Self.readModel(bytes)
      Self.readElements(bytes)
    case .swift: Self.readSource(bytes)
    case .project: Self.readProject(bytes)
    }
  }

  /// Reads the children of the root one by one, in small parts.
  private static func readElements(_ bytes: [UInt8]) {
    var offset = 0
    try? XMLElementStream.forEachChild(within: .model) {
      let part = bytes[offset...].prefix(61)
      offset += part.count
      return part
    } _: { _, element in
      _ = EscapedText.unescaped(element.text)
      return true
    }
  }

  private static func readSource(_ bytes: [UInt8]) {
    #if SwiftData
      let text = SourceText(name: "A.swift", bytes: bytes)
      guard let archive = try? SourceArchive.read([text]) else {
        fatalError("A single file was refused.")
      }
      // A package's manifest is Swift, too.
      let manifest = SourceText(name: "Package.swift", bytes: bytes)
      use(try? ProjectTargets(projects: [], texts: [manifest, text]), texts: [manifest, text])
      for schema in archive.schemas {
        // A known hash is that of an entity of the schema; unknown ones are reported by findings.
        let isTold = schema.unknownEntities.isEmpty || !schema.findings.isEmpty
        guard isTold, schema.knownHashes.keys.allSatisfy({ schema.model?[$0] != nil }) else {
          fatalError("A schema does not tell what is unknown.")
        }
      }
    #else
      fatalError("This build reads no Swift sources.")
    #endif
  }

  private static func readProject(_ bytes: [UInt8]) {
    let name = "App.xcodeproj/project.pbxproj"
    guard
      let targets = try? ProjectTargets(
        projects: [SourceText(name: name, bytes: bytes)],
        texts: []
      )
    else { fatalError("A project that is not understood is a finding.") }
    use(
      targets,
      texts: ["App/A.swift", "App/B/C.swift", "../D.swift"].map { SourceText(name: $0, bytes: []) }
    )
  }

  /// Selects the files of each target, and ends the process where one has a file twice.
  private static func use(_ targets: ProjectTargets?, texts: [SourceText]) {
    guard let targets else { return }
    for target in targets.targets.prefix(20) {
      let chosen = targets.selection(of: targets.targets(called: target.name), from: texts).texts
      guard chosen.count <= texts.count else { fatalError("A target has a file twice.") }
    }
  }

  private static func readList(_ bytes: [UInt8]) {
    guard let list = try? PropertyList(binary: bytes), bytes.count <= greatestRoundTrip else {
      return
    }
    // Bytes are compared, since a list that holds not-a-number is not equal to itself.
    let written = list.binary
    guard let again = try? PropertyList(binary: written), again.binary == written else {
      fatalError("A list that was read is written as one that differs.")
    }
  }

  private static func readArchive(_ bytes: [UInt8]) {
    let isList = bytes.starts(with: "bplist".utf8)
    let decoded = try? isList ? ModelArchiveDecoder.decode(bytes) : ModelCache.decode(bytes)
    let legacy =
      isList ? try? ModelImporter.importModel(elements: bytes, file: "elements") : nil
    guard bytes.count <= greatestRoundTrip else { return }
    if let model = decoded?.model ?? legacy?.model { use(model) }
  }

  private static func readModel(_ bytes: [UInt8]) {
    guard let imported = try? ModelImporter.importModel(contents: bytes, file: "contents"),
      bytes.count <= greatestRoundTrip
    else { return }
    use(imported.model)
  }

  /// Hashes and writes a model that was read, and ends the process where the copy differs.
  private static func use(_ model: ManagedObjectModel) {
    _ = model.versionChecksum
    if let archive = try? ModelArchiveEncoder.encode(model) {
      guard let again = try? ModelArchiveDecoder.decode(archive),
        again.model.entityVersionHashes == model.entityVersionHashes
      else { fatalError("A model that was read is archived as one that differs.") }
    }
    if let output = try? ModelXMLWriter.write(model) {
      let contents = Array(output.contents.utf8)
      guard let again = try? ModelImporter.importModel(contents: contents, file: "contents"),
        again.model.entityVersionHashes == model.entityVersionHashes
      else { fatalError("A model that was read is exported as one that differs.") }
    }
  }
}
