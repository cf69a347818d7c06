import ModelCoding
import PropertyLists

/// A mutator of a reader's inputs that knows their form.
struct InputMutator {
  let target: FuzzTarget
  let words: [String]

  init(target: FuzzTarget, seeds: SeedCorpus) {
    self.target = target
    words = (seeds.words[target] ?? []).sorted()
  }

  /// Returns a changed input that has the form of the original; nil where that has none.
  func mutated(_ bytes: [UInt8], random: inout RandomSource) -> [UInt8]? {
    if target == .xml || target == .project {
      var mutator = TextMutator(random: RandomSource(seed: random.next()), words: words)
      return (0..<count(&random)).reduce(bytes) { text, _ in mutator.mutated(text) }
    }
    if target == .swift {
      if random.oneIn(3) { return repeated(bytes, &random) }
      var mutator = TextMutator(random: RandomSource(seed: random.next()), words: words)
      return (0..<count(&random)).reduce(bytes) { text, _ in mutator.mutated(text) }
    }
    let isList = bytes.starts(with: "bplist".utf8)
    guard let archive = isList ? bytes : try? RawDeflate.inflate(bytes, maximumSize: 1 << 18),
      archive.count <= 1 << 16, var list = try? PropertyList(binary: archive)
    else { return nil }
    var mutator = ListMutator(random: RandomSource(seed: random.next()), words: words)
    for _ in 0..<count(&random) { list = mutator.mutated(list) }
    return isList ? list.binary : try? RawDeflate.deflate(list.binary)
  }

  /// Returns source with a few words repeated many times at one place, as nesting that no brackets show.
  private func repeated(_ bytes: [UInt8], _ random: inout RandomSource) -> [UInt8] {
    let picked = (0..<Int.random(in: 1...3, using: &random)).compactMap { _ in
      words.randomElement(using: &random)
    }
    let separator = random.oneIn(3) ? "" : " "
    let part = Array((picked.joined(separator: separator) + separator).utf8)
    let size = 1 << Int.random(in: 8...18, using: &random)
    let place = random.place(in: bytes) ?? 0
    let run = [[UInt8]](repeating: part, count: size / max(1, part.count)).joined()
    return Array(bytes[..<place]) + run + bytes[place...]
  }

  /// Returns bytes that are changed without regard to form.
  func scrambled(_ bytes: [UInt8], random: inout RandomSource) -> [UInt8] {
    var bytes = bytes
    for _ in 0..<count(&random) {
      guard let place = random.place(in: bytes), let other = random.place(in: bytes) else {
        return [0]
      }
      switch Int.random(in: 0..<6, using: &random) {
      case 0: bytes[place] ^= 1 << UInt8.random(in: 0..<8, using: &random)
      case 1: bytes[place] = UInt8.random(in: 0...255, using: &random)
      case 2: bytes[place] = [0, 0x7f, 0x80, 0xff][Int.random(in: 0..<4, using: &random)]
      case 3:
        bytes.removeSubrange(min(place, other)..<min(max(place, other), min(place, other) + 9))
      case 4:
        bytes.insert(contentsOf: bytes[min(place, other)...max(place, other)].prefix(16), at: place)
      default: bytes[place] = bytes[other]
      }
    }
    return bytes
  }

  private func count(_ random: inout RandomSource) -> Int {
    1 + Int.random(in: 0..<4, using: &random)
  }
}
