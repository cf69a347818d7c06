/// A document of tests and their outcomes, in the XML that JUnit's Ant task writes and CI servers read.
///
/// The elements and attributes are those that Jenkins' schema (junit-10.xsd), GitLab and GitHub's
/// actions have in common; a case has at most one failure, which is all that some of them show.
struct JUnitDocument: Sendable {
  /// The result of a case.
  enum Outcome: Sendable {
    case passed
    /// A failure, with a type for programs, one line and the full text.
    case failed(type: String, message: String, text: String)
    /// A skipped case, with the reason.
    case skipped(String)
  }

  /// A test case.
  struct Case: Sendable {
    var name: String
    var className: String
    var file: String?
    /// The duration in seconds, where it is known.
    var seconds: Double?
    var outcome: Outcome
    /// The text beside the outcome; may be empty.
    var output = ""
  }

  /// A suite of the tests of one thing.
  struct Suite: Sendable {
    var name: String
    var file: String?
    var properties: [(name: String, value: String)] = []
    var cases: [Case]
  }

  /// The numbers of cases, by outcome.
  struct Counts: Sendable {
    var tests: Int
    var failures: Int
    var skipped: Int

    fileprivate var attributes: String {
      " tests=\"\(tests)\" failures=\"\(failures)\" errors=\"0\" skipped=\"\(skipped)\""
    }
  }

  /// The name of all together.
  var name: String
  /// The suites.
  var suites: [Suite]

  /// The document's text.
  var text: String {
    var lines = Self.opening(name: name, Counts(suites.flatMap(\.cases)))
    for (index, suite) in suites.enumerated() {
      let file = suite.file.map { Self.attribute("file", $0) } ?? ""
      lines.append(
        "  <testsuite\(Self.attribute("name", suite.name)) id=\"\(index)\"\(file)"
          + "\(Counts(suite.cases).attributes)>"
      )
      if !suite.properties.isEmpty {
        lines.append("    <properties>")
        for (name, value) in suite.properties {
          let attributes = Self.attribute("name", name) + Self.attribute("value", value)
          lines.append("      <property\(attributes)/>")
        }
        lines.append("    </properties>")
      }
      for test in suite.cases { lines += Self.lines(of: test) }
      lines.append("  </testsuite>")
    }
    return (lines + ["</testsuites>"]).joined(separator: "\n") + "\n"
  }

  /// Returns the document's first lines, up to the first suite.
  static func opening(name: String, _ counts: Counts) -> [String] {
    [
      #"<?xml version="1.0" encoding="UTF-8"?>"#,
      "<testsuites\(attribute("name", name))\(counts.attributes)>",
    ]
  }

  /// Returns the document around the cases of a single suite, for callers that do not have all cases at
  /// once.
  static func around(suite: String, of name: String, _ counts: Counts) -> (
    before: [String], after: [String]
  ) {
    let head = "  <testsuite\(attribute("name", suite)) id=\"0\"\(counts.attributes)>"
    return (opening(name: name, counts) + [head], ["  </testsuite>", "</testsuites>"])
  }

  /// Returns the lines of one case.
  static func lines(of test: Case) -> [String] {
    var attributes = attribute("classname", test.className) + attribute("name", test.name)
    if let file = test.file { attributes += attribute("file", file) }
    if let seconds = test.seconds { attributes += attribute("time", "\(seconds)") }
    var inner: [String] = []
    switch test.outcome {
    case .passed: break
    case .failed(let type, let message, let text):
      inner.append(
        "      <failure\(attribute("type", type))\(attribute("message", message))>"
          + XMLText.content(text) + "</failure>"
      )
    case .skipped(let reason): inner.append("      <skipped\(attribute("message", reason))/>")
    }
    if !test.output.isEmpty {
      inner.append("      <system-out>\(XMLText.content(test.output))</system-out>")
    }
    guard !inner.isEmpty else { return ["    <testcase\(attributes)/>"] }
    return ["    <testcase\(attributes)>"] + inner + ["    </testcase>"]
  }

  private static func attribute(_ name: String, _ value: String) -> String {
    " \(name)=\"\(XMLText.attribute(value))\""
  }
}

extension JUnitDocument.Counts {
  /// The counts of cases.
  fileprivate init(_ cases: [JUnitDocument.Case]) {
    tests = cases.count
    failures = cases.count { if case .failed = $0.outcome { true } else { false } }
    skipped = cases.count { if case .skipped = $0.outcome { true } else { false } }
  }
}
