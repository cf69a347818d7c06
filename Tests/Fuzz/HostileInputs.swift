import ModelCoding
import PropertyLists

/// The inputs just below one megabyte that ask for far more time or memory than their size suggests.
///
/// Random changes do not find such inputs: each is made for a place at which a reader's work multiplies.
enum HostileInputs {
  /// Returns the inputs of a reader, by name.
  static func inputs(for target: FuzzTarget) -> [String: [UInt8]] {
    switch target {
    case .plist: lists
    case .archive: archives
    case .xml: models
    case .swift: sources
    case .project: projects
    }
  }

  /// The Swift sources that cost a parser a nested call, or a new search, for each repeated part.
  private static var sources: [String: [UInt8]] {
    let parts = [
      "paren": "(", "generic": "A<", "arrow": " -> A", "any": "any ", "try": "try ", "let": "let ",
      "attribute": "@A ", "condition": "#if A\n", "get": "get ", "pound": "#", "member": ".a",
      "optional": "?", "elseif": "else if a {} ", "ternary": "a ? b : ", "call": "()",
      "quote": "\"\"\"\n", "comment": "/*", "string": "\"\\(", "class": "class A { ", "nul": "\0",
      "models": "@Model class A { var a: A? }\n",
    ]
    return parts.mapValues { part in
      let beginning = "@Model class A { var x: Int }\nlet x: A = a"
      return Array((beginning + String(repeating: part, count: 900_000 / part.utf8.count)).utf8)
    }
  }

  /// Lists in lists, groups in themselves, and many targets that name one long list.
  private static var projects: [String: [UInt8]] {
    func project(_ objects: String) -> [UInt8] {
      Array("{objects = {\(objects)}; rootObject = P;}".utf8)
    }
    let many = (0..<4_000).map { "T\($0), " }.joined()
    let targets = (0..<4_000).map {
      "T\($0) = {isa = PBXNativeTarget; name = T\($0); dependencies = (D, D); };"
    }
    return [
      "list": Array((String(repeating: "(", count: 900_000)).utf8),
      "dictionary": Array((String(repeating: "{a=", count: 300_000)).utf8),
      "comment": Array((String(repeating: "/*", count: 450_000)).utf8),
      "circle": project(
        "P = {mainGroup = G; targets = (T, T); }; G = {isa = PBXGroup; children = (G, G, G); path = a; }; "
          + "T = {isa = PBXNativeTarget; name = T; dependencies = (D); }; D = {target = T; };"
      ),
      "shared": project(
        "P = {mainGroup = G; targets = (\(many)); }; D = {target = T0; }; G = {children = (\(many)); };"
          + targets.joined()
      ),
    ]
  }

  private static var lists: [String: [UInt8]] {
    var sharing = CompactList()
    var nested = CompactList()
    // Padding raises limits that are relative to the size.
    let filler = Array(repeating: UInt8(0x78), count: 900_000)
    var top = sharing.container([sharing.raw([0x5f, 0x12, 0, 0x0d, 0xbb, 0xa0] + filler)])
    var inner = nested.container([nested.raw([0x4f, 0x12, 0, 0x0d, 0xbb, 0xa0] + filler)])
    top = sharing.container(Array(repeating: top, count: 100))
    inner = nested.container([inner, nested.raw([0x09])])
    for _ in 0..<17 { inner = nested.container([inner, inner]) }
    for _ in 0..<100 { inner = nested.container([inner], marker: 0xc0) }
    for _ in 0..<100 { top = sharing.container([top], marker: 0xc0) }
    var small = CompactList()
    var deep = small.container([small.raw([0x4f, 0x12, 0, 0x0d, 0xbb, 0xa0] + filler)])
    deep = small.container([])
    for _ in 0..<18 { deep = small.container([deep, deep]) }
    for _ in 0..<100 { deep = small.container([deep], marker: 0xc0) }
    var flat = CompactList()
    let scalars = (0..<140_000).map { _ in flat.raw([0x09]) }
    let all = flat.container(scalars)
    var wide = CompactList()
    let one = wide.container([wide.raw([0x09])])
    let many = wide.container(Array(repeating: one, count: 320_000))
    return [
      "shared-text-in-sets": sharing.bytes(top: top),
      "doubled-data-in-sets": nested.bytes(top: inner),
      "doubled-arrays-in-sets": small.bytes(top: deep), "many-objects": flat.bytes(top: all),
      "many-references": wide.bytes(top: many),
    ]
  }

