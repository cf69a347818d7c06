import Foundation
import NotesPolicies
import Waystone

/// The policy of the sample Notes, but for notes whose title tells it to misbehave.
final class StubbornImagePolicy: ImageAttachmentPolicy {
  override func createDestinationInstances(
    forSource sInstance: ManagedObject,
    in mapping: EntityMapping,
    manager: MigrationManager
  ) throws {
    switch try sInstance.object(forKey: "note")?.string(forKey: "title") {
    case "hang": hang()
    case "grow": grow()
    default: break
    }
    try super.createDestinationInstances(forSource: sInstance, in: mapping, manager: manager)
  }

  private func hang() -> Never {
    while true { Thread.sleep(forTimeInterval: 3_600) }
  }

  /// Takes up some 160 MB a second, so that the dispatcher sees it long before the system's bound.
  private func grow() -> Never {
    var kept: [[UInt8]] = []
    while true {
      kept.append([UInt8](repeating: UInt8(truncatingIfNeeded: kept.count), count: 8 << 20))
      Thread.sleep(forTimeInterval: 0.05)
    }
  }
}
