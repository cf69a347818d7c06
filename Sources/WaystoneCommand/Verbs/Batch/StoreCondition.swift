internal import BatchMigration
internal import Waystone

/// A condition that selects stores: `name=*.sqlite` or `size<10MB`.
struct StoreCondition {
  private enum Comparison: String, CaseIterable {
    case atMost = "<="
    case atLeast = ">="
    case less = "<"
    case more = ">"
    case equal = "="
  }

  private let field: String
  private let comparison: Comparison
  private let value: String
  private let text: String

  /// - Throws: ``WaystoneError``, `badArgument`, where it is none.
  init(_ text: String) throws(WaystoneError) {
    guard
      let place = text.firstIndex(where: { "<>=".contains($0) }),
      let comparison = Comparison.allCases.first(where: { text[place...].hasPrefix($0.rawValue) })
    else { throw Self.misunderstood(text) }
    self.text = text
    field = String(text[..<place])
    self.comparison = comparison
    value = String(text[place...].dropFirst(comparison.rawValue.count))
  }

  /// Narrows a selection.
  func apply(to selection: inout LedgerSelection) throws(WaystoneError) {
    switch (field, comparison) {
    case ("name", .equal):
      guard selection.names == nil else { throw Self.misunderstood(text) }
      selection.names = value
    case ("size", _):
      guard let size = ByteCount(argument: value)?.bytes else { throw Self.misunderstood(text) }
      let range: ClosedRange<Int64> =
        switch comparison {
        case .atMost: 0...size
        case .less: 0...max(0, size - 1)
        case .atLeast: size...Int64.max
        case .more: min(size, .max - 1) + 1...Int64.max
        case .equal: size...size
        }
      let known = selection.bytes ?? 0...Int64.max
      guard known.overlaps(range) else {
        throw WaystoneError(
          .badArgument,
          "No store has the size that the conditions ask for.",
          recovery: "Leave one of them out."
        )
      }
      selection.bytes = known.clamped(to: range)
    default: throw Self.misunderstood(text)
    }
  }

  private static func misunderstood(_ text: String) -> WaystoneError {
    WaystoneError(
      .badArgument,
      "\(text) is no condition on a store.",
      recovery: "Write one name=PATTERN, and as many as needed of size<10MB, size>=1MB."
    )
  }
}