  private static var archives: [String: [UInt8]] {
    var result: [String: [UInt8]] = [:]
    let many = 100_000
    result["tuples"] = archive { writer in
      let tuple = writer.array(Array(repeating: writer.string("a"), count: many))
      return ["NSCompoundIndexes": writer.array(Array(repeating: tuple, count: many)).value]
    }
    result["indexes"] = archive { writer in
      let element = writer.object(
        hierarchy: ["NSFetchIndexElementDescription", "NSObject"],
        ["NSPropertyName": writer.string("a").value]
      )
      let elements = writer.array(Array(repeating: element, count: many))
      let index = writer.object(
        hierarchy: ["NSFetchIndexDescription", "NSObject"],
        ["NSIndexName": writer.string("i").value, "NSIndexElements": elements.value]
      )
      return ["NSFetchIndexDescriptions": writer.array(Array(repeating: index, count: many)).value]
    }
    result["user-info"] = archive { writer in
      let keys = (0..<20_000).map { writer.string("k\($0)") }
      let info = writer.dictionary(keys.map { ($0, $0) })
      let attribute = attribute(&writer, ["NSUserInfo": info.value])
      return ["NSProperties": writer.dictionary(keys.map { ($0, attribute) }).value]
    }
    result["validation"] = archive { writer in
      let rule = writer.object(hierarchy: ["NSTruePredicate", "NSObject"], [:])
      let rules = writer.array(Array(repeating: rule, count: many))
      let attribute = attribute(&writer, ["NSValidationPredicates": rules.value])
      let keys = (0..<20_000).map { writer.string("k\($0)") }
      return ["NSProperties": writer.dictionary(keys.map { ($0, attribute) }).value]
    }
    result["key-paths"] = archive { writer in
      let text = String(repeating: "a.", count: 200_000) + "a"
      let path = writer.object(
        hierarchy: ["NSKeyPathSpecifierExpression", "NSExpression", "NSObject"],
        ["NSKeyPath": writer.string(text).value]
      )
      let operand = writer.object(hierarchy: ["NSSelfExpression", "NSExpression", "NSObject"], [:])
      let expression = writer.object(
        hierarchy: ["NSKeyPathExpression", "NSFunctionExpression", "NSExpression", "NSObject"],
        ["NSArguments": writer.array([path]).value, "NSOperand": operand.value]
      )
      let attribute = attribute(
        &writer,
        ["NSDerivationExpression": expression.value],
        hierarchy: ["NSDerivedAttributeDescription"]
      )
      let keys = (0..<10_000).map { writer.string("k\($0)") }
      return ["NSProperties": writer.dictionary(keys.map { ($0, attribute) }).value]
    }
    result["entities"] = entities(14_000)
    // Objects of one byte each, in the space that the model cache may expand to.
    let size = ModelCache.maximumSize - 64
    var bomb = Array("bplist00".utf8)
    bomb += Array(repeating: 0x09, count: size / 5)
    let start = bomb.count
    bomb += Array(repeating: 0, count: size / 5 * 4)
    bomb += [0, 0, 0, 0, 0, 0, 4, 4]
    for number in [size / 5, 0, start] {
      bomb += (0..<8).map { UInt8(truncatingIfNeeded: number >> (56 - 8 * $0)) }
    }
    result["inflated-objects"] = try? RawDeflate.deflate(bomb)
    var narrow = Array("bplist00".utf8) + [0x09]
    narrow += Array(repeating: 8, count: size) + [0, 0, 0, 0, 0, 0, 1, 4]
    for number in [size, 0, 9] {
      narrow += (0..<8).map { UInt8(truncatingIfNeeded: number >> (56 - 8 * $0)) }
    }
    result["inflated-offsets"] = try? RawDeflate.deflate(narrow)
    return result
  }

  private static func attribute(
    _ writer: inout KeyedArchiveWriter,
    _ fields: [String: PropertyList],
    hierarchy: [String] = []
  ) -> KeyedArchiveWriter.Reference {
    var fields = fields
    fields["NSAttributeType"] = .integer(100)
    return writer.object(
      hierarchy: hierarchy + ["NSAttributeDescription", "NSPropertyDescription", "NSObject"],
      fields
    )
  }

