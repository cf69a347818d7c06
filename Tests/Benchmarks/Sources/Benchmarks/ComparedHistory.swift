#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// Versions of which each changes something in the rows of one entity: what all contenders do to
/// the same store.
///
/// The steps take turns: two optional attributes more; one renamed; one dropped; Integer 32 becomes
/// Double; a required attribute with a default; one renamed and one dropped.
struct ComparedHistory {
  /// One thing that a step does to the table `ZNOTE`.
  struct Change: Encodable {
    enum Kind: String, Encodable { case add, rename, drop, convert }

    var kind: Kind
    var column: String
    /// The declared type: of the new column, or the one that its values are converted to.
    var type: String?
    /// The name that a renamed column has from then on.
    var newName: String?
    /// The value that a new required column has in rows that are there.
    var defaultValue: Int?
  }

  /// An attribute as a version has it.
  private struct Attribute {
    var name: String
    /// The name and the values of the element's further attributes.
    var text: String
    var renamingIdentifier: String?
    /// The expression of its value, over the columns of the first version.
    var expression: String

    var column: String { "Z" + name.uppercased() }
    var isOptional: Bool { text.contains(#"optional="YES""#) }
    var isInteger: Bool { text.contains(#""Integer 32""#) }
    /// An index on it names it, so that it stays.
    var isKept: Bool { name == "created" }
  }

  let shape: Shape
  /// The models' texts, `v1` first.
  private(set) var models: [ModelText]
  /// The changes of each step.
  private(set) var steps: [[Change]] = []
  /// The expression of each attribute's column for each version, over the columns of the first version.
  private(set) var expressions: [[String: String]] = []
  /// The attributes; those that were changed last come last.
  private var attributes: [Attribute]
  private var serial = 0

  /// A history of so many steps.
  init(shape: Shape, steps count: Int) {
    self.shape = shape
    models = [shape.model]
    attributes = shape.model.attributes.map {
      Attribute(name: $0.name, text: $0.text, expression: "Z" + $0.name.uppercased())
    }
    expressions = [currentExpressions]
    for index in 0..<count {
      steps.append(step(index))
      expressions.append(currentExpressions)
      var model = shape.model
      model.attributes = attributes.map { attribute in
        let identifier = attribute.renamingIdentifier.map { #" elementID="\#($0)""# } ?? ""
        return (attribute.name, attribute.text + identifier)
      }.sorted { $0.0 < $1.0 }
      models.append(model)
    }
  }

  /// Writes the versions, `v1` and on, as an `.xcdatamodeld`.
  func write(to archive: String) throws {
    for (index, model) in models.enumerated() {
      let folder = "\(archive)/v\(index + 1).xcdatamodel"
      try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
      try Data(model.contents.utf8).write(to: URL(filePath: "\(folder)/contents"))
    }
  }

  /// Writes the changes as JSON, for peers: an array of steps, each an array of changes.
  func writeSteps(to path: String) throws {
    try JSONEncoder().encode(steps).write(to: URL(filePath: path))
  }

  private var currentExpressions: [String: String] {
    Dictionary(uniqueKeysWithValues: attributes.map { ($0.column, $0.expression) })
  }

  private mutating func step(_ index: Int) -> [Change] {
    switch index % 6 {
    case 0: [add("String", "VARCHAR"), add("Integer 32", "INTEGER")]
    case 1: [rename()]
    case 2: [drop()]
    case 3: [convert()]
    case 4: [add("Integer 32", "INTEGER", defaultValue: 7)]
    default: [rename(), drop()]
    }
  }

  private mutating func add(_ type: String, _ column: String, defaultValue: Int? = nil) -> Change {
    let value = defaultValue.map { #"defaultValueString="\#($0)""# } ?? #"optional="YES""#
    let attribute = Attribute(
      name: newName("added"),
      text: #"\#(value) attributeType="\#(type)""#,
      expression: defaultValue.map(String.init) ?? "NULL"
    )
    attributes.append(attribute)
    return Change(kind: .add, column: attribute.column, type: column, defaultValue: defaultValue)
  }

  private mutating func rename() -> Change {
    var attribute = take { !$0.isKept }
    let column = attribute.column
    attribute.renamingIdentifier = attribute.renamingIdentifier ?? attribute.name
    attribute.name = newName("named")
    attributes.append(attribute)
    return Change(kind: .rename, column: column, newName: attribute.column)
  }

  private mutating func drop() -> Change {
    Change(kind: .drop, column: take { $0.isOptional && !$0.isInteger && !$0.isKept }.column)
  }

  private mutating func convert() -> Change {
    var attribute = take(where: \.isInteger)
    attribute.text = attribute.text.replacing(#""Integer 32""#, with: #""Double""#)
    attribute.expression = "CAST(\(attribute.expression) AS REAL)"
    attributes.append(attribute)
    return Change(kind: .convert, column: attribute.column, type: "FLOAT")
  }

  /// Takes out the first that fits, which was not changed for the longest time.
  private mutating func take(where fits: (Attribute) -> Bool) -> Attribute {
    guard let index = attributes.firstIndex(where: fits) else {
      preconditionFailure("a history of this shape runs out of attributes")
    }
    return attributes.remove(at: index)
  }

  private mutating func newName(_ word: String) -> String {
    serial += 1
    return "\(word)\(100 + serial)"
  }
}
