import ObjectModel

/// The record of an entity: words between two marks.
///
/// Its middle repeats the properties, inherited ones too, and counts them by kind; it is passed
/// over by finding, from the end, the one place at which all that follows fits together.
struct OptimizedEntity {
  private static let mark = 0xdaed_feeb
  private static let yes = 0x0100_0000
  /// The most columns of a uniqueness constraint that are looked for.
  private static let mostColumns = 16

  let name: String
  let className: String
  let parent: Int?
  let hash: [UInt8]
  private let words: [Int]

  init(
    _ cursor: inout OptimizedCursor,
    in reader: inout OptimizedReader
  ) throws(ModelCodingError) {
    try cursor.align(to: 8)
    try cursor.expect(Self.mark)
    let size = try cursor.word()
    guard size.isMultiple(of: 4), size >= 480 else { throw .damaged("An entity is too short.") }
    words = [Self.mark, size] + (try cursor.words(size / 4 - 2))
    try cursor.expect(Self.mark)
    name = try reader.text(words[5])
    className = try reader.text(words[4])
    hash = try reader.data(words[3])
    switch words[6] {
    case 0: parent = nil
    case Self.yes: parent = words[7]
    default: throw .unknownForm("\(name) has a parent of a kind not known")
    }
    guard words[2] == 0 else { throw .unknownForm("\(name) has more than others") }
  }

  /// The entity without properties.
  ///
  /// - Parameter family: The indexes of the entity, first, and of those below it.
  func description(
    _ reader: inout OptimizedReader,
    family: [Int]
  ) throws(ModelCodingError) -> EntityDescription {
    let end = words.count - 3
    let start = end - 2 * family.count
    guard start - 8 > 82, words[end] == family.first, words[start - 1] == family.count,
      words[start - 7] == family.count, words[(start - 6)...(start - 2)].allSatisfy({ $0 == 0 }),
      let members = wides(start..<end), members.sorted() == family.sorted()
    else { throw .unknownForm("the family of \(name) is written unlike others") }
    let tailEnd = start - 8
    var shapes: [Shape] = []
    for hasIndex in [false, true] {
      for columns in 0...Self.mostColumns {
        if let shape = try shape(before: tailEnd, hasIndex, columns, &reader) {
          shapes.append(shape)
        }
      }
    }
    guard let shape = shapes.first, shapes.count == 1 else {
      throw .unknownForm("the constraints or indexes of \(name) are written unlike others")
    }
    var entity = EntityDescription(name: name)
    entity.managedObjectClassName = className
    entity.isAbstract = shape.isAbstract
    entity.userInfo = try reader.userInfo(words[tailEnd])
    if entity.userInfo["com.apple.syncservices.Syncable"] == "NO" {
      entity.userInfo["com.apple.syncservices.Syncable"] = nil
      entity.isSyncable = false
    }
    if !shape.columns.isEmpty {
      var columns: [String] = []
      for column in shape.columns { columns.append(try reader.text(column)) }
      entity.uniquenessConstraints = [columns]
    }
    if let index = shape.index {
      entity.indexes = [
        FetchIndexDescription(
          name: try reader.text(index.name),
          elements: [.init(propertyName: try reader.text(index.property))]
        )
      ]
    }
    return entity
  }

  private struct Shape {
    var isAbstract: Bool
    var columns: [Int] = []
    var index: (name: Int, property: Int)?
  }

  /// What the tail says, if it has at most one index, of one ascending column, and at most one
  /// constraint, of so many columns.
  private func shape(
    before end: Int,
    _ hasIndex: Bool,
    _ columns: Int,
    _ reader: inout OptimizedReader
  ) throws(ModelCodingError) -> Shape? {
    let first = end - 26 - (hasIndex ? 14 : 0) - (columns > 0 ? 6 + 2 * columns : 0)
    guard first > 9, words[first] & ~0x1801 == 0xc,
      words[(first + 1)...(first + 18)].allSatisfy({ $0 == 0 }),
      reader.isName(name, at: words[first + 19]),
      words[(first + 20)...(first + 22)].allSatisfy({ $0 == 0 }),
      words[first + 23] == (hasIndex ? 1 : 0)
    else { return nil }
    var shape = Shape(isAbstract: words[first] & 1 == 1)
    var next = first + 24
    if hasIndex {
      guard let index = wides(next..<(next + 14)), index[1] == 0, index[2] == 1, index[4] == 0,
        index[5] == 1, index[6] == 0
      else { return nil }
      shape.index = (index[0], index[3])
      next += 14
    }
    guard words[next] == 0, words[next + 1] == (columns > 0 ? 1 : 0) else { return nil }
    next += 2
    if columns > 0 {
      guard let list = wides(next..<end), list.prefix(3).elementsEqual([0, 0, columns]) else {
        return nil
      }
      shape.columns = Array(list.dropFirst(3))
    }
    return shape
  }

  /// Numbers of 64 bits, if the upper half of each is empty.
  private func wides(_ range: Range<Int>) -> [Int]? {
    var numbers: [Int] = []
    for index in stride(from: range.lowerBound, to: range.upperBound, by: 2) {
      guard words[index] == 0 else { return nil }
      numbers.append(words[index + 1])
    }
    return numbers
  }
}
