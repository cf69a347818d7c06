import MigrationPlanning

extension Precondition {
  /// An answer that depends on nothing but the question, and is that of its parts: rows that stand against it
  /// in one of its subjects do so wherever that is asked.
  func answerByChance(_ salt: Int) -> Answer {
    let sums = subjects.map { subject in
      "\(kind)\(subject)".utf8.reduce(salt) { ($0 &* 31 &+ Int($1)) & 0xffff } % 3
    }
    if sums.contains(1) { return .refuted(rows: 2, of: 5, groups: nil, keys: [1, 2]) }
    return sums.contains(2) ? .unknown("chance") : .proven(of: 5)
  }
}
