import PropertyLists

/// A mutator that changes a property list in one place, so that the result is well-formed but unusual.
struct ListMutator {
  private var random: RandomSource
  private let words: [String]

  init(random: RandomSource, words: [String]) {
    self.random = random
    self.words = words
  }

  /// Returns the list with one of its parts replaced, doubled, exchanged or removed.
  mutating func mutated(_ list: PropertyList) -> PropertyList {
    // Archives keep all in $objects; going straight there finds their parts sooner.
    if case .dictionary(var entries) = list, case .array(var objects)? = entries["$objects"],
      !random.oneIn(8)
    {
      change(&objects)
      entries["$objects"] = .array(objects)
      return .dictionary(entries)
    }
    return changed(list, depth: 0)
  }

  private mutating func changed(_ list: PropertyList, depth: Int) -> PropertyList {
    if depth > 0, random.oneIn(6) { return leaf() }
    switch list {
    case .array(var items):
      change(&items)
      return .array(items)
    case .set(let items):
      var list = Array(items)
      change(&list)
      return .set(Set(list))
    case .dictionary(var entries):
      let keys = entries.keys.sorted()
      guard let place = random.place(in: keys) else { return .dictionary([word(): leaf()]) }
      let key = keys[place]
      switch Int.random(in: 0..<8, using: &random) {
      case 0: entries[key] = nil
      case 1: entries[word()] = entries[key]
      case 2: entries[key] = leaf()
      default: entries[key] = entries[key].map { changed($0, depth: depth + 1) }
      }
      return .dictionary(entries)
    case .uid(let number):
      let near = number &+ UInt64.random(in: 0...4, using: &random) &- 2
      return .uid(random.oneIn(2) ? near & 0xffff : UInt64.random(in: 0...400, using: &random))
    case .string(let text): return .string(random.oneIn(3) ? text + text : word())
    case .integer(let number):
      return .integer(
        random.oneIn(2) ? number ^ (1 << Int64.random(in: 0...63, using: &random)) : edge()
      )
    default: return leaf()
    }
  }

  private mutating func change(_ items: inout [PropertyList]) {
    guard let place = random.place(in: items), let other = random.place(in: items) else {
      items.append(leaf())
      return
    }
    switch Int.random(in: 0..<10, using: &random) {
    case 0: items.remove(at: place)
    case 1: items.append(items[place])
    case 2: items.swapAt(place, other)
    case 3: items[place] = items[other]
    default: items[place] = changed(items[place], depth: 1)
    }
  }

  private mutating func leaf() -> PropertyList {
    switch Int.random(in: 0..<10, using: &random) {
    case 0: .null
    case 1: .boolean(random.oneIn(2))
    case 2: .integer(edge())
    case 3: .real([0, -0.0, 1e308, .nan, .infinity, 0.1][Int.random(in: 0..<6, using: &random)])
    case 4: .date(Double(edge()))
    case 5: .data(Array(repeating: 0xff, count: Int.random(in: 0...17, using: &random)))
    case 6: .array([])
    case 7: .string(word())
    default: .uid(UInt64.random(in: 0...400, using: &random))
    }
  }

  private mutating func edge() -> Int64 {
    [0, 1, -1, .max, .min, 255, 65_536, 1 << 31, -1 << 31][Int.random(in: 0..<9, using: &random)]
  }

  private mutating func word() -> String { words.randomElement(using: &random) ?? "" }
}
