/// A guard that looks at the bytes of XML before the parser, for tags that would take it too long.
///
/// libxml2 compares each attribute of an element with all before it, and reports none of them until it has
/// done so: the time grows with the square of their number. It knows nothing of XML but where tags, quoted
/// values, comments, sections and declarations begin and end.
struct XMLTagGuard {
  private enum State {
    /// Outside of any tag.
    case text
    /// Behind an opening bracket that may be a tag's or another's.
    case opening
    case tag
    /// Within the quotes of a value.
    case value
    /// Within a comment, a section, an instruction or a declaration.
    case other
  }

  /// The greatest number of attributes in a tag.
  let greatestCount: Int
  /// The greatest number of bytes in a tag.
  let greatestSize: Int
  private var state = State.text
  private var count = 0
  private var size = 0
  /// The quote that ends a value.
  private var quote: UInt8 = 0
  /// The bytes that end what is neither a tag nor text.
  private var ending: [UInt8] = []
  /// The bytes since an opening bracket, or the last ones of what is neither tag nor text.
  private var recent: [UInt8] = []

  init(greatestCount: Int, greatestSize: Int) {
    self.greatestCount = greatestCount
    self.greatestSize = greatestSize
  }

  /// Looks at further bytes.
  ///
  /// - Returns: Whether they are acceptable.
  mutating func accepts(_ bytes: ArraySlice<UInt8>) -> Bool {
    unsafe bytes.withUnsafeBufferPointer { unsafe accepts($0) }
  }

  private mutating func accepts(_ bytes: UnsafeBufferPointer<UInt8>) -> Bool {
    var index = 0
    while index < bytes.count {
      let byte = unsafe bytes[index]
      switch state {
      case .text, .value:
        // Nearly all bytes are of these two.
        let end = state == .text ? UInt8(ascii: "<") : quote
        let next = unsafe bytes[index...].firstIndex(of: end) ?? bytes.count
        if state == .value { size += next - index }
        index = next
        guard index < bytes.count else { break }
        if state == .text { open() } else { state = .tag }
      case .opening:
        recent.append(byte)
        decide()
      case .tag:
        size += 1
        switch byte {
        case UInt8(ascii: ">"): state = .text
        case UInt8(ascii: "\""), UInt8(ascii: "'"): (state, quote) = (.value, byte)
        case UInt8(ascii: "="): count += 1
        // No tag has it: the parser refuses the file where it stands.
        case UInt8(ascii: "<"): open()
        default: break
        }
      case .other:
        recent.append(byte)
        if recent.count > ending.count { recent.removeFirst() }
        if recent == ending { state = .text }
      }
      if count > greatestCount || size > greatestSize { return false }
      index += 1
    }
    return true
  }

  private mutating func open() {
    (state, count, size) = (.opening, 0, 0)
    recent.removeAll(keepingCapacity: true)
  }

  /// Distinguishes a tag from the rest by the bytes after an opening bracket, as soon as they suffice.
  private mutating func decide() {
    let end: StaticString
    switch (recent[0], recent.count) {
    case (UInt8(ascii: "?"), _): end = "?>"
    case (UInt8(ascii: "!"), 1): return
    case (UInt8(ascii: "!"), let count):
      switch recent[1] {
      case UInt8(ascii: "-"):
        if count == 2 { return }
        end = "-->"
      case UInt8(ascii: "["): end = "]]>"
      default: end = ">"
      }
    default:
      state = .tag
      return
    }
    state = .other
    ending = Array(end.description.utf8)
    recent.removeAll(keepingCapacity: true)
  }
}
