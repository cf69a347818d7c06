#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// The settings of the environment: the reader, and the models that the seeds are made from.
///
/// libFuzzer owns the command line, so settings come as variables:
/// - `FUZZ_READER`: `plist`, `archive`, `xml` or `swift`;
/// - `FUZZ_MODELS`: the folder of the sample models;
/// - `FUZZ_SEEDS`: a folder; where it is set, seeds and dictionary are written there, and nothing is fuzzed.
struct FuzzSession {
  let target: FuzzTarget
  let seeds: SeedCorpus
  let mutator: InputMutator

  static let current = FuzzSession()

  private init() {
    guard let target = Self.variable("FUZZ_READER").flatMap(FuzzTarget.init),
      let models = Self.variable("FUZZ_MODELS"), let seeds = try? SeedCorpus(modelArchive: models)
    else { fatalError("Start the fuzzer by Scripts/fuzz.") }
    self.target = target
    self.seeds = seeds
    mutator = InputMutator(target: target, seeds: seeds)
  }

  /// Writes seeds and dictionary and ends the process, where `FUZZ_SEEDS` is set.
  func writeSeedsIfAsked() {
    guard let folder = Self.variable("FUZZ_SEEDS") else { return }
    for (number, seed) in (seeds.inputs[target] ?? []).enumerated() {
      FuzzFile.write(seed, to: "\(folder)/seed-\(number)")
    }
    for (name, input) in HostileInputs.inputs(for: target) {
      FuzzFile.write(input, to: "\(folder)/../hostile/\(name)")
    }
    let lines = mutator.words.map { word in
      let escaped = word.utf8.map { byte in
        let isPlain = (0x20..<0x7f).contains(byte) && byte != 0x22 && byte != 0x5c
        let hex = String(byte, radix: 16)
        return isPlain
          ? String(decoding: [byte], as: UTF8.self) : "\\x" + (byte < 16 ? "0" : "") + hex
      }
      return "\"" + escaped.joined() + "\"\n"
    }
    FuzzFile.write(
      Array(lines.filter { $0 != "\"\"\n" }.joined().utf8),
      to: "\(folder)/../dictionary"
    )
    exit(0)
  }

  static func variable(_ name: String) -> String? { getenv(name).map { String(cString: $0) } }
}
