internal import CSHA256

/// The SHA-256 hash function of FIPS 180-4.
///
/// Our own because swift-crypto's BoringSSL costs four minutes in a first build on two cores, more
/// than everything else together; tested with NIST's vectors. Where an Intel or AMD processor has
/// instructions for it, they do the rounds.
///
/// - Complexity: O(*n*) in the bytes hashed, in constant memory.
package struct SHA256: Sendable {
  private var state = Words(
    a: 0x6a09_e667,
    b: 0xbb67_ae85,
    c: 0x3c6e_f372,
    d: 0xa54f_f53a,
    e: 0x510e_527f,
    f: 0x9b05_688c,
    g: 0x1f83_d9ab,
    h: 0x5be0_cd19
  )
  private var pending: [UInt8] = []
  private var byteCount: UInt64 = 0
  private let usesInstructions: Bool

  /// A hash of nothing yet.
  ///
  /// - Parameter usesInstructions: Whether the processor's instructions do the rounds, where it has them.
  package init(usesInstructions: Bool = true) {
    self.usesInstructions = usesInstructions && Self.hasInstructions
  }

  /// Appends bytes to the message.
  package mutating func update(_ bytes: some Collection<UInt8>) {
    let isDone: Void? = bytes.withContiguousStorageIfAvailable {
      unsafe update(UnsafeRawBufferPointer($0))
    }
    if isDone == nil { Array(bytes).withUnsafeBytes { unsafe update($0) } }
  }

  /// Appends bytes without copying whole blocks of them.
  @unsafe private mutating func update(_ bytes: UnsafeRawBufferPointer) {
    byteCount &+= UInt64(bytes.count)
    var rest = unsafe bytes[...]
    if !pending.isEmpty {
      let missing = unsafe rest.prefix(64 - pending.count)
      unsafe pending.append(contentsOf: missing)
      unsafe rest = rest.dropFirst(missing.count)
      guard pending.count == 64 else { return }
      let block = pending
      block.withUnsafeBytes { unsafe compress($0) }
      pending.removeAll(keepingCapacity: true)
    }
    let whole = rest.count / 64 * 64
    if whole > 0 { unsafe compress(UnsafeRawBufferPointer(rebasing: rest.prefix(whole))) }
    unsafe pending.append(contentsOf: rest.dropFirst(whole))
  }

  /// Returns the 32 bytes of the hash of everything appended.
  package mutating func finalize() -> [UInt8] {
    let bitCount = byteCount &* 8
    pending.append(contentsOf: Self.padding[..<(64 - (pending.count + 8) % 64)])
    for shift in stride(from: UInt64(56), through: 0, by: -8) {
      pending.append(UInt8(truncatingIfNeeded: bitCount >> shift))
    }
    let blocks = pending
    blocks.withUnsafeBytes { unsafe compress($0) }
    return [UInt8](unsafeUninitializedCapacity: 32) { bytes, count in
      let raw = UnsafeMutableRawBufferPointer(bytes)
      unsafe raw.storeBytes(of: state.bigEndian, as: Words.self)
      count = 32
    }
  }

  /// Returns the 32-byte hash of some bytes.
  package static func hash(_ bytes: some Collection<UInt8>) -> [UInt8] {
    var hash = SHA256()
    hash.update(bytes)
    return hash.finalize()
  }

  /// Whether the processor has instructions for the rounds.
  package static let hasInstructions = waystone_sha256_is_supported()

  /// Takes in whole blocks.
  @unsafe private mutating func compress(_ blocks: UnsafeRawBufferPointer) {
    guard usesInstructions else { return unsafe compressByWords(blocks) }
    guard let start = blocks.baseAddress else { return }
    unsafe Self.roundConstants.withUnsafeBufferPointer { k in
      unsafe withUnsafeMutableBytes(of: &state) { state in
        unsafe waystone_sha256_compress(
          state.baseAddress?.assumingMemoryBound(to: UInt32.self),
          start.assumingMemoryBound(to: UInt8.self),
          blocks.count / 64,
          k.baseAddress
        )
      }
    }
  }

  /// Takes in whole blocks without instructions for it.
  @unsafe private mutating func compressByWords(_ blocks: UnsafeRawBufferPointer) {
    unsafe Self.roundConstants.withUnsafeBufferPointer { k in
      for start in stride(from: 0, to: blocks.count, by: 64) {
        unsafe compress(UnsafeRawBufferPointer(rebasing: blocks[start..<start + 64]), k)
      }
    }
  }

  /// The message schedule is kept as its last sixteen words, which are variables so that they stay
  /// in registers; an array of them would cost more than the rounds.
  @unsafe private mutating func compress(
    _ block: UnsafeRawBufferPointer,
    _ k: UnsafeBufferPointer<UInt32>
  ) {
    @inline(__always)
    func word(_ index: Int) -> UInt32 {
      unsafe UInt32(bigEndian: block.loadUnaligned(fromByteOffset: index * 4, as: UInt32.self))
    }
    var (w0, w1, w2, w3) = (word(0), word(1), word(2), word(3))
    var (w4, w5, w6, w7) = (word(4), word(5), word(6), word(7))
    var (w8, w9, w10, w11) = (word(8), word(9), word(10), word(11))
    var (w12, w13, w14, w15) = (word(12), word(13), word(14), word(15))
    var words = state
    for group in stride(from: 0, to: 64, by: 16) {
      unsafe words.round(k[group] &+ w0)
      unsafe words.round(k[group + 1] &+ w1)
      unsafe words.round(k[group + 2] &+ w2)
      unsafe words.round(k[group + 3] &+ w3)
      unsafe words.round(k[group + 4] &+ w4)
      unsafe words.round(k[group + 5] &+ w5)
      unsafe words.round(k[group + 6] &+ w6)
      unsafe words.round(k[group + 7] &+ w7)
      unsafe words.round(k[group + 8] &+ w8)
      unsafe words.round(k[group + 9] &+ w9)
      unsafe words.round(k[group + 10] &+ w10)
      unsafe words.round(k[group + 11] &+ w11)
      unsafe words.round(k[group + 12] &+ w12)
      unsafe words.round(k[group + 13] &+ w13)
      unsafe words.round(k[group + 14] &+ w14)
      unsafe words.round(k[group + 15] &+ w15)
      if group == 48 { break }
      w0 &+= Self.extended(w1, w9, w14)
      w1 &+= Self.extended(w2, w10, w15)
      w2 &+= Self.extended(w3, w11, w0)
      w3 &+= Self.extended(w4, w12, w1)
      w4 &+= Self.extended(w5, w13, w2)
      w5 &+= Self.extended(w6, w14, w3)
      w6 &+= Self.extended(w7, w15, w4)
      w7 &+= Self.extended(w8, w0, w5)
      w8 &+= Self.extended(w9, w1, w6)
      w9 &+= Self.extended(w10, w2, w7)
      w10 &+= Self.extended(w11, w3, w8)
      w11 &+= Self.extended(w12, w4, w9)
      w12 &+= Self.extended(w13, w5, w10)
      w13 &+= Self.extended(w14, w6, w11)
      w14 &+= Self.extended(w15, w7, w12)
      w15 &+= Self.extended(w0, w8, w13)
    }
    state.add(words)
  }

  /// Returns the sum to add to a word of the schedule, from the words 15, 7 and 2 places before its next.
  @inline(__always)
  private static func extended(_ early: UInt32, _ middle: UInt32, _ late: UInt32) -> UInt32 {
    let sigma0 = rotate(early, 7) ^ rotate(early, 18) ^ (early >> 3)
    let sigma1 = rotate(late, 17) ^ rotate(late, 19) ^ (late >> 10)
    return sigma0 &+ middle &+ sigma1
  }

  @inline(__always)
  private static func rotate(_ word: UInt32, _ bits: UInt32) -> UInt32 {
    word &>> bits | word &<< (32 &- bits)
  }

  /// The eight words of the state, by the names of the standard.
  private struct Words {
    var a, b, c, d, e, f, g, h: UInt32

    /// Does one round, with the sum of its constant and its word of the schedule.
    @inline(__always)
    mutating func round(_ summand: UInt32) {
      let sum1 = SHA256.rotate(e, 6) ^ SHA256.rotate(e, 11) ^ SHA256.rotate(e, 25)
      let choice = g ^ (e & (f ^ g))
      let first = h &+ sum1 &+ choice &+ summand
      let sum0 = SHA256.rotate(a, 2) ^ SHA256.rotate(a, 13) ^ SHA256.rotate(a, 22)
      let second = sum0 &+ ((a & b) | (c & (a | b)))
      h = g
      g = f
      f = e
      e = d &+ first
      d = c
      c = b
      b = a
      a = first &+ second
    }

    /// The words with their most significant bytes first in memory.
    var bigEndian: Words {
      Words(
        a: a.bigEndian,
        b: b.bigEndian,
        c: c.bigEndian,
        d: d.bigEndian,
        e: e.bigEndian,
        f: f.bigEndian,
        g: g.bigEndian,
        h: h.bigEndian
      )
    }

    mutating func add(_ other: Words) {
      a &+= other.a
      b &+= other.b
      c &+= other.c
      d &+= other.d
      e &+= other.e
      f &+= other.f
      g &+= other.g
      h &+= other.h
    }
  }

  /// A bit that is set, and zeros: as many as fill a block with the eight bytes of the count.
  private static let padding: [UInt8] = [0x80] + [UInt8](repeating: 0, count: 63)

  private static let roundConstants: [UInt32] = [
    0x428a_2f98, 0x7137_4491, 0xb5c0_fbcf, 0xe9b5_dba5, 0x3956_c25b, 0x59f1_11f1,
    0x923f_82a4, 0xab1c_5ed5, 0xd807_aa98, 0x1283_5b01, 0x2431_85be, 0x550c_7dc3,
    0x72be_5d74, 0x80de_b1fe, 0x9bdc_06a7, 0xc19b_f174, 0xe49b_69c1, 0xefbe_4786,
    0x0fc1_9dc6, 0x240c_a1cc, 0x2de9_2c6f, 0x4a74_84aa, 0x5cb0_a9dc, 0x76f9_88da,
    0x983e_5152, 0xa831_c66d, 0xb003_27c8, 0xbf59_7fc7, 0xc6e0_0bf3, 0xd5a7_9147,
    0x06ca_6351, 0x1429_2967, 0x27b7_0a85, 0x2e1b_2138, 0x4d2c_6dfc, 0x5338_0d13,
    0x650a_7354, 0x766a_0abb, 0x81c2_c92e, 0x9272_2c85, 0xa2bf_e8a1, 0xa81a_664b,
    0xc24b_8b70, 0xc76c_51a3, 0xd192_e819, 0xd699_0624, 0xf40e_3585, 0x106a_a070,
    0x19a4_c116, 0x1e37_6c08, 0x2748_774c, 0x34b0_bcb5, 0x391c_0cb3, 0x4ed8_aa4a,
    0x5b9c_ca4f, 0x682e_6ff3, 0x748f_82ee, 0x78a5_636f, 0x84c8_7814, 0x8cc7_0208,
    0x90be_fffa, 0xa450_6ceb, 0xbef9_a3f7, 0xc671_78f2,
  ]
}
