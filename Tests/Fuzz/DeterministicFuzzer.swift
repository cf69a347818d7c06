#if !LIBFUZZER
  #if canImport(Glibc)
    import Glibc
  #else
    import Darwin
  #endif

  /// The input in hand and the path to save it at, for the signal handler.
  nonisolated(unsafe) private var inputStart: UnsafePointer<UInt8>?
  nonisolated(unsafe) private var inputCount = 0
  nonisolated(unsafe) private var findingPath: UnsafeMutablePointer<CChar>?

  /// A fuzzer that changes seeds by a stream of random numbers: the same inputs for a seed on every machine.
  ///
  /// Arguments: `run SECONDS SEED FINDING`, or `replay FILE...`.
  @main enum DeterministicFuzzer {
    static func main() {
      let session = FuzzSession.current
      session.writeSeedsIfAsked()
      let arguments = CommandLine.arguments
      if arguments.count == 5, arguments[1] == "run", let seconds = Int(arguments[2]),
        let seed = UInt64(arguments[3])
      {
        run(session, seconds: seconds, seed: seed, finding: arguments[4])
      } else if arguments.count > 2, arguments[1] == "replay" {
        for path in arguments[2...] {
          guard let bytes = FuzzFile.read(path) else { fatalError("\(path) cannot be read.") }
          FuzzLimits.run(session.target, bytes)
          FuzzLimits.checkMemory()
          print("\(path): \(bytes.count) bytes, no finding")
        }
      } else {
        fatalError("Start the fuzzer by Scripts/fuzz.")
      }
    }

    private static func run(_ session: FuzzSession, seconds: Int, seed: UInt64, finding: String) {
      print("seed \(seed)")
      saveInputOnSignals(at: finding)
      var random = RandomSource(seed: seed)
      var corpus = session.seeds.inputs[session.target] ?? []
      let seedCount = corpus.count
      let end = time(nil) + seconds
      var executions = 0
      while time(nil) < end {
        guard let place = random.place(in: corpus) else { return }
        let bytes = mutated(corpus[place], by: session.mutator, random: &random)
        guard bytes.count < 1_000_000 else { continue }
        bytes.withUnsafeBufferPointer { input in
          inputStart = input.baseAddress
          inputCount = input.count
          alarm(10)
          FuzzLimits.run(session.target, bytes)
          FuzzLimits.checkMemory()
          alarm(0)
        }
        executions += 1
        // Without knowledge of coverage, a few offspring are kept, so that changes add up.
        if random.oneIn(50) {
          if corpus.count < seedCount * 8 {
            corpus.append(bytes)
          } else {
            corpus[Int.random(in: seedCount..<corpus.count, using: &random)] = bytes
          }
        }
      }
      print("\(executions) executions in \(seconds) s, peak \(FuzzLimits.peakMegabytes) MB")
    }

    private static func mutated(
      _ bytes: [UInt8],
      by mutator: InputMutator,
      random: inout RandomSource
    ) -> [UInt8] {
      let whole = random.oneIn(3) ? nil : mutator.mutated(bytes, random: &random)
      guard let whole, !random.oneIn(4) else {
        return mutator.scrambled(whole ?? bytes, random: &random)
      }
      return whole
    }

    /// Makes traps, aborts and the alarm of a hang save the input before they end the process.
    private static func saveInputOnSignals(at path: String) {
      findingPath = strdup(path)
      for number in [SIGILL, SIGTRAP, SIGABRT, SIGSEGV, SIGBUS, SIGFPE, SIGALRM] {
        signal(number) { number in
          if let findingPath {
            let file = open(findingPath, O_WRONLY | O_CREAT | O_TRUNC, 0o644)
            _ = write(file, inputStart, inputCount)
            close(file)
          }
          signal(number, SIG_DFL)
          raise(number)
        }
      }
    }
  }
#endif
