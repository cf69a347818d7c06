import MigrationPlanning
import ObjectModel

extension PlanReport {
  /// The rows and bytes that a run of the plan moves, where a store was read.
  var sizes: JSONMembers {
    guard let disk else { return [:] }
    return [
      "rows": hops.first?.size?.rows, "bytes": bytes, "diskNeeded": disk.needed,
      "diskFree": disk.free,
    ]
  }

  /// The bytes that a run writes, the working copy included; nil where a hop's are not known.
  private var bytes: Int64? {
    guard let disk, !hops.isEmpty else { return disk.map { _ in 0 } }
    var sum = disk.store
    for (index, hop) in hops.enumerated() {
      guard let size = hop.size else { return nil }
      guard let pass = passes.first(where: { $0.contains(index + 1) }) else {
        sum = sum.addingReportingOverflow(size.bytes).partialValue
        continue
      }
      // Hops that share a pass write as much as the one of them that writes most.
      guard pass.upperBound == index + 1 else { continue }
      let sizes = hops[pass.lowerBound - 1..<pass.upperBound].map { $0.size?.bytes ?? 0 }
      sum = sum.addingReportingOverflow(sizes.max() ?? 0).partialValue
    }
    return sum
  }

  /// The room that a run takes, below its steps.
  var diskLines: [StyledText] {
    guard let disk, isComplete, !hops.isEmpty else { return [] }
    let written = bytes.map { "writes about \(Quantity.bytes(Int(clamping: $0))), and " } ?? ""
    let needed = "needs \(Quantity.bytes(Int(clamping: disk.needed))) free"
    var line = StyledText("The run \(written)\(needed).")
    if let free = disk.free, free < disk.needed {
      line = line + StyledText("  \(Quantity.bytes(Int(clamping: free))) are free", .bad)
    }
    return ["", line]
  }
}

extension PlanReport.Step: MemberEncodable {
  package var members: JSONMembers {
    var members: JSONMembers = [
      "from": from, "to": to, "kind": kind, "reason": reason, "worst": worst.name,
      "mappings": mappings, "policies": policies, "findings": findings,
    ]
    if let account { members += ["account": account.members] }
    guard let size else { return members }
    return members + ["rows": size.rows, "bytes": size.bytes, "diskNeeded": size.diskNeeded]
  }

  /// The lines on the rows and bytes that the step moves.
  var sizeLines: [StyledText] {
    guard let size else { return [] }
    let rows = Quantity.count(Int(clamping: size.rows), "row")
    return [
      StyledText("   \(rows), about \(Quantity.bytes(Int(clamping: size.bytes))) to write", .faint)
    ]
  }
}
