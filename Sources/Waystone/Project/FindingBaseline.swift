public import Foundation
internal import ObjectModel

/// The findings that a project had when it began to check, so that only new ones fail.
///
/// A finding is known again by its rule, its place (file, version, entity and property) and what
/// changes there into what. Where two findings share all that, each needs an entry of its own. An edit
/// of a locked version is never in a baseline: the next edit has the same rule and place.
public struct FindingBaseline: Hashable, Sendable {
  /// The schema that a baseline's file names.
  static let schema = "waystone.baseline/1"
  /// The most bytes that a file may have.
  static let greatestSize = 16 << 20

  /// A finding that was there.
  struct Entry: Hashable, Codable, Sendable {
    var code: String
    var file: String?
    var version: String?
    var entity: String?
    var property: String?
    var change: String?

    init(_ finding: Finding) {
      code = finding.code.rawValue
      file = finding.place.file
      version = finding.place.version
      entity = finding.place.entity
      property = finding.place.property
      change = finding.change
    }
  }

  /// The content of the file.
  private struct Content: Codable {
    var schema: String
    var findings: [Entry]
  }

  /// The baseline's name in reports.
  let name: String
  /// The number of findings, by entry.
  private(set) var counts: [Entry: Int] = [:]

  /// The number of all findings.
  package var count: Int { counts.values.reduce(0, +) }

  /// The findings of a report, whether they fail or not, but for those that are accepted or break the
  /// lock.
  public init(_ report: CheckReport, name: String) {
    self.name = name
    for finding in report.allFindings where !finding.breaksLock {
      counts[Entry(finding), default: 0] += 1
    }
  }

  /// Reads a baseline.
  ///
  /// - Parameters:
  ///   - url: The file.
  ///   - name: The file's name in errors and reports.
  /// - Throws: ``WaystoneError``, `missingFile` or `badFile`.
  public init(at url: URL, name: String) throws(WaystoneError) {
    try self.init(path: try url.filePath, name: name)
  }

  package init(path: String, name: String) throws(WaystoneError) {
    self.name = name
    let bytes = try InputFile.bytes(of: path, shownAs: name, limit: Self.greatestSize)
    let read = try? JSONDecoder().decode(Content.self, from: Data(bytes))
    guard let read, read.schema == Self.schema else {
      let text = String(decoding: bytes, as: UTF8.self)
      let isConflict = text.contains("<<<<<<<") && text.contains(">>>>>>>")
      throw WaystoneError(
        .badFile,
        "\(name) is not a baseline of findings"
          + (isConflict ? ": a merge left its conflict in it." : "."),
        // Writing it anew would accept every new finding.
        recovery: isConflict
          ? "Remove the lines with marks and keep the findings of both sides, each once."
          : "Take it from the project's history. Or write one under a new name, which accepts all "
            + "findings of today: `waystone check --write-baseline FILE`."
      )
    }
    for entry in read.findings { counts[entry, default: 0] += 1 }
  }

  /// Returns the text of a file that keeps it, one finding a line, in an order that does not depend on the
  /// machine.
  package func text() throws -> String {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    let lines = try counts.flatMap { entry, count in
      let line = String(decoding: try encoder.encode(entry), as: UTF8.self)
      return Array(repeating: line, count: count)
    }.sorted(by: ByteOrder.precedes)
    let list = lines.isEmpty ? "[]" : "[\n    \(lines.joined(separator: ",\n    "))\n  ]"
    return "{\n  \"schema\": \"\(Self.schema)\",\n  \"findings\": \(list)\n}\n"
  }
}

extension CheckReport {
  /// Leaves out the findings that the baseline has, and counts those of the baseline that no longer exist.
  mutating func accept(_ baseline: FindingBaseline) {
    var left = baseline.counts
    func split(_ findings: inout [Finding], file: String? = nil) {
      findings.removeAll { finding in
        guard !finding.breaksLock else { return false }
        var whole = finding
        whole.place.file = finding.place.file ?? file
        guard let count = left[.init(whole)], count > 0 else { return false }
        left[.init(whole)] = count - 1
        known += 1
        return true
      }
    }
    for index in mappings.indices {
      split(&mappings[index].findings, file: mappings[index].path)
    }
    split(&findings)
    baselineName = baseline.name
    gone = left.values.reduce(0, +)
  }
}