  /// Returns the archive of a model with one entity, which has these fields.
  private static func archive(
    _ fields: (inout KeyedArchiveWriter) -> [String: PropertyList]
  ) -> [UInt8] {
    var writer = KeyedArchiveWriter()
    _ = writer.reserve()
    let name = writer.string("E")
    var values = fields(&writer)
    values["NSEntityName"] = name.value
    let entity = writer.object(hierarchy: ["NSEntityDescription", "NSObject"], values)
    return finished(&writer, [(name, entity)])
  }

  /// Returns the archive of a model whose entities inherit all properties of the first one.
  private static func entities(_ count: Int) -> [UInt8] {
    var writer = KeyedArchiveWriter()
    _ = writer.reserve()
    let plain = attribute(&writer, [:])
    let keys = (0..<4_000).map { writer.string("k\($0)") }
    let parentName = writer.string("P")
    let parent = writer.object(
      hierarchy: ["NSEntityDescription", "NSObject"],
      [
        "NSEntityName": parentName.value,
        "NSProperties": writer.dictionary(keys.map { ($0, plain) }).value,
      ]
    )
    // The heirs name a parent of the same name without properties, which costs the reader nothing.
    let shadow = writer.object(
      hierarchy: ["NSEntityDescription", "NSObject"],
      ["NSEntityName": parentName.value]
    )
    let heirs = (0..<count).map { number in
      let name = writer.string("E\(number)")
      let fields = ["NSEntityName": name.value, "NSSuperentity": shadow.value]
      return (name, writer.object(hierarchy: ["NSEntityDescription", "NSObject"], fields))
    }
    return finished(&writer, [(parentName, parent)] + heirs)
  }

  private static func finished(
    _ writer: inout KeyedArchiveWriter,
    _ entities: [(KeyedArchiveWriter.Reference, KeyedArchiveWriter.Reference)]
  ) -> [UInt8] {
    let list = writer.dictionary(entities.map { (key: $0.0, value: $0.1) })
    let root = writer.object(
      hierarchy: ["NSManagedObjectModel", "NSObject"],
      ["NSEntities": list.value]
    )
    let plain = writer.archive(root: root)
    guard let value = try? PropertyList(binary: plain) else { return plain }
    var compact = CompactList()
    let top = compact.add(value)
    return compact.bytes(top: top)
  }

  private static var models: [String: [UInt8]] {
    func model(_ body: String) -> [UInt8] { Array("<model>\(body)</model>".utf8) }
    func lines(_ count: Int, _ line: (Int) -> String) -> String {
      (0..<count).map(line).joined(separator: "\n")
    }
    let attributes = lines(14_000) { "<attribute name=\"a\($0)\"/>" }
    return [
      "inheritance": model(
        "<entity name=\"P\">\(attributes)</entity>"
          + lines(14_000) { "<entity name=\"E\($0)\" parentEntity=\"P\"/>" }
      ),
      "composites": model(
        lines(18_000) { "<composite name=\"c\($0)\"/>" }
          + "<entity name=\"E\">"
          + lines(12_000) { "<attribute name=\"a\($0)\" composite=\"c\(17_999 - $0 % 9)\"/>" }
          + "</entity>"
      ),
      "unknown-elements": model(lines(190_000) { _ in "<x/>" }),
      "unknown-attributes": model("<entity " + lines(90_000) { "a\($0)=\"\"" } + "/>"),
      "repeated-user-info": model(
        "<entity name=\"E\"><userInfo>" + lines(80_000) { _ in "<entry/>" } + "</userInfo></entity>"
      ),
      "members": model(
        "<entity name=\"E\"/><configuration name=\"C\">"
          + lines(40_000) { _ in "<memberEntity/>" } + "</configuration>"
          + lines(1_000) {
            "<configuration name=\"C\($0)\"><memberEntity name=\"x\"/></configuration>"
          }
      ),
      "long-value": model("<entity name=\"" + String(repeating: "&amp;", count: 190_000) + "\"/>"),
      "long-text": model(String(repeating: "x&amp;", count: 150_000)),
      "deep": Array(String(repeating: "<model>", count: 140_000).utf8),
      "constraints": model(
        "<entity name=\"E\">\(lines(4_000) { "<attribute name=\"a\($0)\"/>" })"
          + "<uniquenessConstraints><uniquenessConstraint>"
          + lines(28_000) { "<constraint value=\"a\($0 % 4_000)\"/>" }
          + "</uniquenessConstraint></uniquenessConstraints></entity>"
      ),
    ]
  }
}
