/// The tables of an optimized model: its texts, its data, and where its records are.
///
/// Measured on five files of public apps. The file begins with 64 bytes that name the layout; then
/// follow, in words of 32 bits, big-endian, the places of the parts. Each part but the model
/// stands after the mark `efbeadde efbeadde` and begins with its number of entries.
struct OptimizedTables {
  /// The two layouts seen: the older has no derived attributes.
  private static let layouts: [(mark: String, kinds: Int)] = [
    ("momv2$[]77y234078nf3490324nfauh7kf77y7pjfauy72-918reiaprehuhfrew", 4),
    ("momv2$srsraori55717101jhus-[6910aathnnhi86786714[-;uadmiraenv143", 5),
  ]

  /// A part of the file: where it begins, and its number of entries.
  struct Part {
    let offset: Int
    let count: Int
  }

  let bytes: [UInt8]
  let model: Int
  let entities: Part
  let properties: Part
  /// The number of properties of each kind.
  let kinds: [Int]
  let fetchRequests: Part
  private(set) var wideTexts: [String] = []
  private(set) var texts: [String] = []
  private(set) var data: [[UInt8]] = []

  init(_ bytes: [UInt8]) throws(ModelCodingError) {
    guard let layout = Self.layouts.first(where: { bytes.starts(with: $0.mark.utf8) }) else {
      throw .unknownForm("it begins unlike others")
    }
    self.bytes = bytes
    var cursor = try OptimizedCursor(bytes, at: layout.mark.utf8.count)
    model = try cursor.word()
    entities = try cursor.part()
    properties = try cursor.part()
    kinds = try cursor.words(layout.kinds)
    _ = try cursor.part()  // How the store lays out its tables, which follows from the model.
    let data = try cursor.part()
    let wideTexts = try cursor.part()
    let texts = try cursor.part()
    fetchRequests = try cursor.part()
    try readWideTexts(wideTexts)
    try readTexts(texts)
    try readData(data)
  }

  /// A cursor at the first entry of a part.
  func cursor(_ part: Part) throws(ModelCodingError) -> OptimizedCursor {
    var cursor = try OptimizedCursor(bytes, at: part.offset - 8)
    guard try cursor.take(8).elementsEqual([0xef, 0xbe, 0xad, 0xde, 0xef, 0xbe, 0xad, 0xde]) else {
      throw .damaged("A part does not begin as parts do.")
    }
    try cursor.align(to: 4)
    return cursor
  }

  private mutating func readWideTexts(_ part: Part) throws(ModelCodingError) {
    var cursor = try cursor(part)
    try cursor.expect(part.count)
    for _ in 0..<part.count {
      try cursor.align(to: 4)
      let length = try cursor.word()
      try cursor.expectZeros(1)
      let bytes = Array(try cursor.take(length))
      guard length.isMultiple(of: 2) else { throw .damaged("A text ends within a character.") }
      let units = stride(from: 0, to: length, by: 2).map {
        UInt16(bytes[$0]) | UInt16(bytes[$0 + 1]) << 8
      }
      let text = String(decoding: units, as: UTF16.self)
      guard text.utf16.elementsEqual(units) else { throw .damaged("A text is no UTF-16.") }
      wideTexts.append(text)
    }
  }

  private mutating func readTexts(_ part: Part) throws(ModelCodingError) {
    var cursor = try cursor(part)
    try cursor.expect(part.count)
    for _ in 0..<part.count {
      try cursor.align(to: 8)
      try cursor.expectZeros(3)
      let length = try cursor.word()
      try cursor.expectZeros(2)
      let bytes = try cursor.take(length)
      let text = String(decoding: bytes, as: UTF8.self)
      guard text.utf8.elementsEqual(bytes), try cursor.take(1).first == 0 else {
        throw .damaged("A text is no UTF-8.")
      }
      texts.append(text)
    }
  }

  private mutating func readData(_ part: Part) throws(ModelCodingError) {
    var cursor = try cursor(part)
    try cursor.expect(part.count)
    for _ in 0..<part.count {
      try cursor.align(to: 8)
      try cursor.expectZeros(4)
      let length = try cursor.word()
      try cursor.expectZeros(1)
      data.append(Array(try cursor.take(length)))
    }
  }
}

extension OptimizedCursor {
  fileprivate mutating func part() throws(ModelCodingError) -> OptimizedTables.Part {
    OptimizedTables.Part(offset: try word(), count: try word())
  }
}
