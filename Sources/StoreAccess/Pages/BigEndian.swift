/// The numbers of a database's file, whose first byte is the most significant.
enum BigEndian {
  /// Returns a number of four bytes.
  @inline(__always)
  static func number(_ place: UnsafeRawPointer) -> UInt32 {
    unsafe UInt32(bigEndian: place.loadUnaligned(as: UInt32.self))
  }

  /// Returns a number of two bytes.
  @inline(__always)
  static func short(_ place: UnsafeRawPointer) -> Int {
    unsafe Int(UInt16(bigEndian: place.loadUnaligned(as: UInt16.self)))
  }

  /// Returns a signed number of one to eight bytes.
  @inline(__always)
  static func integer(_ place: UnsafeRawPointer, count: Int) -> Int64 {
    if count == 8 { return unsafe Int64(bigEndian: place.loadUnaligned(as: Int64.self)) }
    var value = Int64(unsafe place.load(as: Int8.self))
    var offset = 1
    while offset < count {
      value = value << 8 | Int64(unsafe place.load(fromByteOffset: offset, as: UInt8.self))
      offset += 1
    }
    return value
  }

  /// Returns a number of one to nine bytes, whose bytes mark their end.
  ///
  /// - Parameters:
  ///   - offset: The offset of the number; afterwards of the byte behind it.
  ///   - end: The end of the readable bytes.
  @inline(__always)
  static func variable(
    _ start: UnsafeRawPointer,
    _ offset: inout Int,
    _ end: Int
  ) throws(Unproven) -> UInt64 {
    guard offset < end else { throw Unproven() }
    let first = unsafe start.load(fromByteOffset: offset, as: UInt8.self)
    offset += 1
    if first < 0x80 { return UInt64(first) }
    return try unsafe longer(start, &offset, end, UInt64(first & 0x7f))
  }

  private static func longer(
    _ start: UnsafeRawPointer,
    _ offset: inout Int,
    _ end: Int,
    _ first: UInt64
  ) throws(Unproven) -> UInt64 {
    var value = first
    for index in 1...8 {
      guard offset < end else { throw Unproven() }
      let byte = unsafe start.load(fromByteOffset: offset, as: UInt8.self)
      offset += 1
      if index == 8 { return value << 8 | UInt64(byte) }
      value = value << 7 | UInt64(byte & 0x7f)
      if byte < 0x80 { return value }
    }
    return value
  }
}
