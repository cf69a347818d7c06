import ObjectModel
import Testing

@Suite struct NaturalOrderTests {
  @Test(arguments: [
    ["Model", "Model 2", "Model 3", "Model 10", "Model 101"],
    ["zmessaging", "zmessaging2.1", "zmessaging2.9", "zmessaging2.10", "zmessaging2.101.0"],
    ["ModelV22", "ModelV 23", "ModelV 31", "ModelV32"], ["Schema_v9", "Schema-v10", "Schema V11"],
    ["2_5_5", "2_5_5a", "2_5_6", "2_5_10"],
    ["1", "2", "10", "a"], ["v1", "v01", "V2", "v3"], ["", "a"],
    ["99999999999999999999998", "99999999999999999999999", "100000000000000000000000"],
  ])
  func `names stand as people number them`(names: [String]) {
    #expect(names.reversed().sorted(by: NaturalOrder.precedes).last == names.last)
    for (left, first) in names.enumerated() {
      for (right, second) in names.enumerated() where left != right && first != second {
        let isEqualNumber = Set([first, second]) == ["v1", "v01"]
        if isEqualNumber { continue }
        #expect(NaturalOrder.precedes(first, second) == (left < right), "\(first) and \(second)")
      }
    }
  }

  @Test(arguments: [("v1", "v01"), ("A", "a"), ("é", "e\u{301}"), ("x", "x")])
  func `no two names precede each other`(first: String, second: String) {
    let forth = NaturalOrder.precedes(first, second)
    let back = NaturalOrder.precedes(second, first)
    #expect(!(forth && back))
    #expect(first.utf8.elementsEqual(second.utf8) || forth != back)
  }
}
