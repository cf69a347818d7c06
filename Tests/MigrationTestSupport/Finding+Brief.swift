package import ObjectModel

extension Finding {
  /// The severity and the code, then of the place the version and the subject: `error WS302 v2 Book.title`.
  ///
  /// Tests compare it in place of the sentence, which tests of reports hold.
  package var brief: String {
    ([severity.rawValue, code.rawValue] + [place.version, place.subject].compactMap { $0 })
      .joined(separator: " ")
  }
}

extension Sequence<Finding> {
  /// The briefs of the findings, in their order.
  package var briefs: [String] { map(\.brief) }

  /// Returns the findings with a code.
  package func of(_ code: FindingCode) -> [Finding] { filter { $0.code == code } }

  /// Returns whether there is a finding with a code.
  package func has(_ code: FindingCode) -> Bool { contains { $0.code == code } }
}
