#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// The time and memory that one input below one megabyte may take.
enum FuzzLimits {
  /// The greatest processor time in seconds, which a busy machine changes less than the time on the clock.
  static let seconds = 1.0
  /// The greatest memory of the whole process in megabytes, harness and sanitizer included.
  static let megabytes = 512

  /// Runs the reader, and ends the process where it takes too long.
  static func run(_ target: FuzzTarget, _ bytes: [UInt8]) {
    let start = processorTime
    target.run(bytes)
    let seconds = processorTime - start
    if seconds > Self.seconds { fatalError("The input takes \(seconds) s of processor time.") }
  }

  /// Ends the process where it ever held more memory than ``megabytes``.
  static func checkMemory() {
    if peakMegabytes > megabytes { fatalError("The input takes more than \(megabytes) MB.") }
  }

  /// The most memory that the process ever held at once, in megabytes.
  static var peakMegabytes: Int {
    var usage = rusage()
    #if os(Linux)
      getrusage(CInt(RUSAGE_SELF.rawValue), &usage)
      return Int(usage.ru_maxrss) >> 10
    #else
      getrusage(RUSAGE_SELF, &usage)
      return Int(usage.ru_maxrss) >> 20
    #endif
  }

  private static var processorTime: Double {
    var now = timespec()
    // The clock of the whole process: readers may have threads of their own.
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now)
    return Double(now.tv_sec) + Double(now.tv_nsec) * 1e-9
  }
}
