/// The use of each page of a file: each page has exactly one.
struct PageAccount: Sendable {
  /// The use of a page; the numbers are those of pointer maps.
  enum Use: UInt8 {
    case unknown = 0
    case root = 1
    case free = 2
    /// The first page of a payload that does not fit its cell.
    case overflow = 3
    /// A later one.
    case furtherOverflow = 4
    /// A page of a tree but its root.
    case tree = 5
    /// A pointer map, or the page of the lock.
    case own = 6
  }

  private let layout: PageLayout
  private var uses: [UInt8]
  /// The parent of each page, where there are pointer maps.
  private var parents: [UInt32]

  init(_ layout: PageLayout) {
    self.layout = layout
    uses = [UInt8](repeating: 0, count: Int(layout.pageCount) + 1)
    parents = layout.hasPointerMaps ? [UInt32](repeating: 0, count: uses.count) : []
    if layout.lockPage <= layout.pageCount { uses[Int(layout.lockPage)] = Use.own.rawValue }
    guard layout.hasPointerMaps else { return }
    var page: UInt32 = 2
    while page <= layout.pageCount {
      let map = layout.pointerMap(of: page)
      if map <= layout.pageCount { uses[Int(map)] = Use.own.rawValue }
      page += UInt32(layout.usableSize / 5) + 1
    }
  }

  /// Notes for what a page is used.
  ///
  /// - Throws: ``Unproven`` for a page that is not in the file, or is used for something already.
  mutating func use(_ page: UInt32, as use: Use, parent: UInt32 = 0) throws(Unproven) {
    let place = Int(page)
    guard page > 0, page <= layout.pageCount, uses[place] == 0 else { throw Unproven() }
    uses[place] = use.rawValue
    if layout.hasPointerMaps { parents[place] = parent }
  }

  /// Takes over what another account of the same file has noted.
  ///
  /// - Throws: ``Unproven`` where both use a page.
  mutating func merge(_ other: PageAccount) throws(Unproven) {
    guard uses.count == other.uses.count else { throw Unproven() }
    for place in uses.indices where other.uses[place] != 0 {
      if other.uses[place] == Use.own.rawValue { continue }
      guard uses[place] == 0 else { throw Unproven() }
      uses[place] = other.uses[place]
      if layout.hasPointerMaps { parents[place] = other.parents[place] }
    }
  }

  /// Notes the free pages.
  mutating func useFreePages(_ reader: PageReader) throws(Unproven) {
    let memory = UnsafeMutableRawBufferPointer.allocate(byteCount: layout.pageSize, alignment: 8)
    defer { unsafe memory.deallocate() }
    guard let start = memory.baseAddress else { throw Unproven() }
    var count: UInt32 = 0
    var trunk = layout.firstFree
    while trunk != 0 {
      try use(trunk, as: .free)
      try unsafe reader.read(trunk, into: start)
      let leaves = unsafe BigEndian.number(start + 4)
      guard Int(leaves) <= layout.usableSize / 4 - 2 else { throw Unproven() }
      for index in 0..<Int(leaves) {
        try use(unsafe BigEndian.number(start + 8 + 4 * index), as: .free)
      }
      count += leaves + 1
      trunk = unsafe BigEndian.number(start)
    }
    guard count == layout.freeCount else { throw Unproven() }
  }

  /// Throws if a page is unused, or the pointer maps differ.
  func finish(_ reader: PageReader) throws(Unproven) {
    guard !uses.dropFirst().contains(0) else { throw Unproven() }
    guard layout.hasPointerMaps else { return }
    let memory = UnsafeMutableRawBufferPointer.allocate(byteCount: layout.pageSize, alignment: 8)
    defer { unsafe memory.deallocate() }
    guard let start = memory.baseAddress else { throw Unproven() }
    var read: UInt32 = 0
    for page in stride(from: UInt32(2), through: layout.pageCount, by: 1) {
      let use = uses[Int(page)]
      if use == Use.own.rawValue { continue }
      let map = layout.pointerMap(of: page)
      if map != read {
        try unsafe reader.read(map, into: start)
        read = map
      }
      guard page > map else { throw Unproven() }
      let offset = Int(page - map - 1) * 5
      guard offset + 5 <= layout.usableSize,
        unsafe start.load(fromByteOffset: offset, as: UInt8.self) == use,
        unsafe BigEndian.number(start + offset + 1) == parents[Int(page)]
      else { throw Unproven() }
    }
  }
}
