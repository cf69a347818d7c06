package import ObjectModel

/// The explanation of a finding's code: its meaning, its effect and its remedy.
package struct Rule: Hashable, Sendable {
  /// The fact, in one sentence.
  package let summary: String
  /// The reason why it matters.
  package let why: String
  /// An example, line by line, where one helps.
  package let example: [String]
  /// The remedy.
  package let fix: String

  init(_ summary: String, why: String, example: [String] = [], fix: String) {
    self.summary = summary
    self.why = why
    self.example = example
    self.fix = fix
  }

  /// The rules by their codes.
  package static let all: [FindingCode: Rule] = [
    reading, models, steps, unseenSteps, paths, stores, objects, projects, coverage, swiftData,
    cloudKit,
  ].reduce(into: [:]) { result, group in result.merge(group) { first, _ in first } }

  /// Returns the address of a code's page.
  ///
  /// - Parameter site: The address of the site that `Scripts/docs` made.
  static func page(of code: FindingCode, in site: String) -> String {
    "\(DocumentationSite.root(of: site))/documentation/waystone/\(code.rawValue.lowercased())/"
  }

  /// Returns the heading of a code's hundred.
  static func heading(of code: FindingCode) -> String {
    switch code.rawValue.dropFirst(2).first {
    case "1": "Reading models"
    case "2": "Models"
    case "3": "Steps between versions"
    case "4": "Paths"
    case "6": "Objects"
    case "7": "Projects"
    case "8": "Models in Swift"
    case "9": "Models that CloudKit mirrors"
    default: "Stores"
    }
  }
}
