/// A reader of a binary property list, which reads each object at most once.
///
/// The layout is that of Apple's open-source CFBinaryPList.c: "bplist00", the objects, a table of
/// their offsets, and a trailer of 32 bytes. Nothing in the input is trusted:
/// - every offset, reference and length is checked against the part of the file that may contain it;
/// - the objects that are read may not overlap, so time and memory are linear in the length;
/// - the nesting of the *result* is bounded, also where objects are shared;
/// - the size of the result, were nothing shared, is bounded, because code that compares, hashes or
///   prints it does not see the sharing;
/// - the hashing that making sets costs is bounded, as each set hashes everything below it.
struct BinaryPropertyListReader {
  /// The greatest nesting that is read, which bounds the stack of all code that traverses the result.
  static let maximumDepth = 128

  /// The size of an object's value, were nothing in it shared.
  private struct Extent {
    var height = 1
    var nodes = 1
    var bytes = 0
  }

  private let bytes: [UInt8]
  private let trailer: BinaryPropertyListTrailer
  private let nodeLimit: Int
  private let byteLimit: Int
  private var values: [PropertyList?]
  private var extents: [Extent]
  private var isOpen: [Bool]
  private var consumed = 0
  private var hashed = 0

  /// Checks header and trailer.
  init(_ bytes: [UInt8]) throws(PropertyListError) {
    trailer = try BinaryPropertyListTrailer(bytes)
    self.bytes = bytes
    // Where no container is shared, and Apple's writers share none, each value has a reference.
    nodeLimit = (1 << 16) + bytes.count
    byteLimit = 64 * (1 << 20) + 64 * bytes.count
    values = Array(repeating: nil, count: trailer.objectCount)
    extents = Array(repeating: Extent(), count: trailer.objectCount)
    isOpen = Array(repeating: false, count: trailer.objectCount)
  }

  private var objectCount: Int { trailer.objectCount }
  private var referenceSize: Int { trailer.referenceSize }
  private var offsetTable: Int { trailer.offsetTable }
  private var headerSize: Int { BinaryPropertyListTrailer.headerSize }

  /// Returns the value of the top object.
  mutating func root() throws(PropertyListError) -> PropertyList {
    try object(trailer.topObject, depth: 0)
  }

  private mutating func object(
    _ index: Int,
    depth: Int
  ) throws(PropertyListError) -> PropertyList {
    if let known = values[index] {
      guard depth + extents[index].height <= Self.maximumDepth else { throw tooDeep(index) }
      return known
    }
    guard !isOpen[index] else {
      throw PropertyListError(.cycle, "Object \(index) contains itself.")
    }
    guard depth < Self.maximumDepth else { throw tooDeep(index) }
    let offset = Self.number(
      in: bytes,
      at: offsetTable + index * trailer.offsetSize,
      size: trailer.offsetSize
    )
    guard let start = Int(exactly: offset), (headerSize..<offsetTable).contains(start) else {
      throw PropertyListError(
        .damagedOffsets,
        "Object \(index) should be at byte \(offset), outside the objects."
      )
    }
    isOpen[index] = true
    var extent = Extent()
    let value = try read(index, at: start, depth: depth, extent: &extent)
    isOpen[index] = false
    values[index] = value
    extents[index] = extent
    return value
  }

