#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif
#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// Measures plans and coverage of a history of a thousand versions of twenty entities, and how they grow
/// from a hundred.
///
/// Each version changes one entity: attributes come, go, and get other names, and now and then a required
/// attribute or a pair of relationships comes.
struct ScaleBenchmark {
  let waystone: String
  let folder: String
  let runs: Int

  /// The limit of one command for a thousand versions.
  struct Limit {
    let name: String
    /// Seconds of processor time, and of wall time.
    let seconds: Double
    let wall: Double
    let megabytes: Int
    /// The megabytes that it prints.
    let output: Int?
  }

  static let counts = [100, 1_000]
  static let plan = Limit(name: "plan", seconds: 8, wall: 0.7, megabytes: 400, output: nil)
  static let coverage = Limit(
    name: "coverage",
    seconds: 20,
    wall: 20,
    megabytes: 600,
    output: 5
  )
  /// The power of the number of versions with which processor time may grow.
  static let growth = 1.3

  /// Measures and prints the table.
  ///
  /// - Returns: Whether all limits hold.
  func run() throws -> Bool {
    var table = AlignedTable([
      ["versions", "what", "wall s", "CPU s", "peak MB", "printed MB", "growth", ""]
    ])
    var isWithinLimits = true
    for count in Self.counts { try HistoryText(entityCount: 20).write(count, to: archive(count)) }
    for limit in [Self.plan, Self.coverage] {
      var first: Double?
      for count in Self.counts {
        let figures = try measure(limit, count)
        let growth = first.map { log(figures.processor / $0) / log(10) }
        first = figures.processor
        let isLast = count == Self.counts.last
        let isKept =
          !isLast
          || figures.processor <= limit.seconds && figures.wall <= limit.wall
            && figures.peak <= limit.megabytes
            && figures.printed <= Double(limit.output ?? .max) && growth ?? 0 <= Self.growth
        isWithinLimits = isWithinLimits && isKept
        table.append([
          "\(count)", limit.name, ResultTable.text(figures.wall),
          ResultTable.text(figures.processor), "\(figures.peak)",
          ResultTable.text(figures.printed), growth.map { "n^" + ResultTable.text($0) } ?? "",
          isKept ? "ok" : "OVER",
        ])
      }
    }
    print(
      """

      medians of \(runs) runs; limits for \(Self.counts.last ?? 0) versions: plan \(Self.plan.wall) s, \
      \(Self.plan.seconds) s of CPU and \(Self.plan.megabytes) MB, coverage as JSON \(Self.coverage.seconds) s, \
      \(Self.coverage.megabytes) MB and \(Self.coverage.output ?? 0) MB printed, growth n^\(Self.growth)

      """
    )
    print(table.text(leadingColumns: [1, 7]))
    return isWithinLimits
  }

  private func archive(_ count: Int) -> String { "\(folder)/History\(count).xcdatamodeld" }

  private func measure(
    _ limit: Limit,
    _ count: Int
  ) throws -> (wall: Double, processor: Double, peak: Int, printed: Double) {
    let output = "\(folder)/scale.txt"
    let options = ["--to", "v\(count)", "--models", archive(count)]
    let arguments =
      limit.output == nil ? ["plan", "v1"] + options : ["coverage", "--format", "json"] + options
    // What coverage finds is no failure of the command.
    let script = "\"$0\" \"$@\" > '\(output)' || test $? -eq 1"
    let all = try (0..<runs).map { _ in
      try Measurement.running("/bin/sh", ["-c", script, waystone] + arguments)
    }
    let attributes = try FileManager.default.attributesOfItem(atPath: output)
    let size = (attributes[.size] as? any BinaryInteger).map { Int(clamping: $0) } ?? 0
    guard size > 0 else { throw BenchmarkError("\(limit.name) printed nothing") }
    return (
      ResultTable.median(all.map(\.wall)), ResultTable.median(all.map(\.processor)),
      (all.map(\.peak).max() ?? 0) >> 20, Double(size) / 1_000_000
    )
  }
}

