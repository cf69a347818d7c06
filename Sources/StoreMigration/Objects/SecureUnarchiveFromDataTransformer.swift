import ObjectModel
import PropertyLists

/// A transformer that reads and writes values of property lists as keyed archives.
///
/// Counterpart of `NSSecureUnarchiveFromDataTransformer`, which Core Data takes where the model names
/// no transformer. It makes instances of no class: text, numbers, dates, data, arrays, and
/// dictionaries by text are read, and every other archive is refused, so that reading leaves nothing out.
public struct SecureUnarchiveFromDataTransformer: AttributeTransformer {
  /// The names by which models mean it, or `NSKeyedUnarchiveFromData`, which reads the same archives.
  package static let names: Set<String> = [
    "NSSecureUnarchiveFromData", "NSSecureUnarchiveFromDataTransformer",
    "NSSecureUnarchiveFromDataTransformerName", "NSKeyedUnarchiveFromData",
    "NSKeyedUnarchiveFromDataTransformerName",
  ]
  /// The classes that are read; one below them may hold more.
  private static let classNames: Set<String> = [
    "NSString", "NSMutableString", "NSDate", "NSData", "NSMutableData", "NSArray", "NSMutableArray",
    "NSDictionary", "NSMutableDictionary", "NSKnownKeysDictionary", "NSKnownKeysDictionary1",
  ]
  /// The keys under which these classes archive their values.
  private static let keys: Set<String> = [
    "NS.string", "NS.bytes", "NS.time", "NS.data", "NS.objects", "NS.keys", "searchMapping",
    "values",
    "emptyToken",
  ]
  /// The greatest depth of arrays and dictionaries in each other; an archive can contain itself.
  private static let greatestDepth = 128

  /// A transformer.
  public init() {}

  /// Returns the value in an archive.
  ///
  /// - Throws: ``MigrationError`` for everything that is no archive of such values; it quotes nothing.
  /// - Complexity: O(*n*) in the bytes, with a limit on how often what is shared is read.
  public func value(of bytes: [UInt8]) throws -> PropertyListValue {
    do {
      let archive = try KeyedArchive(bytes)
      guard archive.topKeys == ["root"], let root = archive.top("root") else { throw Self.refusal }
      let value = try Self.value(root, depth: 0)
      try archive.checkEffort()
      return value
    } catch is PropertyListError { throw Self.refusal }
  }

  /// Encodes a value as an archive.
  ///
  /// - Throws: ``MigrationError`` where arrays and dictionaries are nested too deep.
  public func bytes(of value: PropertyListValue) throws -> [UInt8] {
    var writer = KeyedArchiveWriter()
    let root = try Self.add(value, to: &writer, depth: 0)
    return writer.archive(root: root)
  }

  private static func value(_ archived: ArchivedValue, depth: Int) throws -> PropertyListValue {
    guard depth < greatestDepth else { throw refusal }
    switch archived {
    case .plain(.boolean(let flag)): return .boolean(flag)
    case .plain(.integer(let number)): return .integer(number)
    case .plain(.real(let number)): return .real(number)
    case .object(let object)
    where !classNames.contains(object.className) || !object.keys.isSubset(of: keys):
      throw refusal
    default: break
    }
    if let text = archived.string { return .string(text) }
    if let seconds = archived.date { return .date(seconds) }
    if let bytes = archived.data { return .data(bytes) }
    if archived.object?.isKind(of: "NSArray") == true, let elements = archived.elements {
      return .array(try elements.map { try value($0, depth: depth + 1) })
    }
    guard let entries = archived.entries else { throw refusal }
    let values = try entries.map { ($0.key, try value($0.value, depth: depth + 1)) }
    let dictionary = Dictionary(values) { $1 }
    guard dictionary.count == values.count else { throw refusal }
    return .dictionary(dictionary)
  }

  private static func add(
    _ value: PropertyListValue,
    to writer: inout KeyedArchiveWriter,
    depth: Int
  ) throws -> KeyedArchiveWriter.Reference {
    guard depth < greatestDepth else { throw refusal }
    switch value {
    case .string(let text): return writer.string(text)
    case .integer(let number): return writer.scalar(.integer(number))
    case .real(let number): return writer.scalar(.real(number))
    case .boolean(let flag): return writer.scalar(.boolean(flag))
    case .date(let seconds): return writer.date(seconds)
    case .data(let bytes): return writer.scalar(.data(bytes))
    case .array(let elements):
      var references: [KeyedArchiveWriter.Reference] = []
      for element in elements { references.append(try add(element, to: &writer, depth: depth + 1)) }
      return writer.array(references)
    case .dictionary(let entries):
      var references: [(key: KeyedArchiveWriter.Reference, value: KeyedArchiveWriter.Reference)] =
        []
      for (key, element) in entries.sorted(by: { ByteOrder.precedes($0.key, $1.key) }) {
        references.append(
          (writer.string(key), try add(element, to: &writer, depth: depth + 1))
        )
      }
      return writer.dictionary(references)
    }
  }

  private static let refusal = MigrationError(
    .failed,
    "A keyed archive holds something other than text, numbers, dates, data, arrays and dictionaries, "
      + "or is damaged.",
    recovery: "Read its bytes, or register a transformer that knows what it holds."
  )
}
