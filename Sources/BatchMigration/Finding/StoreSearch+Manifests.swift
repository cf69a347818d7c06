internal import Files
private import Foundation
internal import Waystone

extension StoreSearch {
  /// Searches all that a manifest names: JSON lines with `path` and perhaps `name`, or CSV with a header.
  ///
  /// Paths are relative to the working folder; a record that is none, or names nothing, is an oddity.
  ///
  /// - Parameter manifest: The path of the manifest, or `-` for standard input.
  /// - Throws: ``WaystoneError`` where the manifest cannot be read, or is a table without a column `path`;
  ///   and what the closure throws.
  package mutating func search(
    manifest: String,
    _ body: (FoundStore) throws -> Void
  ) throws -> SearchTally {
    tally = SearchTally()
    isNamed = true
    defer { isNamed = false }
    let shown = manifest == "-" ? "standard input" : manifest
    var records: StoreManifest
    do { records = try StoreManifest(Self.bytes(of: manifest, options.folder)) } catch {
      throw Self.unreadable(manifest: shown, error)
    }
    while true {
      let record: StoreManifest.Record?
      do { record = try records.next() } catch let error as StoreManifest.Malformed {
        tally.add("\(ShownName.of(shown)):\(records.line)", error.reason)
        continue
      } catch {
        throw Self.unreadable(manifest: shown, error)
      }
      guard let record else { return tally }
      let place = "\(ShownName.of(shown)):\(records.line)"
      guard let name = name(of: record) else {
        tally.add(place, "Its name is empty, absolute, or leads upwards (`..`).")
        continue
      }
      try searchItem(
        at: options.folder.resolved(record.path),
        name: name,
        shownAs: record.path,
        body
      )
    }
  }

  /// Returns the start of the names of stores that a record names; nil where its name is not valid.
  private func name(of record: StoreManifest.Record) -> String? {
    guard let name = record.name else { return try? rootName(options.folder.resolved(record.path)) }
    guard let path = try? MemberPath(text: name), !path.components.isEmpty else { return nil }
    return path.text
  }

  private static func bytes(
    of manifest: String,
    _ folder: WorkingFolder
  ) throws -> (inout [UInt8]) throws -> Int {
    if manifest == "-" {
      return { buffer in
        let data = try FileHandle.standardInput.read(upToCount: buffer.count) ?? Data()
        buffer.replaceSubrange(..<data.count, with: data)
        return data.count
      }
    }
    let file = OpenManifest(file: try OpenFile(reading: folder.resolved(manifest)))
    return { try file.read(into: &$0) }
  }

  /// A file that a closure reads from its start to its end.
  private final class OpenManifest {
    private let file: OpenFile
    private var offset: Int64 = 0

    init(file: consuming OpenFile) { self.file = file }

    func read(into buffer: inout [UInt8]) throws -> Int {
      let count = try file.read(into: &buffer, at: offset)
      offset += Int64(count)
      return count
    }
  }

  private static func unreadable(manifest shown: String, _ error: any Error) -> WaystoneError {
    if let error = error as? StoreManifest.Malformed {
      return WaystoneError(
        .badFile,
        "\(shown) is no manifest. \(error.reason)",
        recovery: #"Write a line {"path": "…"} for each store, or CSV with a header: path,name."#
      )
    }
    let reason = (error as? FileError)?.reason ?? WaystoneError(error).message
    return WaystoneError(
      .missingFile,
      "\(shown) cannot be read: \(reason).",
      recovery: "Check the path of the manifest."
    )
  }
}
