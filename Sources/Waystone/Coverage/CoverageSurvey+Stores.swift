internal import Files
private import Foundation
internal import MigrationPlanning
internal import ObjectModel
internal import StoreAccess

extension CoverageSurvey {
  /// The greatest number of files below a folder that are looked at.
  private static let greatestFileCount = 100_000

  /// Adds the paths of stores, and of all stores below folders.
  ///
  /// - Throws: ``WaystoneError`` where nothing is at a path; a store that cannot be read is a finding.
  mutating func addStores(at paths: [String]) throws {
    for path in paths {
      let resolved = project.folder.resolved(path)
      guard let status = try InputFile.status(resolved, shownAs: path) else {
        throw WaystoneError(
          .missingFile,
          "There is no \(path).",
          recovery: "Name a store, or a folder of stores."
        )
      }
      guard status.kind == .folder else {
        add(store: path)
        continue
      }
      let names = try Self.stores(below: resolved, shownAs: path)
      for name in names { add(store: "\(path)/\(name)") }
      guard names.isEmpty else { continue }
      findings.append(
        Finding(
          .storeNotCovered,
          .error,
          at: Finding.Place(file: path),
          message: "No store is below the folder, or none that can be seen.",
          remedy: "Name the folder of stores itself, and check its permissions."
        )
      )
    }
  }

  /// The endings of stores' names; a file of such a name is looked at whatever it holds.
  private static let extensions = ["sqlite", "sqlite3", "db", "store", "storedata"]

  /// The paths of the files below a folder that are SQLite's or are called so, in byte order.
  ///
  /// One that is called so and holds something else, such as a pointer to a file that was never
  /// fetched, is told of rather than passed over.
  private static func stores(below folder: String, shownAs path: String) throws -> [String] {
    guard let walk = FileManager.default.enumerator(atPath: folder) else { return [] }
    var found: [String] = []
    var count = 0
    while let name = walk.nextObject() as? String {
      count += 1
      guard count <= greatestFileCount else {
        throw WaystoneError(
          .badArgument,
          "\(path) holds more than 100,000 files.",
          recovery: "Name the folder of stores itself."
        )
      }
      let file = "\(folder)/\(name)"
      guard try FileSystem.status(file)?.kind == .file else { continue }
      let isNamedSo = extensions.contains { name.lowercased().hasSuffix(".\($0)") }
      if isNamedSo || isDatabase(file) { found.append(name) }
    }
    return found.sorted(by: ByteOrder.precedes)
  }

  /// Whether a file begins as SQLite databases do (https://www.sqlite.org/fileformat.html).
  private static func isDatabase(_ path: String) -> Bool {
    guard let file = FileHandle(forReadingAtPath: path) else { return false }
    defer { try? file.close() }
    let start = try? file.read(upToCount: 16)
    return start.map { Array($0) == Array("SQLite format 3\0".utf8) } ?? false
  }

  /// Adds the path of one store.
  private mutating func add(store path: String) {
    do {
      let request = try request(store: path)
      try request.asking { evidence in
        let file = project.folder.resolved(path)
        let store = (path, try FileSystem.size(of: file) ?? 0, evidence)
        if let index = parts.firstIndex(where: { $0.graph.nodes == request.graph.nodes }) {
          parts[index].add(request.source, store: store)
        } else {
          // Of versions put together, those edges count that the graph has.
          var part = try part(path, request.graph, to: request.destination, bundled: nil)
          part.add(request.source, store: store)
          parts.append(part)
        }
      }
    } catch {
      let failure = WaystoneError(error)
      findings.append(
        Finding(
          .storeNotCovered,
          .error,
          at: Finding.Place(file: path),
          message: failure.message.replacing(project.folder.resolved(path), with: path),
          remedy: failure.recovery
        )
      )
    }
  }

  /// From where to where a store is to be brought; the models that it has together go each to their
  /// current version.
  private func request(store path: String) throws -> PlanningRequest {
    let store = try project.inspection(of: path)
    var end = options.version.text
    if store.identification.match == .merged, isForCurrent {
      end = store.identification.versions.map { "\($0.modelName)/@current" }
        .joined(separator: ",")
    }
    return try PlanningRequest(store: path, to: end, in: project)
  }
}
