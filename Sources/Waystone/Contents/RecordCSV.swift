internal import ObjectModel
package import StoreMigration

/// A writer of records as comma-separated values (RFC 4180), as they are: no character is left out.
///
/// An empty cell is no value, and `""` the empty text. Lists, composites and property lists are JSON.
/// Reports have their own rows, `CSVRow`, which are made for spreadsheets.
package struct RecordCSV {
  /// Whether an apostrophe is put before text that a spreadsheet would compute.
  package var escapesFormulas: Bool
  private var text = ""

  /// A writer without rows.
  package init(escapesFormulas: Bool) { self.escapesFormulas = escapesFormulas }

  /// The number of bytes that were not taken yet.
  package var count: Int { text.utf8.count }

  /// Takes the text.
  package mutating func take() -> String {
    defer { text = "" }
    return text
  }

  /// Writes a row of headings.
  package mutating func headings(_ names: [String]) {
    for (place, name) in names.enumerated() {
      if place > 0 { text += "," }
      write(name)
    }
    text += "\r\n"
  }

  /// Writes a row.
  package mutating func row(_ cells: [RecordValue]) {
    for (place, cell) in cells.enumerated() {
      if place > 0 { text += "," }
      write(cell)
    }
    text += "\r\n"
  }

  private mutating func write(_ value: RecordValue) {
    switch value {
    case .nothing: return
    case .scalar(.string(let content)), .scalar(.uri(let content)), .file(let content),
      .unreadable(.string(let content)):
      write(content)
    case .object(let key): text += "\(key)"
    case .scalar(let scalar), .unreadable(let scalar): write(unquoted: .scalar(scalar))
    case .encoded(let bytes): write(unquoted: .scalar(.binary(bytes)))
    case .composite, .propertyList, .objects, .list:
      var json = RecordJSON()
      json.write(value)
      write(json.take())
    }
  }

  /// Writes digits, dates and base64, without the quotation marks of JSON; no bytes are not no value.
  private mutating func write(unquoted value: RecordValue) {
    var json = RecordJSON()
    json.write(value)
    let content = json.take().filter { $0 != "\"" }
    text += content.isEmpty ? "\"\"" : content
  }

  /// Writes text, in quotation marks where it needs them.
  private mutating func write(_ content: String) {
    var content = content
    if escapesFormulas, let first = content.unicodeScalars.first,
      "=+-@\t\r".unicodeScalars.contains(first)
    {
      content = "'" + content
    }
    let needsQuotes = content.utf8.contains {
      $0 == 0x2c || $0 == 0x22 || $0 == 0x0a || $0 == 0x0d
    }
    guard needsQuotes || content.isEmpty || content.first == " " || content.last == " " else {
      return text += content
    }
    text += "\""
    for scalar in content.unicodeScalars {
      if scalar == "\"" { text += "\"" }
      text.unicodeScalars.append(scalar)
    }
    text += "\""
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
    guard hasEntity else { return }
    columns.sort {
      $0.property == $1.property ? false : ByteOrder.precedes($0.property, $1.property)
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
    for column in columns {
      guard let place = record.shape.places[column.property] else {
        cells.append(.nothing)
        continue
      }
      let value = record.values[place]
      guard let element = column.element else {
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
