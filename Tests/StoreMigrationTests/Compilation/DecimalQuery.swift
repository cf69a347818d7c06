import MigrationTestSupport
import ObjectModel

/// Random expressions of numbers, each with the same in JSON for a reader of another language.
struct DecimalQuery {
  private var random: SeededGenerator

  init(seed: UInt64) { random = SeededGenerator(seed: seed) }

  private mutating func number(_ bound: Int) -> Int { Int.random(in: 0..<bound, using: &random) }

  /// Digits of a decimal number, with few or many digits and a point anywhere.
  mutating func digits() -> String {
    let count = [1, 2, 5, 15, 17, 18, 37, 38][number(8)]
    let whole = (0..<count).map { _ in "\(number(10))" }.joined()
    let scale = number(3) == 0 ? 0 : number(count + 1)
    let (sign, zeros) = (number(2) == 0 ? "" : "-", number(6) == 0 ? number(39 - count) : 0)
    let text = "\(sign)0\(whole.dropLast(scale))"
    return scale == 0
      ? text : "\(text).\(String(repeating: "0", count: zeros))\(whole.suffix(scale))"
  }

  private static let integers: [Int64] = [
    0, 1, -1, 2, 3, 7, 10, 100, 1 << 53, 1 << 53 + 1, -(1 << 53) - 1, .max, .min, .max - 1,
    1_000_000_007, 99_999_999_999_999_999,
  ]
  private static let reals: [Double] = [
    0, 0.1, -0.25, 0.5, 1 / 3, 3, 1e15, 9_007_199_254_740_992, 1.5e17, -2e22, 1e-7, 123_456.789,
  ]

  mutating func integer() -> Int64 { Self.integers.randomElement(using: &random) ?? 0 }
  mutating func real() -> Double { Self.reals.randomElement(using: &random) ?? 0 }

  /// An expression of a depth over the attributes `d`, `e`, `n`, `m`, `x` and `s`.
  mutating func expression(depth: Int) -> (expression: Expression, json: String) {
    guard depth > 0, number(6) > 0 else { return leaf() }
    let (first, json) = expression(depth: depth - 1)
    switch number(9) {
    case 0:
      let name = ["abs:", "ceiling:", "floor:", "trunc:"][number(4)]
      return (.call(name, [first]), "[\"\(name)\", \(json)]")
    case 1:
      let type = ["NSDecimalNumber", "NSNumber"][number(2)]
      return (
        .call("castObject:toType:", [first, .constant(.string(type))]), "[\"\(type)\", \(json)]"
      )
    case 2:
      let power = [0, 1, 2, 3, 5, -1, -2][number(7)]
      return (
        .call("raise:toPower:", [first, .constant(.integer(Int64(power)))]),
        "[\"raise:toPower:\", \(json), [\"integer\", \"\(power)\"]]"
      )
    default:
      let names = [
        "add:to:", "from:subtract:", "multiply:by:", "divide:by:", "modulus:by:", "add:to:",
        "multiply:by:",
      ]
      let name = names[number(names.count)]
      let (second, other) = expression(depth: depth - 1)
      return (.call(name, [first, second]), "[\"\(name)\", \(json), \(other)]")
    }
  }

  private mutating func leaf() -> (expression: Expression, json: String) {
    switch number(8) {
    case 0:
      let value = integer()
      return (.constant(.integer(value)), "[\"integer\", \"\(value)\"]")
    case 1:
      let value = digits()
      return (.constant(.decimal(value)), "[\"decimal\", \"\(value)\"]")
    case 2:
      let value = real()
      return (.constant(.real(value)), "[\"real\", \"\(value)\"]")
    case 3:
      return (
        .call("castObject:toType:", [.source("s"), .constant(.string("NSDecimalNumber"))]),
        "[\"NSDecimalNumber\", [\"column\", \"s\"]]"
      )
    default:
      let name = ["d", "e", "n", "m", "x", "d"][number(6)]
      return (.source(name), "[\"column\", \"\(name)\"]")
    }
  }
}
