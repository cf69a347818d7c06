/// Tests and their outcomes in the XML that JUnit's Ant task writes and CI servers read.
///
/// The elements and attributes are those that Jenkins' schema (junit-10.xsd), GitLab and GitHub's
/// actions have in common; a case has at most one failure, which is all that some of them show.
struct JUnitDocument: Sendable {
  /// How a case ended.
  enum Outcome: Sendable {
    case passed
    /// With a type for machines, one line and all the rest.
    case failed(type: String, message: String, text: String)
    /// With the reason.
    case skipped(String)
  }

  /// One test.
  struct Case: Sendable {
    var name: String
    var className: String
    var file: String?
    var outcome: Outcome
    /// What is to be read beside the outcome; may be empty.
    var output = ""
  }

  /// Tests of one thing.
  struct Suite: Sendable {
    var name: String
    var file: String?
    var properties: [(name: String, value: String)] = []
    var cases: [Case]
  }

  /// The name of all together.
  var name: String
  /// The suites.
  var suites: [Suite]

  /// The document's text.
  var text: String {
    let cases = suites.flatMap(\.cases)
    var lines = [#"<?xml version="1.0" encoding="UTF-8"?>"#]
    lines.append(
      "<testsuites\(Self.attribute("name", name))\(Self.counts(of: cases))>"
    )
    for (index, suite) in suites.enumerated() {
      let file = suite.file.map { Self.attribute("file", $0) } ?? ""
      lines.append(
        "  <testsuite\(Self.attribute("name", suite.name)) id=\"\(index)\"\(file)"
          + "\(Self.counts(of: suite.cases))>"
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

  private static func lines(of test: Case) -> [String] {
    var attributes = attribute("classname", test.className) + attribute("name", test.name)
    if let file = test.file { attributes += attribute("file", file) }
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

  private static func counts(of cases: [Case]) -> String {
    let failures = cases.count { if case .failed = $0.outcome { true } else { false } }
    let skipped = cases.count { if case .skipped = $0.outcome { true } else { false } }
    return " tests=\"\(cases.count)\" failures=\"\(failures)\" errors=\"0\" skipped=\"\(skipped)\""
  }

  private static func attribute(_ name: String, _ value: String) -> String {
    " \(name)=\"\(XMLText.attribute(value))\""
  }
}