  private mutating func read(
    _ index: Int,
    at start: Int,
    depth: Int,
    extent: inout Extent
  ) throws(PropertyListError) -> PropertyList {
    let marker = bytes[start]
    let nibble = Int(marker & 0x0f)
    switch marker >> 4 {
    case 0x0:
      try claim(start..<(start + 1), of: index)
      switch nibble {
      case 0x0: return .null
      case 0x8: return .boolean(false)
      case 0x9: return .boolean(true)
      default: throw unknown(marker, index, start)
      }
    case 0x1:
      guard nibble <= 4 else { throw unknown(marker, index, start) }
      return try wholeNumber(index, in: payload(index, start, 1, count: 1 << nibble, width: 1))
    case 0x2:
      guard nibble == 2 || nibble == 3 else { throw unknown(marker, index, start) }
      let range = try payload(index, start, 1, count: 1 << nibble, width: 1)
      let bits = Self.number(in: bytes, at: range.lowerBound, size: range.count)
      return .real(
        nibble == 3
          ? Double(bitPattern: bits)
          : Double(Float(bitPattern: UInt32(truncatingIfNeeded: bits)))
      )
    case 0x3:
      guard nibble == 3 else { throw unknown(marker, index, start) }
      let range = try payload(index, start, 1, count: 8, width: 1)
      return .date(
        Double(bitPattern: Self.number(in: bytes, at: range.lowerBound, size: 8))
      )
    case 0x8:
      guard nibble < 8 else { throw unknown(marker, index, start) }
      let range = try payload(index, start, 1, count: nibble + 1, width: 1)
      return .uid(Self.number(in: bytes, at: range.lowerBound, size: range.count))
    case 0x4, 0x5, 0x6:
      let (header, count) = try length(index, start)
      let width = marker >> 4 == 0x6 ? 2 : 1
      let range = try payload(index, start, header, count: count, width: width)
      extent.bytes = range.count
      if marker >> 4 == 0x4 { return .data(Array(bytes[range])) }
      return try .string(text(index, in: range, isWide: width == 2))
    case 0xa, 0xc, 0xd:
      return try container(index, at: start, depth: depth, extent: &extent)
    default: throw unknown(marker, index, start)
    }
  }

  private mutating func container(
    _ index: Int,
    at start: Int,
    depth: Int,
    extent: inout Extent
  ) throws(PropertyListError) -> PropertyList {
    let (header, count) = try length(index, start)
    let isDictionary = bytes[start] >> 4 == 0xd
    let width = isDictionary ? 2 * referenceSize : referenceSize
    let first = try payload(index, start, header, count: count, width: width).lowerBound
    if isDictionary {
      var entries: [String: PropertyList] = Dictionary(minimumCapacity: count)
      for position in 0..<count {
        let name = try child(first, position, of: index, depth: depth, extent: &extent)
        let value = try child(first, count + position, of: index, depth: depth, extent: &extent)
        guard case .string(let key) = name else {
          throw PropertyListError(
            .invalidKey,
            "Key \(position) of dictionary \(index) is \(name.kind), not a string."
          )
        }
        guard entries.updateValue(value, forKey: key) == nil else {
          throw PropertyListError(
            .invalidKey,
            "Key \(position) of dictionary \(index) occurs twice in it."
          )
        }
      }
      return .dictionary(entries)
    }
    var items: [PropertyList] = []
    items.reserveCapacity(count)
    for position in 0..<count {
      items.append(try child(first, position, of: index, depth: depth, extent: &extent))
    }
    guard bytes[start] >> 4 == 0xc else { return .array(items) }
    hashed += 16 * extent.nodes + extent.bytes
    guard hashed <= (1 << 20) + 16 * bytes.count else {
      throw PropertyListError(
        .tooLarge,
        "The set \(index) holds, with the sets before it, far more than \(bytes.count) bytes."
      )
    }
    let distinct = Set(items)
    guard distinct.count == items.count else {
      throw PropertyListError(.invalidKey, "The set \(index) has equal elements.")
    }
    return .set(distinct)
  }

  /// Returns the object that a container's reference number `position` leads to, its size added.
  private mutating func child(
    _ first: Int,
    _ position: Int,
    of parent: Int,
    depth: Int,
    extent: inout Extent
  ) throws(PropertyListError) -> PropertyList {
    let place = first + position * referenceSize
    let reference = Self.number(in: bytes, at: place, size: referenceSize)
    guard let index = Int(exactly: reference), index < objectCount else {
      throw PropertyListError(
        .damagedOffsets,
        "The reference at byte \(place) in object \(parent) leads to object \(reference) of"
          + " \(objectCount)."
      )
    }
    let value = try object(index, depth: depth + 1)
    extent.height = max(extent.height, extents[index].height + 1)
    extent.nodes += extents[index].nodes
    extent.bytes += extents[index].bytes
    guard extent.nodes <= nodeLimit, extent.bytes <= byteLimit else {
      throw PropertyListError(
        .tooLarge,
        "Object \(parent) would expand to more than \(nodeLimit) values or \(byteLimit) bytes."
      )
    }
    return value
  }

