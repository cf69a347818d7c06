import PropertyLists
import Testing

@Suite struct `Keyed archives` {
  /// An archive whose root is one object with the values that the closure adds.
  private func root(
    _ fields: (inout KeyedArchiveWriter) -> [String: PropertyList]
  ) throws -> ArchivedObject {
    var writer = KeyedArchiveWriter()
    let root = writer.reserve()
    writer.fill(root, hierarchy: ["Thing", "NSObject"], fields(&writer))
    return try KeyedArchive(writer.archive(root: root)).root
  }

  private func error(_ body: () throws -> Void) -> PropertyListError.Code? {
    do {
      try body()
      return nil
    } catch { return (error as? PropertyListError)?.code }
  }

  @Test func `objects may refer to each other in a circle`() throws {
    var writer = KeyedArchiveWriter()
    let model = writer.reserve()
    let entity = writer.reserve()
    writer.fill(model, hierarchy: ["Model", "NSObject"], ["entity": entity.value])
    writer.fill(
      entity,
      hierarchy: ["Entity", "Base", "NSObject"],
      ["model": model.value, "name": writer.string("Note").value]
    )
    let root = try KeyedArchive(writer.archive(root: model)).root
    let child = try #require(try root.object("entity"))
    #expect(try child.object("model") == root)
    #expect(try child.string("name") == "Note")
    #expect(child.isKind(of: "Base") && !child.isKind(of: "Model"))
    #expect(child.keys == ["model", "name"])
  }

  @Test func `lists that share lists are not followed without end`() throws {
    let object = try root { writer in
      let inner = writer.array(Array(repeating: writer.string("a"), count: 1_000))
      return ["lists": writer.array(Array(repeating: inner, count: 1_000)).value]
    }
    try object.archive.checkEffort()
    for list in try #require(try object.elements("lists")) { _ = list.elements }
    #expect(error { try object.archive.checkEffort() } == .tooLarge)
    #expect(object["lists"] == nil)
    #expect(error { throw object.unexpected("lists", "a list") } == .tooLarge)
  }

  @Test func `long text costs more than short`() throws {
    let object = try root { writer in
      ["text": writer.string(String(repeating: "x", count: 400_000)).value]
    }
    for _ in 0..<10 { _ = object["text"] }
    #expect(error { try object.archive.checkEffort() } == .tooLarge)
  }

  @Test func `Foundation's classes are read as they are written`() throws {
    let number = try #require(DecimalNumber("-123456789012345678901234567890.25"))
    let object = try root { writer in
      let one = writer.scalar(.integer(1))
      let text = writer.string("text")
      return [
        "text": text.value, "number": one.value, "truth": .boolean(true), "inline": .integer(7),
        "date": writer.date(12.5).value, "data": writer.scalar(.data([1, 2])).value,
        "uuid": writer.uuid(Array(0..<16)).value, "url": writer.url("https://a.b/c").value,
        "decimal": writer.decimal(number).value, "nothing": KeyedArchiveWriter.Reference.null.value,
        "array": writer.array([one, text, one]).value,
        "set": writer.set([text], isMutable: true).value,
        "dictionary": writer.dictionary([(text, one)], isMutable: true).value,
      ]
    }
    #expect(try object.string("text") == "text")
    #expect(try object.integer("number") == 1)
    #expect(try object.integer("inline") == 7)
    #expect(try object.flag("truth") && !object.flag("absent"))
    #expect(object["date"]?.date == 12.5)
    #expect(object["data"]?.data == [1, 2])
    #expect(object["uuid"]?.uuid == Array(0..<16))
    #expect(object["url"]?.url == "https://a.b/c")
    #expect(object["decimal"]?.decimal == number)
    #expect(object["nothing"] == nil && object["absent"] == nil)
    #expect(try object.elements("array")?.compactMap(\.integer) == [1, 1])
    #expect(try object.elements("array")?.count == 3)
    #expect(try object.elements("set")?.compactMap(\.string) == ["text"])
    let entries = try #require(try object.entries("dictionary"))
    #expect(entries.map(\.key) == ["text"] && entries.first?.value.integer == 1)
  }

  @Test func `a dictionary with known keys leaves out empty slots`() throws {
    let object = try root { writer in
      let names = ["A", "B"].map { writer.string($0) }
      let token = writer.string("__empty_slot_token_4c24_98dc_ac1e_b773__")
      let keys = writer.array(names)
      let mapping = writer.object(
        hierarchy: ["NSKnownKeysMappingStrategy1", "NSKnownKeysMappingStrategy", "NSObject"],
        ["version": .integer(1), "length": .integer(2), "keys": keys.value]
      )
      let values = writer.array([writer.scalar(.integer(5)), token])
      return [
        "known": writer.object(
          hierarchy: [
            "NSKnownKeysDictionary1", "NSKnownKeysDictionary", "NSMutableDictionary",
            "NSDictionary", "NSObject",
          ],
          [
            "version": .integer(1), "searchMapping": mapping.value, "values": values.value,
            "emptyToken": token.value,
          ]
        ).value
      ]
    }
    #expect(try object.entries("known")?.map(\.key) == ["A"])
  }

  @Test func `strings and ordered sets of old forms are read`() throws {
    let object = try root { writer in
      let text = writer.object(
        hierarchy: ["NSMutableString", "NSString", "NSObject"],
        ["NS.string": .string("mutable")]
      )
      let old = writer.object(
        hierarchy: ["NSString", "NSObject"],
        ["NS.bytes": .data(Array("old".utf8))]
      )
      let set = writer.object(
        hierarchy: ["NSOrderedSet", "NSObject"],
        ["NS.object.0": text.value, "NS.object.1": old.value]
      )
      let null = writer.object(hierarchy: ["NSNull", "NSObject"], [:])
      return ["set": set.value, "null": null.value]
    }
    #expect(try object.elements("set")?.map(\.string) == ["mutable", "old"])
    #expect(object["null"]?.isNull == true)
  }

  @Test func `a value of another type is an error that names object and key`() throws {
    let object = try root { ["name": $0.scalar(.integer(1)).value] }
    do throws(PropertyListError) {
      _ = try object.string("name")
      Issue.record("was read")
    } catch {
      #expect(error.message == "name of object 1 (Thing) is a whole number, not a string.")
    }
  }

  @Test func `what is not a keyed archive, or leads nowhere, is refused`() {
    #expect(error { _ = try KeyedArchive(Samples.bytes) } == .notAnArchive)
    func archive(_ objects: [PropertyList], version: Int64 = 100_000) -> [UInt8] {
      PropertyList.dictionary([
        "$archiver": .string("NSKeyedArchiver"), "$version": .integer(version),
        "$top": .dictionary(["root": .uid(1)]), "$objects": .array(objects),
      ]).binary
    }
    let null = PropertyList.string("$null")
    #expect(error { _ = try KeyedArchive(archive([null])) } == .danglingReference)
    #expect(error { _ = try KeyedArchive(archive([null, null], version: 1)) } == .notAnArchive)
    #expect(
      error { _ = try KeyedArchive(archive([null, .dictionary(["$class": .uid(0)])])) }
        == .unexpectedValue
    )
    #expect(
      error { _ = try KeyedArchive(archive([null, .dictionary(["$classname": .uid(0)])])) }
        == .unexpectedValue
    )
    #expect(
      error { _ = try KeyedArchive(archive([null, .array([.array([.uid(.max)])])])) }
        == .danglingReference
    )
    #expect(error { _ = try KeyedArchive(archive([null, null])).root } == .unexpectedValue)
  }
}
