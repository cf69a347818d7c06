#if canImport(Darwin)
  private import Darwin
#else
  private import Glibc
#endif

/// The replacement of the running program by another in the same process.
package enum ProgramReplacement {
  /// Runs another program instead of this one, with the same environment and open streams.
  ///
  /// - Parameter executable: Its absolute path.
  /// - Throws: ``FileError`` where it cannot be run; else this never returns.
  package static func run(_ executable: String, _ arguments: [String]) throws(FileError) -> Never {
    for text in [executable] + arguments { try FileSystem.check(text) }
    var words = unsafe ([executable] + arguments).map { unsafe strdup($0) } + [nil]
    unsafe execv(executable, &words)
    let number = errno
    for index in unsafe words.indices { unsafe free(words[index]) }
    throw FileError(number: number, deed: "run", path: executable)
  }
}
