/// A reader of a database's trees, page by page.
///
/// Each page is checked against the file format: its cells are within it, one beside the other, and
/// leave no byte unexplained; numbers of rows ascend; all leaves are equally deep; records describe
/// their bytes. Meanwhile it sums up the rows of tables and the entries of indexes, see ``RowHash``.
@safe struct BTreeReader: ~Copyable {
  let reader: PageReader
  var account: PageAccount
  let shouldContinue: () -> Bool
  /// Room for one page of each level.
  private var levels: [UnsafeMutableRawPointer] = unsafe []
  /// A bit for each byte of the page of each level.
  private var covers: [UnsafeMutablePointer<UInt64>] = unsafe []
  /// Room for payloads that do not fit their cell, in turn.
  private var gathered = PayloadMemory()
  private var otherGathered = PayloadMemory()
  /// Consecutive pages, read at once where the last two were consecutive.
  private let ahead: UnsafeMutableRawPointer
  private var aheadStart: UInt32 = 0
  private var aheadCount: UInt32 = 0
  private var lastPage: UInt32 = 0
  /// The number of pages of the trees so far.
  private(set) var pageCount = 0

  /// SQLite reads no deeper tree.
  private static let greatestDepth = 20
  /// The number of bytes that are read ahead, if two pages are not more.
  private static let readAhead = 64 << 10
  /// Greater records are left to SQLite, which needs no memory for them.
  private static let greatestPayload = 64 << 20

  init(_ reader: PageReader, shouldContinue: @escaping () -> Bool) {
    self.reader = reader
    account = PageAccount(reader.layout)
    self.shouldContinue = shouldContinue
    unsafe ahead = .allocate(
      byteCount: max(Self.readAhead, 2 * reader.layout.pageSize),
      alignment: 8
    )
  }

  deinit {
    unsafe ahead.deallocate()
    for index in unsafe levels.indices { unsafe levels[index].deallocate() }
    for index in unsafe covers.indices { unsafe covers[index].deallocate() }
  }

  /// Reads a tree, or a part of it.
  ///
  /// - Parameters:
  ///   - part: The whole of an index; the part of a table to read. The bounds between its subtrees are
  ///     compared with the rows of each part.
  ///   - tree: Receives the rows or entries.
  /// - Returns: The number of levels below the root.
  /// - Throws: ``Unproven``.
  mutating func walk<Tree: TreeContent & ~Copyable>(
    root: UInt32,
    _ part: TreePart,
    _ tree: inout Tree
  ) throws(Unproven) -> Int {
    precondition(!Tree.isIndex || part.count == 1, "an index's root has entries of its own")
    if part.hasRoot {
      try account.use(root, as: .root)
    } else {
      // It is counted by the part that has it.
      pageCount -= 1
    }
    return try walk(root, 0, part, &tree)
  }

