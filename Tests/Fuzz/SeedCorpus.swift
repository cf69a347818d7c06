import ModelCoding
import ModelImport
import ObjectModel
import PropertyLists

/// The small valid inputs that the writers make from the models of the sample archive.
struct SeedCorpus {
  /// The seeds of each reader.
  private(set) var inputs: [FuzzTarget: [[UInt8]]] = [:]
  /// Words that occur in the seeds, for the mutators.
  private(set) var words: [FuzzTarget: Set<String>] = [:]

  init(modelArchive path: String) throws {
    words[.plist] = ["bplist00"]
    for list in Self.lists { add(list.binary, to: .plist) }
    for version in try ArchiveLoader.load(path).versions {
      let archive = try ModelArchiveEncoder.encode(version.model)
      add(archive, to: .archive)
      add(try RawDeflate.deflate(archive), to: .archive)
      add(archive, to: .plist)
      if let list = try? PropertyList(binary: archive) { collect(list) }
      let text = try ModelXMLWriter.write(version.model).contents
      add(Array(text.utf8), to: .xml)
      for part in text.split(whereSeparator: { "<>=\"/ \n".contains($0) }) {
        words[.xml, default: []].insert(String(part))
      }
    }
    addSources(path)
    addProjects()
    words[.xml, default: []].formUnion(["\"SELF\"", "&#38;", "<![CDATA[", "<!DOCTYPE", "<!ENTITY"])
  }

  private mutating func add(_ bytes: [UInt8], to target: FuzzTarget) {
    inputs[target, default: []].append(bytes)
  }

  /// Adds projects of a few targets, with files, synchronized folders and exceptions, and their words.
  private mutating func addProjects() {
    var app = SampleXcodeProject.Target("App")
    app.files = ["App/A.swift", "App/B/C.swift"]
    app.dependencies = ["Kit"]
    app.products = ["Models"]
    var kit = SampleXcodeProject.Target("Kit", "framework")
    kit.folders = ["App"]
    kit.exceptions = ["App": ["B/C.swift"]]
    for project in [SampleXcodeProject(app, kit), SampleXcodeProject(kit), SampleXcodeProject(app)]
    {
      add(Array(project.text.utf8), to: .project)
      for part in project.text.split(whereSeparator: { " ;=(){}\n".contains($0) }) {
        words[.project, default: []].insert(String(part))
      }
    }
    words[.project, default: []].formUnion([
      "(", ")", "{", "}", "\"", "/*", "*/", "//", "<00>", "..", "\\U0041",
    ])
  }

  /// Adds the sources of the sample app, and the words of the language that nest.
  private mutating func addSources(_ path: String) {
    for name in ["SchemaV1", "SchemaV2", "SchemaV3", "TripsPlan"] {
      guard let bytes = FuzzFile.read("\(path)/Trips/Sources/\(name).swift") else {
        fatalError("The sample of Swift sources is missing.")
      }
      add(bytes, to: .swift)
      let text = String(decoding: bytes, as: UTF8.self)
      for part in text.split(whereSeparator: { " \n".contains($0) }) {
        words[.swift, default: []].insert(String(part))
      }
    }
    words[.swift, default: []].formUnion([
      "(", ")", "[", "]", "{", "}", "<", ">", "->", "?", "!", ".", ",", ":", ";", "=", "@A",
      "#if A", "#endif",
      "#A", "\\A.a", "any", "some", "try", "await", "repeat", "each", "let", "var", "case", "if",
      "else",
      "guard", "switch", "func", "init", "struct", "enum", "class", "extension", "typealias",
      "inout", "as",
      "is", "in", "where", "throws", "get", "set", "\"", "\"\"\"", "\\(", "/*", "*/", "//", "`",
      "~", "&", "...",
      "consume", "copy", "unsafe", "isolated", "indirect", "-", "+", "$0", "_", "0x1", "1e9", "/a/",
      "\n",
      "macro", "return", "do", "catch", "for", "while", "nil", "self", "Self", "super", "operator",
    ])
  }

  private mutating func collect(_ list: PropertyList) {
    switch list {
    case .string(let text) where (2...48).contains(text.utf8.count) && !text.contains("\""):
      words[.archive, default: []].insert(text)
    case .array(let items): for item in items { collect(item) }
    case .set(let items): for item in items { collect(item) }
    case .dictionary(let entries):
      for (key, value) in entries {
        words[.archive, default: []].insert(key)
        collect(value)
      }
    default: break
    }
  }

  /// The lists of each kind of value, alone and nested.
  private static let lists: [PropertyList] = {
    let scalars: [PropertyList] = [
      .null, .boolean(true), .boolean(false), .integer(0), .integer(-1), .integer(300),
      .integer(70_000), .integer(.max), .unsigned(.max), .real(0.5), .date(1e9), .data([1, 2, 3]),
      .string("plain"), .string("wide \u{2603}"), .string(String(repeating: "x", count: 20)),
      .uid(1), .uid(1 << 20),
    ]
    let nested = (0..<6).reduce(PropertyList.array(scalars)) { list, _ in
      .dictionary(["inner": list, "set": .set(Set(scalars))])
    }
    return scalars + [.array([]), .dictionary([:]), .array(scalars), .set(Set(scalars)), nested]
  }()
}
