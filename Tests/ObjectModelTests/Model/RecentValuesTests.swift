import ObjectModel
import Testing

@Suite struct RecentValuesTests {
  private struct Refusal: Error {}

  @Test func `a value is made once, as long as it is among the last few`() {
    let recent = RecentValues<Int, String>(capacity: 2)
    var made: [Int] = []
    func value(_ key: Int) -> String {
      recent.value(of: key) {
        made.append(key)
        return "\(key)"
      }
    }
    #expect([1, 2, 1, 2].map(value) == ["1", "2", "1", "2"])
    #expect(made == [1, 2])
    #expect([3, 2, 1].map(value) == ["3", "2", "1"])
    #expect(made == [1, 2, 3, 1])
  }

  @Test func `what cannot be made is tried again`() throws {
    let recent = RecentValues<Int, Int>(capacity: 2)
    #expect(throws: Refusal.self) { try recent.value(of: 1) { throw Refusal() } }
    #expect(try recent.value(of: 1) { () throws(Refusal) in 7 } == 7)
  }
}