  /// - Returns: The number of levels below the page.
  private mutating func walk<Tree: TreeContent & ~Copyable>(
    _ number: UInt32,
    _ level: Int,
    _ part: TreePart,
    _ tree: inout Tree
  ) throws(Unproven) -> Int {
    let base = number == 1 ? 100 : 0
    let page = try unsafe read(number, level, base)
    let bits = unsafe covers[level]
    let flag = unsafe page.load(fromByteOffset: base, as: UInt8.self)
    let isLeaf = flag & 8 != 0
    guard flag & 7 == (Tree.isIndex ? 2 : 5), flag & 0xf0 == 0 else { throw Unproven() }
    let usable = reader.layout.usableSize
    let count = unsafe BigEndian.short(page + base + 3)
    let stated = unsafe BigEndian.short(page + base + 5)
    let content = stated == 0 ? 65_536 : stated
    let pointers = base + (isLeaf ? 8 : 12)
    guard pointers + 2 * count <= content, content <= usable else { throw Unproven() }
    // SQLite takes no page for a part of a tree that has nothing in it.
    guard count > 0 || level == 0 && (isLeaf || number == 1) else { throw Unproven() }
    guard !isLeaf || part.count == 1 else { throw Unproven() }
    var covered = 0
    var height: Int?
    for index in 0..<count {
      let place = unsafe BigEndian.short(page + pointers + 2 * index)
      guard place >= content, place <= usable - 4 else { throw Unproven() }
      var offset = place
      var child: UInt32 = 0
      if !isLeaf {
        child = unsafe BigEndian.number(page + place)
        offset += 4
      }
      var payload = 0
      if Tree.isIndex || isLeaf {
        let start = offset
        let size = try unsafe BigEndian.variable(page, &offset, usable)
        // SQLite reads the ninth byte of a longer number differently here.
        guard size <= 0x7fff_ffff, offset - start <= 5 else { throw Unproven() }
        payload = Int(size)
      }
      let key =
        try Tree.isIndex
        ? 0 : unsafe Int64(bitPattern: BigEndian.variable(page, &offset, usable))
      let local = reader.layout.localSize(of: payload, isIndex: Tree.isIndex)
      let size = max(4, offset - place + local + (local < payload ? 4 : 0))
      guard place + size <= usable else { throw Unproven() }
      try unsafe cover(bits, place, size)
      covered += size
      if !isLeaf {
        if part.contains(index, of: count + 1) {
          let below = try descend(child, number, level, &tree)
          guard height ?? below == below else { throw Unproven() }
          height = below
        }
        if !Tree.isIndex {
          try tree.pass(bound: key)
          continue
        }
      }
      var whole = unsafe page + offset
      if local < payload {
        let first = unsafe BigEndian.number(page + offset + local)
        let needsAll = try unsafe tree.needsAll(of: whole, local: local, total: payload)
        let memory = try unsafe overflow(first, number, whole, local, payload, isWanted: needsAll)
        if let memory = unsafe memory { unsafe whole = memory }
        try unsafe tree.add(
          whole,
          local: needsAll ? payload : local,
          total: payload,
          key: key
        )
      } else {
        try unsafe tree.add(whole, local: payload, total: payload, key: key)
      }
    }
    covered += try unsafe freeBlocks(page, bits, base, content)
    let fragments = Int(unsafe page.load(fromByteOffset: base + 7, as: UInt8.self))
    guard usable - content - covered == fragments else { throw Unproven() }
    if !isLeaf, part.contains(count, of: count + 1) {
      let last = unsafe BigEndian.number(page + base + 8)
      let below = try descend(last, number, level, &tree)
      guard height ?? below == below else { throw Unproven() }
      height = below
    }
    tree.endPage()
    return (height ?? -1) + 1
  }

  private mutating func descend<Tree: TreeContent & ~Copyable>(
    _ child: UInt32,
    _ parent: UInt32,
    _ level: Int,
    _ tree: inout Tree
  ) throws(Unproven) -> Int {
    try account.use(child, as: .tree, parent: parent)
    return try walk(child, level + 1, .whole, &tree)
  }

  // MARK: Pages

  /// Reads a page.
  ///
  /// - Returns: Its position until its part of the tree ends.
  private mutating func read(
    _ number: UInt32,
    _ level: Int,
    _ base: Int
  ) throws(Unproven) -> UnsafeRawPointer {
    let size = reader.layout.pageSize
    guard level < Self.greatestDepth else { throw Unproven() }
    while unsafe levels.count <= level {
      unsafe levels.append(.allocate(byteCount: size, alignment: 8))
      unsafe covers.append(.allocate(capacity: size / 64 + 1))
    }
    pageCount += 1
    guard pageCount % 1_000 != 0 || shouldContinue() else { throw Unproven() }
    unsafe covers[level].initialize(repeating: 0, count: size / 64 + 1)
    let own = unsafe levels[level]
    let page = try unsafe fetch(number, or: own)
    // Before a leaf ends no other page is read ahead.
    let isLeaf = unsafe page.load(fromByteOffset: base, as: UInt8.self) & 8 != 0
    if unsafe isLeaf || page == UnsafeRawPointer(own) { return unsafe page }
    unsafe own.copyMemory(from: page, byteCount: size)
    return UnsafeRawPointer(own)
  }

  /// Reads a page, and those behind it where the tree seems to go on there.
  ///
  /// - Parameter own: Room for the page alone.
  /// - Returns: The page: in its own room, or among those that were read ahead, until others are.
  private mutating func fetch(
    _ number: UInt32,
    or own: UnsafeMutableRawPointer
  ) throws(Unproven) -> UnsafeRawPointer {
    let size = reader.layout.pageSize
    defer { lastPage = number }
    if number < aheadStart || number >= aheadStart + aheadCount {
      guard number == lastPage &+ 1, number <= reader.layout.pageCount else {
        try unsafe reader.read(number, into: own)
        return UnsafeRawPointer(own)
      }
      let most = UInt32(max(Self.readAhead, 2 * size) / size)
      let count = min(most, reader.layout.pageCount - number + 1)
      aheadCount = 0
      try unsafe reader.read(number, into: ahead, count: Int(count))
      (aheadStart, aheadCount) = (number, count)
    }
    return unsafe UnsafeRawPointer(ahead + Int(number - aheadStart) * size)
  }

