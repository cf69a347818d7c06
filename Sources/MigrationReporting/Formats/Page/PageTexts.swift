/// The texts of a page's data, each once.
struct PageTexts {
  /// The texts, in the order of their numbers.
  private(set) var all: [String] = []
  private var numbers: [String: Int] = [:]

  /// Returns the number of a text, which is kept where it is new.
  mutating func number(of text: String) -> Int {
    let number = numbers[text] ?? all.count
    if number == all.count {
      numbers[text] = number
      all.append(text)
    }
    return number
  }
}
