import SwiftDataImport
import Testing

/// Names of modules, and of functions by which apps print, in the sources of policies.
@Suite(.enabled(if: SourceParser.isAvailable, "this build reads no Swift sources"))
struct PolicyNamesTests {
  private func selection(_ files: [String: String]) -> PolicySelection {
    PolicySelection(
      files.sorted { $0.key < $1.key }.map {
        SourceText(name: $0.key, bytes: Array($0.value.utf8))
      },
      wanted: nil
    )
  }

  private func text(_ files: [String: String]) -> String {
    selection(files).files.map { $0.text(without: []) }.joined()
  }

  @Test func `an app's own module goes before a name, whether it is imported or not`() {
    let text = text([
      "Note App/Policy.swift": """
      final class NotePolicy: NSEntityMigrationPolicy {
        let kind: Note_App.Kind = Note_App.Kind.plain
        let other = Tools.count
        let tools = Tools()
      }
      """,
      "Tools/Kind.swift": "enum Kind { case plain }\nlet count = 1",
    ])
    #expect(text.contains("let kind: Kind = Kind.plain"))
    // A name that code uses by itself is no module's.
    #expect(text.contains("let other = Tools.count"))
  }

  @Test func `what prints or logs is silent under the name of its module, too`() {
    let selection = selection([
      "App/Policy.swift": """
      import os
      final class NotePolicy: NSEntityMigrationPolicy {
        let log: os.Logger? = os.Logger(subsystem: "a", category: "b")
        func tell() { Swift.print(1); Logger.migration.info("x") }
      }
      extension Logger { static let migration = Logger() }
      """
    ])
    let text = selection.files.map { $0.text(without: []) }.joined()
    #expect(text.contains("let log: SilencedOutput.Logger? = SilencedOutput.Logger(subsystem:"))
    #expect(text.contains("SilencedOutput.print(1)"))
    #expect(text.contains("extension Logger"))
    // An extension does not declare what it extends.
    #expect(!selection.declaredNames.contains("Logger"))
    #expect(SilencedOutput.text(besides: selection.declaredNames).contains("typealias Logger ="))
  }

  @Test func `what an app declares itself is silent only under the name of its module`() {
    let text = SilencedOutput.text(besides: ["Logger", "print"])
    #expect(text.contains("struct Logger {") && !text.contains("typealias Logger"))
    #expect(text.contains("  static func print(") || text.contains("\nstatic func print("))
    #expect(!text.contains("\nfunc print("))
  }

  @Test(arguments: [
    ("NSString.localizedStandardCompare(_:)", "localizedStandardCompare:"),
    ("NSString.compare(_:options:)", "compare:options:"),
    ("NSString.caseInsensitiveCompare", "caseInsensitiveCompare"),
  ])
  func `a selector becomes its text`(_ example: (code: String, name: String)) {
    let text = text([
      "Policy.swift": """
      class NotePolicy: NSEntityMigrationPolicy { let order = #selector(\(example.code)) }
      """
    ])
    #expect(text.contains("let order = Selector(\"\(example.name)\")"))
  }

  @Test
  func `members that Foundation calls come along with a class, and those of Core Data do not`() {
    let text = text([
      "Policy.swift": """
      final class NotePolicy: NSEntityMigrationPolicy {
        func authors() -> [NSObject] { [Author("a"), Note(), "a b".prefix(1).trimmed()] }
      }
      """,
      "Author.swift": """
      class Author: NSObject, NSSecureCoding {
        static var supportsSecureCoding = true
        init(_ name: String) {}
        required init?(coder: NSCoder) { nil }
        func encode(with coder: NSCoder) { coder.encode("a") }
        func drawn() -> UIColor { .red }
        override func isEqual(_ other: Any?) -> Bool { other is Author }
      }
      class Note: NSManagedObject { override func awakeFromInsert() { UIDevice.current.count() } }
      extension String.SubSequence { func trimmed() -> String { String(self) } }
      """,
    ])
    for part in ["supportsSecureCoding", "func encode(with", "isEqual", "func trimmed()"] {
      #expect(text.contains(part), "\(part)")
    }
    for part in ["drawn", "awakeFromInsert"] { #expect(!text.contains(part), "\(part)") }
  }

  @Test func `variables of the code's own need none of another file's`() {
    let text = text([
      "Policy.swift": """
      final class NotePolicy: NSEntityMigrationPolicy {
        func tell(context: NSManagedObjectContext) -> String {
          let label = "a"
          if let name = name { return String(format: "%U" + name, label.count, context.hash) }
          return [1].map { number in "\\(number)" }.joined()
        }
      }
      """,
      "Globals.swift": """
      let context = UIApplication.shared
      let label = UILabel()
      let number = UIFont.labelFontSize
      let name: String? = nil
      """,
    ])
    for part in ["let context = UIApplication", "UILabel", "UIFont"] {
      #expect(!text.contains(part), "\(part)")
    }
    // What it reads before it names its own.
    #expect(text.contains("let name: String? = nil"))
    #expect(text.contains("String(format: AppleFormat.onLinux(\"%U\" + name), label.count"))
  }

  @Test func `what a property wrapper and a result builder are called by comes along`() {
    let text = text([
      "Policy.swift": """
      final class NotePolicy: NSEntityMigrationPolicy { @Kept var count = 1; @Listed func a() -> [Int] { 1 } }
      @propertyWrapper struct Kept { var wrappedValue: Int { 1 }; func drawn() -> UIColor { .red } }
      @resultBuilder enum Listed { static func buildBlock(_ one: Int...) -> [Int] { one } }
      """
    ])
    #expect(text.contains("var wrappedValue") && text.contains("func buildBlock"))
    #expect(!text.contains("UIColor"))
  }
}
