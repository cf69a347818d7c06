#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// The number of the costly trials of a test that are made: a sixth, so that a run of all tests stays short,
/// or all where `WAYSTONE_ALL_TRIALS` is 1, as `Scripts/harden tests` sets it.
public enum Trials {
  /// Whether all are made.
  public static let areAll = ProcessInfo.processInfo.environment["WAYSTONE_ALL_TRIALS"] == "1"

  /// The trials of these that are made, the first one among them.
  public static func some<Trial>(of trials: [Trial]) -> [Trial] {
    areAll ? trials : stride(from: 0, to: trials.count, by: 6).map { trials[$0] }
  }

  /// The numbers of trials that are made, of so many.
  public static func some<Number: FixedWidthInteger & Sendable>(of count: Number) -> Range<Number> {
    0..<(areAll ? count : (count + 5) / 6)
  }
}
