#if LIBFUZZER
  // The functions that libFuzzer calls, with the names and types of its FuzzerInterface.h.

  @_silgen_name("LLVMFuzzerMutate")
  private func byteMutation(_ data: UnsafeMutablePointer<UInt8>, _ size: Int, _ most: Int) -> Int

  @_cdecl("LLVMFuzzerInitialize")
  func initialize(_ count: UnsafeMutableRawPointer, _ words: UnsafeMutableRawPointer) -> CInt {
    FuzzSession.current.writeSeedsIfAsked()
    return 0
  }

  @_cdecl("LLVMFuzzerTestOneInput")
  func testOneInput(_ data: UnsafePointer<UInt8>?, _ size: Int) -> CInt {
    // A copy, so that the sanitizer knows where the input ends.
    FuzzLimits.run(
      FuzzSession.current.target,
      Array(UnsafeBufferPointer(start: data, count: size))
    )
    return 0
  }

  @_cdecl("LLVMFuzzerCustomMutator")
  func mutate(
    _ data: UnsafeMutablePointer<UInt8>,
    _ size: Int,
    _ most: Int,
    _ seed: CUnsignedInt
  ) -> Int {
    var random = RandomSource(seed: UInt64(seed))
    let mutator = FuzzSession.current.mutator
    // The property list reader is best tried with broken bytes, the others with whole lists.
    guard !random.oneIn(mutator.target == .plist ? 2 : 4),
      let bytes = mutator.mutated(
        Array(UnsafeBufferPointer(start: data, count: size)),
        random: &random
      ),
      !bytes.isEmpty, bytes.count <= most
    else { return byteMutation(data, size, most) }
    data.update(from: bytes, count: bytes.count)
    return bytes.count
  }
#endif