  /// Returns the size of the header and the count that it gives.
  private func length(
    _ index: Int,
    _ start: Int
  ) throws(PropertyListError) -> (header: Int, count: Int) {
    let nibble = Int(bytes[start] & 0x0f)
    guard nibble == 0x0f else { return (1, nibble) }
    guard start + 1 < offsetTable, bytes[start + 1] >> 4 == 0x1, bytes[start + 1] & 0x0f <= 3 else {
      throw PropertyListError(
        .damagedOffsets,
        "Object \(index) at byte \(start) has no length where it should."
      )
    }
    let size = 1 << Int(bytes[start + 1] & 0x0f)
    guard start + 2 + size <= offsetTable,
      let count = Int(exactly: Self.number(in: bytes, at: start + 2, size: size))
    else {
      throw PropertyListError(
        .damagedOffsets,
        "Object \(index) at byte \(start) has an impossible length."
      )
    }
    return (2 + size, count)
  }

  /// Returns the byte range of the object's contents, after claiming it together with the header.
  private mutating func payload(
    _ index: Int,
    _ start: Int,
    _ header: Int,
    count: Int,
    width: Int
  ) throws(PropertyListError) -> Range<Int> {
    let (size, overflows) = count.multipliedReportingOverflow(by: width)
    guard !overflows, size <= offsetTable - start - header else {
      throw PropertyListError(
        .damagedOffsets,
        "Object \(index) at byte \(start), of \(count) parts, runs past the objects' end at byte"
          + " \(offsetTable)."
      )
    }
    try claim(start..<(start + header + size), of: index)
    return (start + header)..<(start + header + size)
  }

  private mutating func claim(_ range: Range<Int>, of index: Int) throws(PropertyListError) {
    consumed += range.count
    guard consumed <= offsetTable - headerSize else {
      throw PropertyListError(
        .damagedOffsets,
        "Object \(index) at byte \(range.lowerBound) overlaps other objects."
      )
    }
  }

  private func wholeNumber(
    _ index: Int,
    in range: Range<Int>
  ) throws(PropertyListError) -> PropertyList {
    // As CFBinaryPList.c reads them: 1, 2 and 4 bytes have no sign, 8 and 16 have one.
    let start = range.lowerBound
    switch range.count {
    case 16:
      let high = Self.number(in: bytes, at: start, size: 8)
      let low = Self.number(in: bytes, at: start + 8, size: 8)
      if high == 0 { return PropertyList(wholeNumber: low) }
      guard high == .max, low > Int64.max else {
        throw PropertyListError(
          .unsupportedNumber,
          "The number in object \(index) at byte \(start) needs 128 bits."
        )
      }
      return .integer(Int64(bitPattern: low))
    default:
      return .integer(Int64(bitPattern: Self.number(in: bytes, at: start, size: range.count)))
    }
  }

  private func text(
    _ index: Int,
    in range: Range<Int>,
    isWide: Bool
  ) throws(PropertyListError) -> String {
    let text: String?
    if isWide {
      let units = stride(from: range.lowerBound, to: range.upperBound, by: 2).map {
        UInt16(bytes[$0]) << 8 | UInt16(bytes[$0 + 1])
      }
      text = String(validating: units, as: UTF16.self)
    } else {
      let isPlain = bytes[range].allSatisfy { $0 < 0x80 }
      text = isPlain ? String(decoding: bytes[range], as: UTF8.self) : nil
    }
    guard let text else {
      throw PropertyListError(
        .invalidText,
        "The string in object \(index) at byte \(range.lowerBound) is not"
          + " \(isWide ? "UTF-16" : "ASCII")."
      )
    }
    return text
  }

  /// Returns a big-endian number; the caller has checked that it is inside the bytes.
  static func number(in bytes: [UInt8], at start: Int, size: Int) -> UInt64 {
    var result: UInt64 = 0
    for place in start..<(start + size) { result = result << 8 | UInt64(bytes[place]) }
    return result
  }

  private func unknown(_ marker: UInt8, _ index: Int, _ start: Int) -> PropertyListError {
    PropertyListError(
      .unknownObject,
      "Object \(index) at byte \(start) has the type 0x\(String(marker, radix: 16)), which no"
        + " property list has."
    )
  }

  private func tooDeep(_ index: Int) -> PropertyListError {
    PropertyListError(
      .tooDeep,
      "Object \(index) lies deeper than \(Self.maximumDepth) containers."
    )
  }
}
