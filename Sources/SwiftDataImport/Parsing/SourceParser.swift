internal import Files
internal import ObjectModel

/// A reader of the declarations of source files, many at once and without compiling anything.
package enum SourceParser {
  /// Whether this build reads Swift sources: it was made with the package trait `SwiftData`.
  package static var isAvailable: Bool {
    #if SwiftData
      true
    #else
      false
    #endif
  }

  /// Returns the declarations of each file, in the order of the files.
  ///
  /// A file that cannot be read has a finding and no declarations. Files of equal contents are parsed once.
  /// - Throws: ``SwiftDataImportError`` where there are too many files, where the system has no thread
  ///   to read them, and where this build reads no Swift sources.
  /// - Complexity: O(*n*) in the bytes, on up to four processors.
  package static func parse(
    _ texts: [SourceText],
    conditions: CompilationConditions = CompilationConditions()
  ) throws(SwiftDataImportError) -> [SourceFile] {
    guard !texts.isEmpty else { return [] }
    guard isAvailable else { throw .unavailable }
    let size = texts.reduce(0) { $0 + $1.bytes.count }
    guard texts.count <= SourceLimits.fileCount, size <= SourceLimits.totalSize else {
      throw .tooMuch(files: texts.count, bytes: size)
    }
    let files = ParallelMap.map(
      texts,
      stackSize: SourceLimits.stackSize,
      threads: SourceLimits.threads
    ) { text in
      let key = SourceCache.Key(text, conditions)
      var file = SourceCache.file(key, named: text.name) ?? parse(text, conditions, key)
      file.module = text.module
      return file
    }
    guard let files else { throw .noThreads }
    return files
  }

  private static func parse(
    _ text: SourceText,
    _ conditions: CompilationConditions,
    _ key: SourceCache.Key
  ) -> SourceFile {
    let file = parse(text, conditions)
    SourceCache.keep(file, as: key)
    return file
  }

  private static func parse(_ text: SourceText, _ conditions: CompilationConditions) -> SourceFile {
    var file = SourceFile(name: text.name)
    if let finding = gap(in: text) {
      file.hidden = HiddenDeclarations(in: text)
      file.findings = [file.hidden.weighed(finding)]
      return file
    }
    #if SwiftData
      return SourceReader.read(text, conditions: conditions)
    #else
      return file
    #endif
  }
  /// Returns the reason why a file is left out; nil where it is read.
  static func gap(in text: SourceText) -> Finding? {
    let remedy = "Move models and the types of their properties into files of their own."
    if text.bytes.count > SourceLimits.fileSize {
      let reason = "it is larger than \(SourceLimits.fileSize >> 10) KiB"
      return SourceFinding.leftOut(text.name, reason, remedy)
    }
    if let line = NestingGuard.lineTooDeep(in: text.bytes) {
      let reason = "its code is nested deeper than any that people write"
      return SourceFinding.leftOut(text.name, line: line, reason, remedy)
    }
    if let line = text.lineOfConflict {
      let reason = "a merge has left its conflicts in it"
      var finding = SourceFinding.leftOut(text.name, line: line, reason, "Resolve them.")
      // All that the file declares is missing, in each version.
      finding.severity = .error
      return finding
    }
    return nil
  }
}
