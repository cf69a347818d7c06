import Files
package import MigrationPlanning

/// The room that a run needs beside its store.
package enum DiskNeed {
  /// The bytes that a run needs for a store of any size.
  private static let margin: Int64 = 8 << 20

  /// Returns the bytes that must be free where the result is made.
  ///
  /// The result and the checkpoint before it are there at once. An authored hop has a scratch
  /// database besides, and the checkpoint that its segment began with is kept.
  /// - Parameters:
  ///   - size: The bytes of the store and its `-wal`.
  ///   - externalFiles: The bytes of the files that an output gets copies of.
  package static func bytes(
    for plan: MigrationPlan,
    storeOf size: Int64,
    externalFiles: Int64 = 0
  ) -> Int64 {
    let copies = plan.hops.isEmpty ? 1 : plan.hops.contains { $0.kind == .authored } ? 4 : 2
    let (product, overflow) = size.multipliedReportingOverflow(by: Int64(copies))
    guard !overflow else { return .max }
    return [externalFiles, margin].reduce(product) { sum, part in
      let (sum, overflow) = sum.addingReportingOverflow(part)
      return overflow ? .max : sum
    }
  }

  /// Refuses to begin where a disk cannot hold the checkpoints beside the original.
  ///
  /// - Parameter folder: A folder on the disk.
  static func check(_ needed: Int64, at folder: String, of workspace: Workspace) throws {
    let free = try FileSystem.freeSpace(at: folder)
    guard free < needed else { return }
    throw MigrationError(
      .inputOutput,
      "The disk of \(workspace.destination) has \(free) bytes free, and the run may "
        + "need \(needed).",
      recovery: "Free some space, or choose an output on another disk."
    )
  }
}