  /// Notes that bytes of a page are used, each once.
  @inline(__always)
  private func cover(
    _ bits: UnsafeMutablePointer<UInt64>,
    _ place: Int,
    _ size: Int
  ) throws(Unproven) {
    var word = place >> 6
    var first = place & 63
    var left = size
    while left > 0 {
      let count = min(left, 64 - first)
      let mask = (UInt64.max >> UInt64(64 - count)) << UInt64(first)
      guard unsafe bits[word] & mask == 0 else { throw Unproven() }
      unsafe bits[word] |= mask
      left -= count
      word += 1
      first = 0
    }
  }

  /// Notes the blocks of a page that are free.
  ///
  /// - Returns: Their bytes.
  private func freeBlocks(
    _ page: UnsafeRawPointer,
    _ bits: UnsafeMutablePointer<UInt64>,
    _ base: Int,
    _ content: Int
  ) throws(Unproven) -> Int {
    let usable = reader.layout.usableSize
    var covered = 0
    var block = unsafe BigEndian.short(page + base + 1)
    while block != 0 {
      guard block >= content, block <= usable - 4 else { throw Unproven() }
      let next = unsafe BigEndian.short(page + block)
      let size = unsafe BigEndian.short(page + block + 2)
      guard size >= 4, block + size <= usable, next == 0 || next >= block + size + 4 else {
        throw Unproven()
      }
      try unsafe cover(bits, block, size)
      covered += size
      block = next
    }
    return covered
  }

  /// Follows the pages of a payload that does not fit its cell.
  ///
  /// - Returns: The whole payload where it is wanted, until the one after the next is read.
  private mutating func overflow(
    _ first: UInt32,
    _ parent: UInt32,
    _ start: UnsafeRawPointer,
    _ local: Int,
    _ total: Int,
    isWanted: Bool
  ) throws(Unproven) -> UnsafeRawPointer? {
    let size = reader.layout.usableSize - 4
    var left = total - local
    // A payload that the file cannot hold would only claim memory.
    guard left / size < Int(reader.layout.pageCount) else { throw Unproven() }
    var memory: UnsafeMutableRawPointer?
    if isWanted {
      guard total <= Self.greatestPayload else { throw Unproven() }
      swap(&gathered, &otherGathered)
      // A whole page is read at the place of the last part of the payload.
      unsafe memory = gathered.room(for: total + reader.layout.pageSize)
      unsafe memory?.copyMemory(from: start, byteCount: local)
    }
    var done = local
    var page = first
    var before = parent
    var use = PageAccount.Use.overflow
    while left > 0 {
      try account.use(page, as: use, parent: before)
      pageCount += 1
      (before, use) = (page, .furtherOverflow)
      if let memory = unsafe memory {
        // Each page begins with the number of the next: it is read over earlier bytes, which are restored.
        let place = unsafe memory + done - 4
        let covered = unsafe place.loadUnaligned(as: UInt32.self)
        try unsafe reader.read(page, into: place)
        page = unsafe BigEndian.number(place)
        unsafe place.storeBytes(of: covered, as: UInt32.self)
      } else {
        page = try reader.next(of: page)
      }
      done += min(left, size)
      left -= size
    }
    guard page == 0 else { throw Unproven() }
    return unsafe memory.map { UnsafeRawPointer($0) }
  }
}

/// Memory that grows.
@safe struct PayloadMemory: ~Copyable {
  private var memory: UnsafeMutableRawPointer?
  private var capacity = 0

  init() {}

  deinit { unsafe memory?.deallocate() }

  /// Returns memory for a number of bytes; its content is lost where it grows.
  mutating func room(for count: Int) -> UnsafeMutableRawPointer {
    if let memory = unsafe memory, capacity >= count { return unsafe memory }
    unsafe memory?.deallocate()
    let grown = UnsafeMutableRawPointer.allocate(byteCount: count * 2, alignment: 8)
    unsafe memory = grown
    capacity = count * 2
    return unsafe grown
  }
}
