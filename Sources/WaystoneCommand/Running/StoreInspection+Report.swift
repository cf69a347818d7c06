internal import MigrationReporting
internal import StoreAccess
internal import Waystone

extension StoreInspection {
  /// Returns the report of `inspect`.
  func report(names: VersionNames) -> InspectionReport {
    var report = InspectionReport(
      path: path,
      bytes: bytes,
      match: .none,
      versions: [],
      facts: facts,
      entities: metadata.versionHashes.keys.sorted(by: ByteOrder.precedes).map { name in
        let number = primaryKeys[name]?.entityNumber
        return InspectionReport.Entity(
          name: name,
          hash: metadata.versionHashes[name]?.description ?? "",
          number: number.map { Int(clamping: $0) },
          rows: entitiesWithoutTable.contains(name)
            ? nil
            : objectCounts.map { $0[name] ?? 0 }
              ?? number.flatMap { number in rowCounts.map { $0[number] ?? 0 } }
        )
      },
      findings: findings
    )
    report.hasRowCounts = rowCounts != nil || objectCounts != nil
    report.entitiesWithoutTable = entitiesWithoutTable
    report.take(identification, isRecovered: recoveredModel != nil, name: names.name)
    if identification.isUnknown, recoveredModel == nil, otherKind == nil {
      report.structure = StructuralMatch.nearest(to: schema, among: versions).map { match in
        InspectionReport.Structure(
          version: names.name(of: match.version),
          agrees: match.agrees,
          differences: match.differences
        )
      }
    }
    return report
  }

  private var facts: [(name: String, value: String)] {
    let known = [
      ("kind", otherKind == .xml ? "XML (NSXMLStoreType); results are of the SQLite kind" : ""),
      ("uuid", metadata.uuid),
      ("identifiers", metadata.versionIdentifiers.filter { !$0.isEmpty }.joined(separator: ", ")),
      ("frameworkVersion", metadata.frameworkVersion.map { "\($0)" } ?? ""),
      ("swiftData", swiftData?.description ?? ""),
      ("checksum", metadata.versionChecksum ?? ""),
      ("digest", metadata.versionHashesDigest ?? ""),
      (
        "cleanup",
        metadata.isCleanupPending ? "pending: `waystone finish` removes what is left" : ""
      ),
    ]
    return known.filter { !$0.1.isEmpty }
  }
}
