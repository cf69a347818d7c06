import MigrationTestSupport
import ObjectModel
import Testing

/// Digits of numbers, against those of the descriptions that Swift gives.
@Suite struct DigitTextTests {
  private static func digits(_ body: (inout [UInt8]) -> Void) -> String {
    var bytes = Array("x".utf8)
    body(&bytes)
    return String(decoding: bytes.dropFirst(), as: UTF8.self)
  }

  @Test func `whole numbers have their digits`() {
    var random = SeededGenerator(seed: 5)
    var numbers: [Int64] = [0, 9, 10, -1, .max, .min, .max - 1, 1_000_000_000_000_000_000]
    var power: Int64 = 1
    for _ in 0..<18 {
      power *= 10
      numbers += [power, power - 1, -power]
    }
    for _ in 0..<5_000 {
      let bits = Int.random(in: 0..<64, using: &random)
      numbers.append(Int64.random(in: .min ... .max, using: &random) >> bits)
    }
    for number in numbers {
      #expect(Self.digits { DigitText.append(number, to: &$0) } == "\(number)")
    }
  }

  @Test func `numbers have the digits of their description, and of plain notation`() {
    var random = SeededGenerator(seed: 6)
    var numbers: [Double] = [
      0, -0.0, 0.001, 0.000999, 0.0001, 999_999_999.999999, 1e9, -1e9, 999_999_999, 0.1, 1 / 3,
      1e15, 1e16, 1e300,
      .leastNonzeroMagnitude, .greatestFiniteMagnitude, 9_007_199_254_740_991, 16_777_217,
      -99_999.99,
      3.333_333_333_2,
      0.000001, 123_456.7890125, 0.1 + 0.2,
    ]
    for _ in 0..<20_000 {
      let few = Double(Int.random(in: -1_000_000_000...1_000_000_000, using: &random))
      numbers.append(
        few / [1, 10, 100, 1_000, 1e4, 1e5, 1e6, 1e7, 1e9][Int.random(in: 0..<9, using: &random)]
      )
      numbers.append(Double(bitPattern: UInt64.random(in: .min ... .max, using: &random)))
      numbers.append(few.nextUp / 100)
      numbers.append((few / 100).nextDown)
    }
    for number in numbers where number.isFinite {
      #expect(Self.digits { DigitText.append(number, to: &$0) } == number.description)
      #expect(Self.digits { DigitText.append(plain: number, to: &$0) } == DecimalText.plain(number))
    }
  }
}
