private import CSQLite

/// The values for the parameters of statements that run later, in one piece of memory.
///
/// Nothing in it belongs to a statement: what a row held is still here when its statement went on.
package struct BoundValues {
  /// A value, or where its bytes are.
  fileprivate struct Value {
    var storageClass: SQLiteStorageClass
    /// An integer, the bits of a floating-point number, or where the bytes begin.
    var number: Int64 = 0
    /// The number of bytes.
    var count = 0
  }

  fileprivate var values: [Value] = []
  fileprivate var bytes: [UInt8] = []

  /// Makes an empty list.
  package init() {}

  /// The number of values.
  package var count: Int { values.count }
  /// The bytes of texts and blobs.
  package var byteCount: Int { bytes.count }

  /// The bytes of memory that stay for the next values.
  private static let keptBytes = 4 << 20

  /// Lets go of all values, and keeps their memory unless it is much.
  package mutating func removeAll() {
    values.removeAll(keepingCapacity: true)
    bytes.removeAll(keepingCapacity: bytes.capacity <= Self.keptBytes)
  }

  /// Adds an integer.
  package mutating func append(_ value: Int64) {
    values.append(Value(storageClass: .integer, number: value))
  }

  /// Adds a value of any storage class.
  package mutating func append(_ value: SQLiteValue) {
    switch value {
    case .null: values.append(Value(storageClass: .null))
    case .integer(let value): append(value)
    case .real(let value): append(value)
    case .text(var value): value.withUTF8 { unsafe append(.text, UnsafeRawBufferPointer($0)) }
    case .malformedText(let value):
      unsafe value.withUnsafeBytes { unsafe append(.text, $0) }
    case .blob(let value): unsafe value.withUnsafeBytes { unsafe append(.blob, $0) }
    }
  }

  /// Adds what a column of a statement's current row holds.
  package mutating func append(column: Int, of statement: borrowing SQLiteStatement) {
    let storageClass = statement.storageClass(column)
    switch storageClass {
    case .null: values.append(Value(storageClass: .null))
    case .integer: append(statement.int64(column))
    case .real: append(statement.double(column))
    case .text: unsafe statement.withText(column) { unsafe append(.text, $0) }
    case .blob: unsafe statement.withBytes(column) { unsafe append(.blob, $0) }
    }
  }

  private mutating func append(_ value: Double) {
    values.append(
      Value(storageClass: .real, number: Int64(bitPattern: value.bitPattern))
    )
  }

  private mutating func append(_ storageClass: SQLiteStorageClass, _ new: UnsafeRawBufferPointer) {
    values.append(
      Value(storageClass: storageClass, number: Int64(bytes.count), count: new.count)
    )
    unsafe bytes.append(contentsOf: new)
  }
}

extension SQLiteStatement {
  /// Runs the statement once for each group of values that is as long as it has parameters.
  ///
  /// - Parameter range: The values, by their places; as many as there are parameters, or several times that.
  /// - Throws: ``SQLiteError`` of the first run that fails.
  package func run(_ values: BoundValues, _ range: Range<Int>) throws(SQLiteError) {
    let width = Int(unsafe sqlite3_bind_parameter_count(handle))
    guard width > 0 else { return }
    // SQLite reads the bytes where they are, and must not know of them any more when they are gone.
    defer { unsafe _ = sqlite3_clear_bindings(handle) }
    try unsafe values.bytes.withUnsafeBufferPointer { (elements) throws(SQLiteError) in
      let bytes = UnsafeRawBufferPointer(elements)
      for start in stride(from: range.lowerBound, to: range.upperBound, by: width) {
        for place in 0..<width {
          try unsafe bind(values.values[start + place], bytes, at: place + 1)
        }
        try run()
      }
    }
  }

  @unsafe private func bind(
    _ value: BoundValues.Value,
    _ bytes: UnsafeRawBufferPointer,
    at index: Int
  ) throws(SQLiteError) {
    switch value.storageClass {
    case .null: try bindNull(at: index)
    case .integer: try bind(value.number, at: index)
    case .real: try bind(Double(bitPattern: UInt64(bitPattern: value.number)), at: index)
    case .text, .blob:
      let start = Int(value.number)
      try unsafe bind(
        inPlace: UnsafeRawBufferPointer(rebasing: bytes[start..<start + value.count]),
        as: value.storageClass,
        at: index
      )
    }
  }
}
