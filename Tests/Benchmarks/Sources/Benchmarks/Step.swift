/// A measured migration: the step between two versions, and the most it may cost.
struct Step {
  /// The name of the step's archive and result.
  let name: String
  /// The step's effect in words.
  let deed: String
  /// The version that the store is brought to.
  let next: ModelText
  /// The most that the step may cost without verification, in `VACUUM INTO` of the same store.
  let limit: Double
  /// The end of the store.
  var manner = Manner.output
  /// Whether standard verification of the result is measured too.
  var isVerified = false

  /// The state in which a store is handed to the migration.
  enum Manner {
    /// No process has it open, and it stays as it is.
    case output
    /// The same, but its latest rows are in its `-wal`, so that the file is not all of it.
    case log
    /// The store is replaced by its result.
    case inPlace
  }

  /// The most that standard verification may cost, the check of the store before the run included, in the
  /// same unit.
  static let verificationLimit = (wall: 1.0, processor: 1.7)
  /// The most memory that a process may have resident, in bytes.
  static let memoryLimit = 64 << 20

  static let all = [
    // No row has to be looked at: what may be absent stays optional. Where the file system copies files, the
    // limit holds as long as a copy in its cache costs a quarter of VACUUM INTO.
    Step(name: "adds", deed: "adds 2, renames 2 optional", next: adds, limit: 0.3),
    // Whether a required attribute lacks a value is a question, which scans the table once.
    Step(name: "renames", deed: "adds 2, renames 2", next: renames, limit: 0.45, isVerified: true),
    Step(
      name: "renames-place",
      deed: "the same, in place",
      next: renames,
      limit: 0.45,
      manner: .inPlace
    ),
    Step(
      name: "renames-log",
      deed: "the same, with a -wal",
      next: renames,
      limit: 0.75,
      manner: .log
    ),
    Step(name: "drops", deed: "also drops 1", next: drops, limit: 0.9),
    // The table is rewritten in the copy of the store.
    Step(name: "converts", deed: "integer to double", next: converts, limit: 1.4, isVerified: true),
    Step(name: "converts-3", deed: "the same to 3 columns", next: converts3, limit: 2.2),
    Step(name: "moves", deed: "new parent, renumbered", next: moves, limit: 2.3, isVerified: true),
  ]

  private static let adds = ModelText().changing { attributes in
    attributes.removeAll { $0.name == "body" || $0.name == "modified" }
    attributes += [
      ("changed", #"optional="YES" attributeType="Date" elementID="modified""#),
      ("color", #"optional="YES" attributeType="String""#),
      ("summary", #"optional="YES" attributeType="String""#),
      ("text", #"optional="YES" attributeType="String" elementID="body""#),
    ]
  }

  private static let renames = ModelText().changing { attributes in
    attributes.removeAll { $0.name == "title" || $0.name == "words" }
    attributes += [
      ("color", #"optional="YES" attributeType="String""#),
      (
        "heading",
        #"attributeType="String" defaultValueString="" elementID="title""#
      ),
      ("summary", #"optional="YES" attributeType="String""#),
      (
        "wordCount",
        #"attributeType="Integer 32" defaultValueString="0" elementID="words" "#
          + #"usesScalarValueType="YES""#
      ),
    ]
  }

  private static let drops: ModelText = renames.changing { attributes in
    attributes.removeAll { $0.name == "sketch" }
  }

  private static let converts = ModelText().changing { attributes in
    attributes.removeAll { $0.name == "words" }
    attributes.append(
      ("words", #"attributeType="Double" defaultValueString="0" usesScalarValueType="YES""#)
    )
  }

  /// Three columns of numbers get other types, and the table is written once.
  private static let converts3 = converts.changing { attributes in
    attributes.removeAll { $0.name == "isPinned" || $0.name == "rating" }
    attributes += [
      (
        "isPinned",
        #"attributeType="Double" defaultValueString="0" usesScalarValueType="YES""#
      ),
      ("rating", #"optional="YES" attributeType="Decimal" defaultValueString="1""#),
    ]
  }

  /// The title moves up into a new parent, whose name comes first: all entities get new numbers.
  private static let moves: ModelText = {
    var model = ModelText().changing { $0.removeAll { $0.name == "title" } }
    model.noteAttributes = #" parentEntity="Item""#
    model.entitiesBefore = """
          <entity name="Item" representedClassName="Item" isAbstract="YES" syncable="YES">
              <attribute name="title" attributeType="String" defaultValueString=""/>
          </entity>
      """
    return model
  }()
}
