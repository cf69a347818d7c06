import ObjectModel
import PropertyLists

/// Looks up what records refer to, and remembers what was referred to.
///
/// An optimized model with a text or datum that nothing understood refers to is not understood.
struct OptimizedReader {
  private let tables: OptimizedTables
  private var usedTexts: Set<Int> = [0]
  private var usedData: Set<Int> = [0]
  // An archive is opened once, however many records refer to it.
  private var userInfos: [Int: [String: String]] = [0: [:]]
  private var derivations: [Int: DerivationExpression] = [:]
  /// The names of the entities, by index, once known.
  var entityNames: [String] = []

  init(_ tables: OptimizedTables) { self.tables = tables }

  mutating func text(_ index: Int) throws(ModelCodingError) -> String {
    guard index > 0, index < tables.texts.count else { throw .damaged("It lacks a text.") }
    usedTexts.insert(index)
    return tables.texts[index]
  }

  func wideText(_ index: Int) throws(ModelCodingError) -> String {
    guard index > 0, index < tables.wideTexts.count else { throw .damaged("It lacks a text.") }
    return tables.wideTexts[index]
  }

  func isName(_ name: String, at index: Int) -> Bool {
    tables.wideTexts.indices.contains(index) && tables.wideTexts[index] == name
  }

  mutating func data(_ index: Int) throws(ModelCodingError) -> [UInt8] {
    guard index > 0, index < tables.data.count else { throw .damaged("It lacks data.") }
    usedData.insert(index)
    return tables.data[index]
  }

  func entityName(_ index: Int) throws(ModelCodingError) -> String {
    guard entityNames.indices.contains(index) else { throw .damaged("It lacks an entity.") }
    return entityNames[index]
  }

  mutating func userInfo(_ index: Int) throws(ModelCodingError) -> [String: String] {
    if let known = userInfos[index] { return known }
    var info: [String: String] = [:]
    for pair in try archive(index).top("root")?.pairs ?? [] {
      guard let key = pair.key.string, let value = pair.value.string else {
        throw .unknownForm("it has user info that is no text")
      }
      info[key] = value
    }
    userInfos[index] = info
    return info
  }

  mutating func derivation(_ index: Int) throws(ModelCodingError) -> DerivationExpression? {
    if let known = derivations[index] { return known }
    guard let object = try archive(index).top("root")?.object else { return nil }
    let derivation = EntityDecoder().derivation(object)
    derivations[index] = derivation
    return derivation
  }

  /// The version identifiers, which are one text.
  mutating func versionIdentifiers(_ index: Int) throws(ModelCodingError) -> [String] {
    guard let text = try archive(index).top("root")?.string, !text.contains(",") else {
      throw .unknownForm("it has other version identifiers than one text")
    }
    return [text]
  }

  private mutating func archive(_ index: Int) throws(ModelCodingError) -> KeyedArchive {
    let bytes = try data(index)
    do throws(PropertyListError) {
      return try KeyedArchive(bytes)
    } catch { throw ModelCodingError(error) }
  }

  /// Throws where something was not referred to, apart from what the store's tables are called.
  ///
  /// - Parameter templates: The number of fetch request templates, whose names are not looked up.
  func finish(templates: Int, fetchRequests: Int) throws(ModelCodingError) {
    let left = tables.texts.indices.filter { index in
      let text = tables.texts[index]
      return !usedTexts.contains(index) && !["_pk", "_ent", "_opt"].contains(text)
        && !text.hasPrefix("_Z")
    }
    guard left.count == templates else {
      throw .unknownForm("it has texts that nothing known refers to")
    }
    guard fetchRequests > 0 || usedData.count == tables.data.count else {
      throw .unknownForm("it has data that nothing known refers to")
    }
  }
}
