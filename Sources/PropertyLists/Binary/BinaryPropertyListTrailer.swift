/// The last 32 bytes of a binary property list, checked against its length.
struct BinaryPropertyListTrailer {
  private static let size = 32
  /// The offset of the first object, after "bplist00".
  static let headerSize = 8

  /// The number of objects; at least one.
  let objectCount: Int
  /// The number of the object that is the list's value.
  let topObject: Int
  /// The width of an offset in the table, in bytes.
  let offsetSize: Int
  /// The width of a reference in a container, in bytes.
  let referenceSize: Int
  /// The offset of the offset table, where the objects end.
  let offsetTable: Int

  init(_ bytes: [UInt8]) throws(PropertyListError) {
    guard bytes.starts(with: Array("bplist00".utf8)) else {
      throw PropertyListError(
        .notAPropertyList,
        "The first 8 of \(bytes.count) bytes are not \"bplist00\"."
      )
    }
    let start = bytes.count - Self.size
    guard start > Self.headerSize else {
      throw PropertyListError(
        .damagedTrailer,
        "\(bytes.count) bytes are too few for a header, an object and a trailer."
      )
    }
    offsetSize = Int(bytes[start + 6])
    referenceSize = Int(bytes[start + 7])
    let numbers = [8, 16, 24].map {
      BinaryPropertyListReader.number(in: bytes, at: start + $0, size: 8)
    }
    guard (1...8).contains(offsetSize), (1...8).contains(referenceSize) else {
      throw PropertyListError(
        .damagedTrailer,
        "The trailer at byte \(start) gives offsets \(offsetSize) and references"
          + " \(referenceSize) bytes; only 1 to 8 are possible."
      )
    }
    // As CFBinaryPList.c demands: the table ends where the trailer begins.
    guard let count = Int(exactly: numbers[0]), let top = Int(exactly: numbers[1]),
      let table = Int(exactly: numbers[2]), top < count, table > Self.headerSize, table < start,
      count == (start - table) / offsetSize, (start - table).isMultiple(of: offsetSize)
    else {
      throw PropertyListError(
        .damagedTrailer,
        "The trailer at byte \(start) tells of \(numbers[0]) objects, the top one being \(numbers[1]),"
          + " and of offsets from byte \(numbers[2]) on, which does not fit \(bytes.count) bytes."
      )
    }
    // Each object takes a byte of its own; offsets of one byte would claim far more.
    guard count <= table - Self.headerSize else {
      throw PropertyListError(
        .damagedTrailer,
        "The trailer at byte \(start) tells of \(count) objects in \(table - Self.headerSize) bytes."
      )
    }
    objectCount = count
    topObject = top
    offsetTable = table
  }
}
