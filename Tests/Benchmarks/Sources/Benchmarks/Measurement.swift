#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif
#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// The cost of a process, as the operating system accounts it.
struct Measurement {
  /// Seconds from before its start until it was reaped.
  var wall: Double
  /// Seconds of processor time, the system's included.
  var processor: Double
  /// The most memory it had resident, in bytes.
  var peak: Int
  /// The bytes it wrote towards the disk.
  var written: Int
  /// The share of the check of the store before anything was made of it.
  var check = Check(wall: 0, processor: 0)

  /// Seconds of a part of a run.
  struct Check {
    var wall: Double
    var processor: Double
  }

  /// The same without the check of the store.
  var withoutCheck: Measurement {
    var rest = self
    rest.wall -= check.wall
    rest.processor -= check.processor
    rest.check = Check(wall: 0, processor: 0)
    return rest
  }

  /// Runs a program to its end, with nothing of earlier runs left to be written.
  ///
  /// - Parameters:
  ///   - environment: What it finds in its environment beside ours, each `NAME=value`.
  ///   - isPrinting: Whether what it prints is shown.
  ///   - output: The file that gets what it prints, where one does.
  /// - Throws: ``BenchmarkError`` where it cannot be started or fails.
  static func running(
    _ program: String,
    _ arguments: [String],
    environment: [String] = [],
    printing isPrinting: Bool = true,
    output: String? = nil
  ) throws -> Measurement {
    sync()
    var pointers = ([program] + arguments).map { strdup($0) } + [nil]
    defer { for pointer in pointers { free(pointer) } }
    var process: pid_t = 0
    let inherited = ProcessInfo.processInfo.environment.map { "\($0)=\($1)" }
    var variables = (environment + inherited).map { strdup($0) } + [nil]
    defer { for variable in variables { free(variable) } }
    #if canImport(Darwin)
      var actions: posix_spawn_file_actions_t?
    #else
      var actions = posix_spawn_file_actions_t()
    #endif
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    if let path = output ?? (isPrinting ? nil : "/dev/null") {
      let flags = O_WRONLY | O_CREAT | O_TRUNC
      posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, path, flags, 0o600)
    }
    let start = now
    let error = posix_spawn(&process, program, &actions, nil, &pointers, &variables)
    guard error == 0 else {
      throw BenchmarkError("\(program) cannot be started: \(String(cString: strerror(error)))")
    }
    var status: Int32 = 0
    var usage = rusage()
    while wait4(process, &status, 0, &usage) == -1 {
      guard errno == EINTR else { throw BenchmarkError("\(program) was lost") }
    }
    let wall = now - start
    guard status == 0 else {
      throw BenchmarkError("\(program) \(arguments.joined(separator: " ")) failed (\(status))")
    }
    #if canImport(Darwin)
      let unit = 1
    #else
      let unit = 1024
    #endif
    return Measurement(
      wall: wall,
      processor: seconds(usage.ru_utime) + seconds(usage.ru_stime),
      peak: Int(usage.ru_maxrss) * unit,
      written: Int(usage.ru_oublock) * 512
    )
  }

  private static func seconds(_ time: timeval) -> Double {
    Double(time.tv_sec) + Double(time.tv_usec) / 1e6
  }

  private static var now: Double {
    var time = timespec()
    clock_gettime(CLOCK_MONOTONIC, &time)
    return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
  }
}

/// The reason why there are no figures.
struct BenchmarkError: Error, CustomStringConvertible {
  let description: String

  init(_ description: String) { self.description = description }
}
