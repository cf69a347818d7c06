/// A look at the bytes of XML before the parser sees them, for what it takes too long over.
///
/// libxml2 compares each attribute of an element with all before it, and reports none of them until it has
/// done so: the time grows with the square of their number. It knows nothing of XML but where tags, quoted
/// values, comments, sections and declarations begin and end.
struct XMLTagGuard {
  private enum State {
    /// Outside of any tag.
    case text
    /// The bytes after an opening bracket that tell a tag from a comment, a section or an instruction.
    case opening
    case tag
    case value(quote: UInt8)
    /// A construct that ends with these bytes.
    case until([UInt8])
  }

  /// The greatest number of attributes in a tag.
  let greatestCount: Int
  /// The greatest number of bytes in a tag.
  let greatestSize: Int
  private var state = State.text
  private var count = 0
  private var size = 0
  /// The bytes since an opening bracket, or the last ones of a construct, at most as many as decide.
  private var recent: [UInt8] = []

  init(greatestCount: Int, greatestSize: Int) {
    self.greatestCount = greatestCount
    self.greatestSize = greatestSize
  }

  /// Looks at further bytes.
  ///
  /// - Returns: Whether they are acceptable.
  mutating func accepts(_ bytes: ArraySlice<UInt8>) -> Bool {
    for byte in bytes {
      switch state {
      case .text:
        guard byte == UInt8(ascii: "<") else { continue }
        (state, count, size) = (.opening, 0, 0)
        recent.removeAll(keepingCapacity: true)
      case .opening:
        recent.append(byte)
        state = opened()
      case .tag:
        size += 1
        switch byte {
        case UInt8(ascii: ">"): state = .text
        case UInt8(ascii: "\""), UInt8(ascii: "'"): state = .value(quote: byte)
        case UInt8(ascii: "="): count += 1
        case UInt8(ascii: "<"):
          // No tag has it: the parser refuses the file where it stands.
          (state, count, size) = (.opening, 0, 0)
          recent.removeAll(keepingCapacity: true)
        default: break
        }
      case .value(let quote):
        size += 1
        if byte == quote { state = .tag }
      case .until(let end):
        recent.append(byte)
        if recent.count > end.count { recent.removeFirst() }
        if recent == end { state = .text }
      }
      if count > greatestCount || size > greatestSize { return false }
    }
    return true
  }

  /// Returns the state after the bytes that follow an opening bracket.
  private mutating func opened() -> State {
    func ends(_ text: StaticString) -> State {
      .until(Array(text.description.utf8))
    }
    switch recent.first {
    case UInt8(ascii: "?"):
      recent.removeAll()
      return ends("?>")
    case UInt8(ascii: "!"):
      switch recent.count > 1 ? recent[1] : nil {
      case nil: return .opening
      case UInt8(ascii: "-"):
        guard recent.count > 2 else { return .opening }
        recent.removeAll()
        return ends("-->")
      case UInt8(ascii: "["):
        recent.removeAll()
        return ends("]]>")
      default:
        recent.removeAll()
        return ends(">")
      }
    default: return .tag
    }
  }
}