/// A model's history by chance, the same every time.
struct HistoryText {
  private struct Attribute {
    var renamingIdentifier: String?
    var isOptional = true
  }

  private struct Relationship {
    let destination: Int
    let inverse: String
    let isToMany: Bool
  }

  private var attributes: [[String: Attribute]]
  private var relationships: [[String: Relationship]]
  private var serial = 100
  private var state: UInt64 = 7

  init(entityCount: Int) {
    let names = (0..<6).map { "value\($0)" }
    let first = Dictionary(uniqueKeysWithValues: names.map { ($0, Attribute()) })
    attributes = Array(repeating: first, count: entityCount)
    relationships = Array(repeating: [:], count: entityCount)
  }

  /// Writes so many versions, `v1` and on.
  func write(_ count: Int, to archive: String) throws {
    var history = self
    for version in 1...count {
      if version > 1 { history.change(version) }
      let folder = "\(archive)/v\(version).xcdatamodel"
      try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
      try Data(history.contents.utf8).write(to: URL(filePath: "\(folder)/contents"))
    }
    let current = """
      <?xml version="1.0" encoding="UTF-8"?>
      <plist version="1.0"><dict><key>_XCCurrentVersionName</key>\
      <string>v\(count).xcdatamodel</string></dict></plist>
      """
    try Data(current.utf8).write(to: URL(filePath: "\(archive)/.xccurrentversion"))
  }

  private mutating func random(below limit: Int) -> Int {
    state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
    return Int((state >> 33) % UInt64(limit))
  }

  private mutating func change(_ version: Int) {
    let entity = version % attributes.count
    let names = attributes[entity].keys.sorted()
    let name = names[random(below: names.count)]
    let new = "value\(serial)"
    switch random(below: 100) {
    case ..<40: attributes[entity][new] = Attribute()
    case ..<55:
      var attribute = attributes[entity].removeValue(forKey: name) ?? Attribute()
      attribute.renamingIdentifier = attribute.renamingIdentifier ?? name
      attributes[entity][new] = attribute
    case ..<93 where names.count > 4: attributes[entity][name] = nil
    case ..<97: attributes[entity][new] = Attribute(isOptional: false)
    default:
      let other = (entity + 7) % attributes.count
      relationships[entity]["link\(serial)"] = Relationship(
        destination: other,
        inverse: "back\(serial)",
        isToMany: true
      )
      relationships[other]["back\(serial)"] = Relationship(
        destination: entity,
        inverse: "link\(serial)",
        isToMany: false
      )
    }
    serial += 1
  }

  private func name(_ entity: Int) -> String { "Entity\(entity + 100)" }

  private var contents: String {
    var lines = [
      #"<?xml version="1.0" encoding="UTF-8" standalone="yes"?>"#,
      #"<model type="com.apple.IDECoreDataModeler.DataModel" documentVersion="1.0">"#,
    ]
    for entity in attributes.indices {
      lines.append(#"  <entity name="\#(name(entity))" syncable="YES">"#)
      for (name, attribute) in attributes[entity].sorted(by: { $0.key < $1.key }) {
        let identifier = attribute.renamingIdentifier.map { #" elementID="\#($0)""# } ?? ""
        let value = attribute.isOptional ? #" optional="YES""# : #" defaultValueString="x""#
        lines.append(
          #"    <attribute name="\#(name)" attributeType="String"\#(value)\#(identifier)/>"#
        )
      }
      for (name, link) in relationships[entity].sorted(by: { $0.key < $1.key }) {
        let destination = self.name(link.destination)
        let count = link.isToMany ? #"toMany="YES""# : #"maxCount="1""#
        lines.append(
          #"    <relationship name="\#(name)" optional="YES" \#(count) deletionRule="Nullify""#
            + #" destinationEntity="\#(destination)" inverseName="\#(link.inverse)""#
            + #" inverseEntity="\#(destination)"/>"#
        )
      }
      lines.append("  </entity>")
    }
    return (lines + ["</model>", ""]).joined(separator: "\n")
  }
}
