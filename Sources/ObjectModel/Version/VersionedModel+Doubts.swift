extension VersionedModel {
  /// Returns the places at which the order of the versions does not follow from their names, or skips a
  /// number.
  ///
  /// The order carries the meaning of an app's history. Names that differ only in a number have one; the
  /// unnumbered comes first. Skipped numbers may be versions that were not archived, unless the names skip
  /// more often than not, as dates and builds do.
  ///
  /// A version that follows the current one only by the alphabet, or another against the numbers that end
  /// both names, contradicts the order: that is an error, and the only finding.
  public var orderFindings: [Finding] {
    if hasDeclaredOrder { return [] }
    let steps = zip(versions, versions.dropFirst())
    let kinds = steps.map { NaturalOrder.step(from: $0.name, to: $1.name) }
    if let contradiction = contradiction(of: kinds) ?? numberContradiction {
      return [contradiction]
    }
    let gaps = kinds.count { $0 == .skipping }
    let isCounted = kinds.count { $0 == .next } > gaps
    let doubts = zip(steps, kinds).compactMap { step, kind -> Finding? in
      switch kind {
      case .next, .later: nil
      case .skipping: isCounted ? Self.gap(step.0, step.1) : nil
      case .doubtful: Self.doubt(step.0, step.1)
      }
    }
    return [earlyCurrent].compactMap(\.self) + doubts
  }

  /// Returns the finding that some versions follow the current one by the alphabet alone; nil where none
  /// does.
  private func contradiction(of kinds: [NaturalOrder.Step]) -> Finding? {
    guard let place = versions.firstIndex(where: \.isCurrent),
      let step = kinds.indices.first(where: { $0 >= place && kinds[$0] == .doubtful })
    else { return nil }
    let later = versions[(step + 1)...]
    return Finding(
      .doubtfulOrder,
      .error,
      at: Self.place(later[step + 1]),
      message: "The order of the versions of \(name) is in doubt: \(Self.list(later.map(\.name))) "
        + "\(later.count == 1 ? "stands" : "stand") after the current version "
        + "\(versions[place].name) by the alphabet alone.",
      remedy: "Write `order:` in waystone.yml, the oldest version first."
    )
  }

  /// The finding that the alphabet puts a version after one with a greater number; nil where it does not.
  private var numberContradiction: Finding? {
    var last: [EndNumber.Series: ModelVersion] = [:]
    for version in versions {
      guard let series = EndNumber(version.name)?.series else { continue }
      if let earlier = last[series],
        NaturalOrder.isEarlierByNumber(version.name, earlier.name) == true
      {
        return Finding(
          .doubtfulOrder,
          .error,
          at: Self.place(version),
          message: "The order of the versions of \(name) is in doubt: \(version.name) stands after "
            + "\(earlier.name) by the alphabet alone, against the numbers in their names.",
          remedy: "Write `order:` in waystone.yml, the oldest version first."
        )
      }
      last[series] = version
    }
    return nil
  }

  /// The finding that most versions follow the current one, as where an app moved on to another framework;
  /// nil where they do not.
  ///
  /// Its place is the current version.
  package var earlyCurrent: Finding? {
    guard !hasDeclaredOrder, let place = versions.firstIndex(where: \.isCurrent) else { return nil }
    let later = versions[(place + 1)...]
    guard later.count > place + 1, later.count > 1 else { return nil }
    return Finding(
      .doubtfulOrder,
      .warning,
      at: Self.place(versions[place]),
      message:
        "\(version: versions[place].name) is the current version of \(name), and \(later.count) versions "
        + "stand after it: \(Self.list(later.map(\.name))).",
      advice: "If they are newer, make the newest the current version. If not, write `order:` in "
        + "waystone.yml, the oldest version first."
    )
  }

  /// Returns the names of versions, the first and the last where they are many.
  private static func list(_ names: [String]) -> String {
    names.count > 4
      ? "\(names[0]), \(names[1]) … \(names[names.count - 1])" : names.joined(separator: ", ")
  }

  private static func place(_ version: ModelVersion) -> Finding.Place {
    Finding.Place(file: version.path.isEmpty ? nil : version.path, version: version.name)
  }

  private static func gap(_ old: ModelVersion, _ new: ModelVersion) -> Finding {
    Finding(
      .doubtfulOrder,
      .note,
      at: place(new),
      message: "Between \(old.name) and \(new.name) the numbers skip: a version may be missing.",
      remedy: "Archive what shipped between the two, or write `order:` in waystone.yml."
    )
  }

  private static func doubt(_ old: ModelVersion, _ new: ModelVersion) -> Finding {
    Finding(
      .doubtfulOrder,
      .warning,
      at: place(new),
      message:
        "That \(new.name) comes after \(old.name) does not follow from the names; they are in "
        + "the order of the alphabet.",
      remedy: "Write `order:` in waystone.yml."
    )
  }
}

extension NaturalOrder {
  /// The relation of a name to the one before it.
  enum Step: Hashable {
    /// The next number follows.
    case next
    /// A number that is not the next one follows.
    case skipping
    /// Some number, or a letter after a number, decides the order.
    case later
    /// The order follows from the alphabet alone.
    case doubtful
  }

  /// Returns whether a name is another with its last number one greater: `v2` and `v3`, `App 2` and `App 3`.
  package static func counts(from first: String, to second: String) -> Bool {
    pieces(of: first).count == pieces(of: second).count && step(from: first, to: second) == .next
  }

  /// Returns the relation of a name to one that precedes it.
  static func step(from first: String, to second: String) -> Step {
    let (left, right) = (pieces(of: first), pieces(of: second))
    if let place = zip(left, right).enumerated().first(where: { $1.0 != $1.1 })?.offset {
      switch (left[place], right[place]) {
      case (.number(let a), .number(let b)):
        let isLast = place == left.count - 1 && place == right.count - 1
        guard isLast, let a = value(a), let b = value(b) else { return .later }
        return b == a + 1 ? .next : .skipping
      case (.text(let a), .text(let b)):
        // A letter behind a number, and the next letter.
        if place > 0, a.count == 1, b.count == 1, place == left.count - 1,
          place == right.count - 1
        {
          return .later
        }
        // The unnumbered name, and the same with a letter and a number.
        let isBase = place == left.count - 1 && b.starts(with: a) && right.count > place + 1
        guard isBase, case .number(let digits) = right[place + 1] else { return .doubtful }
        guard right.count == place + 2, b.count <= a.count + 1 else { return .later }
        return value(digits).map { $0 <= 2 ? .next : .skipping } ?? .later
      default: return .doubtful
      }
    }
    // One name begins with the other.
    let rest = right.dropFirst(left.count)
    // A letter behind a number: `2_5_5a`.
    if case .number? = left.last, case .text(let letter)? = rest.first, rest.count == 1,
      letter.count == 1
    {
      return .later
    }
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
