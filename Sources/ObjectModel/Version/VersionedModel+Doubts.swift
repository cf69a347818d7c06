extension VersionedModel {
  /// Where the order of the versions does not follow from their names, or skips a number.
  ///
  /// The order carries the meaning of an app's history. Names that only a number tells apart have
  /// one; the unnumbered comes first. Numbers that are skipped may be versions that nobody archived,
  /// unless the names skip more often than not, as dates and builds do.
  public var orderFindings: [Finding] {
    if hasDeclaredOrder { return [] }
    let steps = zip(versions, versions.dropFirst())
    let kinds = steps.map { NaturalOrder.step(from: $0.name, to: $1.name) }
    let gaps = kinds.count { $0 == .skipping }
    let isCounted = kinds.count { $0 == .next } > gaps
    return zip(steps, kinds).compactMap { step, kind in
      switch kind {
      case .next, .later: return nil
      case .skipping: return isCounted ? Self.gap(step.0, step.1) : nil
      case .doubtful: return Self.doubt(step.0, step.1)
      }
    }
  }

  private static func gap(_ old: ModelVersion, _ new: ModelVersion) -> Finding {
    Finding(
      .doubtfulOrder,
      .note,
      at: Finding.Place(file: new.path.isEmpty ? nil : new.path, version: new.name),
      message: "Between \(old.name) and \(new.name) the numbers skip: a version may be missing.",
      remedy: "Archive what shipped between the two, or write `order:` in waystone.yml."
    )
  }

  private static func doubt(_ old: ModelVersion, _ new: ModelVersion) -> Finding {
    Finding(
      .doubtfulOrder,
      .warning,
      at: Finding.Place(file: new.path.isEmpty ? nil : new.path, version: new.name),
      message:
        "That \(new.name) comes after \(old.name) does not follow from the names; they are in "
        + "the order of the alphabet.",
      remedy: "Write `order:` in waystone.yml."
    )
  }
}

extension NaturalOrder {
  /// How a name follows the one before it.
  enum Step: Hashable {
    /// By the next number.
    case next
    /// By a number that is not the next one.
    case skipping
    /// By some number.
    case later
    /// By nothing but the alphabet.
    case doubtful
  }

  /// Whether a name is another with its last number one greater: `v2` and `v3`, `App 2` and `App 3`.
  package static func counts(from first: String, to second: String) -> Bool {
    pieces(of: first).count == pieces(of: second).count && step(from: first, to: second) == .next
  }

  /// How a name follows one that precedes it.
  static func step(from first: String, to second: String) -> Step {
    let (left, right) = (pieces(of: first), pieces(of: second))
    if let place = zip(left, right).enumerated().first(where: { $1.0 != $1.1 })?.offset {
      switch (left[place], right[place]) {
      case (.number(let a), .number(let b)):
        let isLast = place == left.count - 1 && place == right.count - 1
        guard isLast, let a = value(a), let b = value(b) else { return .later }
        return b == a + 1 ? .next : .skipping
      case (.text(let a), .text(let b)):
        // The unnumbered name, and the same with a space and a number.
        let isBase = place == left.count - 1 && b.starts(with: a) && right.count > place + 1
        guard isBase, case .number(let digits) = right[place + 1] else { return .doubtful }
        guard right.count == place + 2, b.count <= a.count + 1 else { return .later }
        return value(digits).map { $0 <= 2 ? .next : .skipping } ?? .later
      default: return .doubtful
      }
    }
    // One name begins with the other.
    let rest = right.dropFirst(left.count)
    guard case .number(let digits)? = rest.first else {
      return rest.contains { if case .number = $0 { true } else { false } } ? .later : .doubtful
    }
    guard rest.count == 1 else { return .later }
    return value(digits).map { $0 <= 2 ? .next : .skipping } ?? .later
  }

  private static func value(_ digits: [UInt8]) -> Int? {
    digits.count < 10 ? Int(String(decoding: digits, as: UTF8.self)) : nil
  }
}
