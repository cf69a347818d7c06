import MigrationTestSupport
import ModelCoding
import ObjectModel
import PropertyLists
import Testing

/// Compares the encoder's objects with Apple's, class by class and key by key.
@Suite(.enabled(if: Corpus.isPresent)) struct `Shape of archives` {
  /// The keys that objects have, by class, each with the kinds of its values.
  private func shape(_ archive: [UInt8]) throws -> [String: Set<String>] {
    guard let objects = try PropertyList(binary: archive).dictionary?["$objects"]?.array else {
      return [:]
    }
    func resolved(_ value: PropertyList) -> PropertyList {
      if case .uid(let index) = value { objects[Int(index)] } else { value }
    }
    var result: [String: Set<String>] = [:]
    for object in objects {
      guard let fields = object.dictionary, let reference = fields["$class"],
        let classes = resolved(reference).dictionary?["$classes"]?.array
      else { continue }
      let names = classes.compactMap(\.string).joined(separator: " < ")
      for (key, value) in fields where key != "$class" {
        let isReference = if case .uid = value { "reference" } else { value.kind }
        result[names, default: []].insert("\(key): \(isReference)")
      }
    }
    return result
  }

  @Test func `classes, keys and kinds of values are Apple's`() throws {
    var apple: [String: Set<String>] = [:]
    var own: [String: Set<String>] = [:]
    for compiled in CompiledModel.all where compiled.isCache {
      apple.merge(try shape(compiled.archive)) { $0.union($1) }
      let model = try compiled.decoded.get().model
      own.merge(try shape(ModelArchiveEncoder.encode(model))) { $0.union($1) }
    }
    #expect(!own.isEmpty)
    for (name, keys) in own {
      let unknown = keys.subtracting(apple[name] ?? [])
      #expect(unknown.isEmpty, "\(name)")
    }
    print("\(own.count) classes of archived objects have only keys that Apple's have")
  }

  @Test func `the flags of every property are Apple's`() throws {
    func flags(_ archive: [UInt8]) throws -> [String: Int64] {
      var result: [String: Int64] = [:]
      for entity in try KeyedArchive(archive).root.entries("NSEntities") ?? [] {
        for property in try entity.value.object?.entries("NSProperties") ?? [] {
          guard let object = property.value.object,
            object.className != "_NSPropertyDescriptionProxy"
          else { continue }
          result["\(entity.key).\(property.key)"] = try object.integer("_P")
        }
      }
      return result
    }
    var count = 0
    for compiled in CompiledModel.all where compiled.isCache {
      let decoded = try compiled.decoded.get()
      // What was left out, such as a validation rule, shows in the flags.
      let incomplete = Set(decoded.findings.compactMap(\.place.property))
      let own = try flags(ModelArchiveEncoder.encode(decoded.model))
      for (place, value) in try flags(compiled.archive) {
        let name = place.split(separator: ".").last.map(String.init) ?? ""
        guard !incomplete.contains(name) else { continue }
        count += 1
        #expect(own[place] == value, "\(compiled) \(place)")
      }
    }
    print("\(count) properties have Apple's flags")
  }
}
