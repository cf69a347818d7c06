internal import ArgumentParser

/// A number of bytes with an optional unit: 4096, 64kB, 10MB, 2GB.
struct ByteCount: ExpressibleByArgument {
  let bytes: Int64

  init?(argument: String) {
    let units: [(String, Int64)] = [
      ("KB", 1_000), ("MB", 1_000_000), ("GB", 1_000_000_000), ("TB", 1_000_000_000_000), ("B", 1),
    ]
    let text = argument.uppercased()
    let (suffix, factor) = units.first { text.hasSuffix($0.0) } ?? ("", 1)
    guard let number = Double(text.dropLast(suffix.count)), number >= 0, number.isFinite,
      number * Double(factor) < 9e18
    else { return nil }
    bytes = Int64(number * Double(factor))
  }
}

/// A duration with an optional unit: 90, 90s, 5m, 1h.
struct Seconds: ExpressibleByArgument {
  let seconds: Double

  init?(argument: String) {
    let units: [Character: Double] = ["s": 1, "m": 60, "h": 3_600]
    let factor = argument.last.flatMap { units[$0] }
    guard let number = Double(factor == nil ? argument : String(argument.dropLast())), number > 0,
      number < 1e9
    else { return nil }
    seconds = number * (factor ?? 1)
  }
}
