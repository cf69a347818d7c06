internal import ObjectModel
package import StoreMigration

/// A writer of records as comma-separated values (RFC 4180), as they are: no character is left out.
///
/// An empty cell is no value, and `""` the empty text. Lists, composites and property lists are JSON.
/// Reports have their own rows, `CSVRow`, which are made for spreadsheets.
package struct RecordCSV {
  /// Whether an apostrophe is put before text that a spreadsheet would compute.
  package var escapesFormulas: Bool
  /// The bytes that were not let go of yet.
  package private(set) var bytes: [UInt8] = []
  /// The writer of values that look as in JSON.
  private var json = RecordJSON()

  /// A writer without rows.
  package init(escapesFormulas: Bool) { self.escapesFormulas = escapesFormulas }

  /// Lets go of the bytes, and keeps their memory.
  package mutating func removeAll() { bytes.removeAll(keepingCapacity: true) }

  /// Writes a row of headings.
  package mutating func headings(_ names: [String]) {
    for (place, name) in names.enumerated() {
      if place > 0 { bytes.append(0x2c) }
      write(text: name)
    }
    endRow()
  }

  /// Writes a row.
  package mutating func row(_ cells: [RecordValue]) {
    for (place, cell) in cells.enumerated() {
      if place > 0 { bytes.append(0x2c) }
      write(cell)
    }
    endRow()
  }

  private mutating func endRow() {
    bytes.append(0x0d)
    bytes.append(0x0a)
  }

  private mutating func write(_ value: RecordValue) {
    switch value {
    case .nothing: return
    case .scalar(.string(let content)), .scalar(.uri(let content)), .file(let content),
      .unreadable(.string(let content)):
      write(text: content)
    case .object(let key): bytes.append(contentsOf: String(key).utf8)
    case .scalar(let scalar), .unreadable(let scalar): write(unquoted: .scalar(scalar))
    case .encoded(let data): write(unquoted: .scalar(.binary(data)))
    case .composite, .propertyList, .objects, .list:
      json.write(value)
      let content = json.bytes
      json.removeAll()
      content.withUnsafeBufferPointer { write($0) }
    }
  }

  /// Writes digits, dates and base64, without the quotation marks of JSON; no bytes are not no value.
  private mutating func write(unquoted value: RecordValue) {
    json.write(value)
    let isQuoted = json.bytes.first == 0x22
    if isQuoted, json.bytes.count == 2 {
      bytes.append(contentsOf: json.bytes)
    } else {
      bytes.append(
        contentsOf: json.bytes[(isQuoted ? 1 : 0)..<json.bytes.count - (isQuoted ? 1 : 0)]
      )
    }
    json.removeAll()
  }

  private mutating func write(text: String) {
    var text = text
    text.withUTF8 { write($0) }
  }

  /// Writes text, in quotation marks where it needs them.
  private mutating func write(_ content: UnsafeBufferPointer<UInt8>) {
    let isEscaped = escapesFormulas && content.first.map("=+-@\t\r".utf8.contains) == true
    let needsQuotes =
      content.isEmpty || content.first == 0x20 && !isEscaped || content.last == 0x20
      || content.contains { $0 == 0x2c || $0 == 0x22 || $0 == 0x0a || $0 == 0x0d }
    if needsQuotes { bytes.append(0x22) }
    if isEscaped { bytes.append(0x27) }
    guard needsQuotes else { return bytes.append(contentsOf: content) }
    for byte in content {
      if byte == 0x22 { bytes.append(0x22) }
      bytes.append(byte)
    }
    bytes.append(0x22)
  }
}

/// The columns in which CSV and tables show records.
package struct RecordColumns {
  /// A column.
  private struct Column: Hashable {
    var property: String
    /// The element of a composite attribute.
    var element: String?
  }

  private var columns: [Column] = []
  /// The place of each column's property in records of a shape; nil where the shape has no such one.
  private var places: [ObjectIdentifier: [Int?]] = [:]
  /// Whether records of several entities are shown, with their entities' names.
  private let hasEntity: Bool

  /// The columns of all properties of some entities, in the order of their names.
  package init(_ shapes: [RecordShape]) {
    hasEntity = shapes.count > 1
    var seen: Set<Column> = []
    for shape in shapes {
      for property in shape.properties {
        let elements = property.elements?.map(\.name)
        for column in elements?.map({ Column(property: property.name, element: $0) })
          ?? [Column(property: property.name)] where seen.insert(column).inserted
        {
          columns.append(column)
        }
      }
    }
    if hasEntity {
      columns.sort {
        $0.property == $1.property ? false : ByteOrder.precedes($0.property, $1.property)
      }
    }
    for shape in shapes {
      places[ObjectIdentifier(shape)] = columns.map { shape.places[$0.property] }
    }
  }

  /// The headings: `entity` where there are several, `objectID`, and the properties.
  package var headings: [String] {
    (hasEntity ? ["entity"] : []) + ["objectID"]
      + columns.map { column in
        [ObjectReader.shownName(of: column.property), column.element]
          .compactMap(\.self).joined(separator: ".")
      }
  }

  /// Returns the cells of a record.
  package func cells(of record: ObjectReader.Record) -> [RecordValue] {
    var cells: [RecordValue] = hasEntity ? [.scalar(.string(record.shape.entityName))] : []
    cells.append(.object(record.key))
    cells.reserveCapacity(cells.count + columns.count)
    let places =
      places[ObjectIdentifier(record.shape)] ?? columns.map { record.shape.places[$0.property] }
    for (index, place) in places.enumerated() {
      guard let place else {
        cells.append(.nothing)
        continue
      }
      let value = record.values[place]
      guard let element = columns[index].element else {
        cells.append(value)
        continue
      }
      if case .composite(let elements) = value {
        cells.append(elements.first { $0.name == element }?.value ?? .nothing)
      } else {
        cells.append(.nothing)
      }
    }
    return cells
  }
}
