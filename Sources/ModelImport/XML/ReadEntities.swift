import ObjectModel
import Synchronization
import XMLParsing

/// The entities that were read so far, by their text: versions of a model have most of them in common, and
/// each is read once.
final class ReadEntities: Sendable {
  private let known = Mutex<[Text: EntityDescription]>([:])

  /// A text of bytes that are hashed at once.
  private struct Text: Hashable {
    let bytes: ArraySlice<UInt8>

    func hash(into hasher: inout Hasher) {
      unsafe bytes.withUnsafeBytes { unsafe hasher.combine(bytes: $0) }
    }
  }

  /// The entities of a file that are known already, and the rest of it that is to be read.
  struct Rest {
    /// The entities that are known.
    var known: [EntityDescription] = []
    /// The texts of the others, in the order of the file.
    var unread: [ArraySlice<UInt8>] = []
    /// The file without the known ones, whose lines stay.
    var bytes: [UInt8] = []
  }

  /// Leaves the known entities out of a `contents` file; nil where it has to be read as a whole.
  ///
  /// A larger file might have more elements than are accepted: the shortest has four bytes.
  func rest(of bytes: [UInt8]) -> Rest? {
    guard bytes.count < 4 * XMLTree.limits.count, let ranges = EntityRanges.ranges(in: bytes),
      !ranges.isEmpty
    else { return nil }
    let entities = known.withLock { known in ranges.map { known[Text(bytes: bytes[$0])] } }
    var rest = Rest()
    var end = 0
    for (range, entity) in zip(ranges, entities) {
      guard let entity else {
        rest.unread.append(bytes[range])
        continue
      }
      rest.known.append(entity)
      rest.bytes += bytes[end..<range.lowerBound]
      // A blank keeps the texts around it apart.
      rest.bytes.append(UInt8(ascii: " "))
      let lines = bytes[range].count { $0 == UInt8(ascii: "\n") }
      rest.bytes += repeatElement(UInt8(ascii: "\n"), count: lines)
      end = range.upperBound
    }
    rest.bytes += bytes[end...]
    return rest
  }

  /// Keeps entities by their texts.
  func keep(_ entities: [(text: ArraySlice<UInt8>, entity: EntityDescription)]) {
    guard !entities.isEmpty else { return }
    known.withLock { known in
      // The whole file would stay in memory with a slice of it.
      for (text, entity) in entities { known[Text(bytes: ArraySlice(Array(text)))] = entity }
    }
  }
}
