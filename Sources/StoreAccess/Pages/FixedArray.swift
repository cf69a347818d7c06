/// A fixed number of values in memory of their own, for state that each row needs.
@safe struct FixedArray<Element: BitwiseCopyable>: ~Copyable {
  fileprivate let memory: UnsafeMutableBufferPointer<Element>

  init(_ elements: [Element]) {
    unsafe memory = .allocate(capacity: elements.count)
    _ = unsafe memory.initialize(from: elements)
  }

  /// Allocates room for this many elements; each must be set before it is read.
  init(room count: Int) { unsafe memory = .allocate(capacity: count) }

  deinit { unsafe memory.deallocate() }

  /// The element at a place, which must be one of them.
  subscript(place: Int) -> Element {
    @inline(__always) get {
      precondition(unsafe place >= 0 && place < memory.count)
      return unsafe memory[place]
    }
    @inline(__always) nonmutating set {
      precondition(unsafe place >= 0 && place < memory.count)
      unsafe memory[place] = newValue
    }
  }
}

extension FixedArray where Element: FixedWidthInteger {
  /// Adds to the element at a place, which must be one of them; what is too much for its type is cut off.
  @inline(__always) func add(_ value: Element, at place: Int) {
    precondition(unsafe place >= 0 && place < memory.count)
    unsafe memory[place] = memory[place] &+ value
  }
}
