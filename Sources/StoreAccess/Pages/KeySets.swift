#if canImport(Glibc)
  private import Glibc
#elseif canImport(Musl)
  private import Musl
#else
  private import Darwin
#endif

/// Sets of the keys of rows: one bit for each key, in memory that is used where a key is.
@safe final class KeySets {
  fileprivate static var wordsOfSet: Int { 1 << 18 }
  /// The greatest number of sets: each takes two mebibytes at most.
  static let greatestCount = 24

  /// The memory of the sets, valid as long as their owner lives: an object would be retained and released
  /// for each key.
  @safe struct Memory {
    fileprivate let words: UnsafeMutablePointer<UInt64>
    fileprivate let isWhole: UnsafeMutablePointer<Bool>
    /// The number of words of each set that are used.
    fileprivate let wordCounts: UnsafeMutablePointer<Int>
    fileprivate let count: Int
  }

  /// The sets themselves.
  let memory: Memory

  /// Makes this many empty sets.
  ///
  /// - Throws: ``Unproven`` where there is no memory for them.
  init(count: Int) throws(Unproven) {
    // Memory of `calloc` is zero, and takes no room before it is written to.
    guard
      let memory = unsafe calloc(max(1, count * Self.wordsOfSet), MemoryLayout<UInt64>.size)
    else { throw Unproven() }
    unsafe self.memory = Memory(
      words: memory.bindMemory(to: UInt64.self, capacity: count * Self.wordsOfSet),
      isWhole: .allocate(capacity: max(1, count)),
      wordCounts: .allocate(capacity: max(1, count)),
      count: count
    )
    unsafe self.memory.isWhole.initialize(repeating: true, count: max(1, count))
    unsafe self.memory.wordCounts.initialize(repeating: 0, count: max(1, count))
  }

  deinit {
    unsafe free(memory.words)
    unsafe memory.isWhole.deallocate()
    unsafe memory.wordCounts.deallocate()
  }

  /// The keys of each set.
  var contents: [Keys] { (0..<memory.count).map { memory.keys(of: $0) } }

  /// The keys of one set.
  struct Keys: Sendable {
    fileprivate var words: [UInt64]
    fileprivate var isWhole: Bool

    /// Adds the keys of another set.
    mutating func formUnion(_ other: Keys) {
      isWhole = isWhole && other.isWhole
      while words.count < other.words.count { words.append(0) }
      for place in other.words.indices { words[place] |= other.words[place] }
    }

    /// Returns whether each key is known to be in another set.
    func isSubset(of other: Keys) -> Bool {
      isWhole
        && words.indices.allSatisfy { place in
          words[place] & ~(place < other.words.count ? other.words[place] : 0) == 0
        }
    }
  }
}

extension KeySets.Memory {
  /// Greater keys are not kept.
  private static var greatestKey: Int64 { (1 << 24) - 1 }

  /// Adds a key to a set, which must be one of them.
  @inline(__always)
  func insert(_ key: Int64, into set: Int) {
    precondition(set >= 0 && set < count)
    guard key >= 0, key <= Self.greatestKey else {
      unsafe isWhole[set] = false
      return
    }
    let place = Int(truncatingIfNeeded: key)
    let word = place >> 6
    if unsafe word >= wordCounts[set] { unsafe wordCounts[set] = word + 1 }
    unsafe words[set * KeySets.wordsOfSet + word] |= 1 << UInt64(place & 63)
  }

  /// Notes that a set lacks a key.
  func spoil(_ set: Int) {
    precondition(set >= 0 && set < count)
    unsafe isWhole[set] = false
  }

  fileprivate func keys(of set: Int) -> KeySets.Keys {
    precondition(set >= 0 && set < count)
    let used = unsafe UnsafeBufferPointer(
      start: words + set * KeySets.wordsOfSet,
      count: wordCounts[set]
    )
    return unsafe KeySets.Keys(words: Array(used), isWhole: isWhole[set])
  }
}
