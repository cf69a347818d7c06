internal import MigrationPlanning
internal import ObjectModel
internal import SwiftDataImport

/// The evidence of whether CloudKit mirrors an app's stores: `cloudKit:` of `waystone.yml`, else the
/// marks of the models, else the app's sources.
struct CloudKitEvidence {
  /// The answer of `waystone.yml`.
  private let answer: Bool?
  /// The folder of the app's sources; nil where it is not known.
  private let folder: String?
  /// The words of the files of the target that declares SwiftData models; nil where all of the folder count.
  private let target: CloudKitSources?

  init(_ project: Project) {
    answer = project.configuration?.usesCloudKit
    folder = project.configuration?.folder ?? project.sources?.path
    target = project.sources?.targetCloudKit
  }

  /// Returns the findings on a model whose stores CloudKit mirrors: on its current version and the step
  /// to it; on other new versions as notes.
  ///
  /// A version that users have cannot be corrected, and a schema that it deployed cannot be withdrawn.
  /// - Parameters:
  ///   - settled: Whether users have a version.
  ///   - isNew: Whether a version counts as one that users do not have yet.
  /// - Complexity: O(*n*) in the bytes of the sources, where neither the file nor a model gives the answer.
  func findings(
    on model: VersionedModel,
    settled: (ModelVersion) -> Bool,
    isNew: (ModelVersion) -> Bool
  ) -> [Finding] {
    guard answer != false, let current = model.versions.firstIndex(where: \.isCurrent) else {
      return []
    }
    let isMarked = model.versions.contains { !$0.model.cloudKitMark.isEmpty }
    let use = answer == nil && !isMarked ? sources(of: model) : .mirrored
    guard use != .local else { return [] }
    func mirroring(of version: ModelVersion) -> CloudKitMirroring? {
      if answer == nil, isMarked, version.model.cloudKitMark.isEmpty { return nil }
      let isOneStore =
        version.model.configurations.isEmpty || model.questions.configurationUse == .none
      return CloudKitMirroring(
        of: version.model,
        isCertain: answer == true || use == .mirrored && (isMarked || isOneStore)
      )
    }
    func mirrored(_ versions: some Sequence<ModelVersion>) -> [CloudKitStep.Mirrored] {
      versions.compactMap { version in mirroring(of: version).map { (version, $0) } }
    }
    let advice: Finding.Text =
      " If CloudKit does not mirror the store, set `cloudKit: false` in waystone.yml."
    return mirrored(model.versions).flatMap { version, mirroring -> [Finding] in
      guard version.isCurrent else {
        return isNew(version) ? noted(CloudKitLint.findings(on: version, mirroring)) : []
      }
      let own = CloudKitLint.findings(on: version, mirroring)
      guard isNew(version) else { return noted(own) }
      let deployed = mirrored(model.versions[..<current].filter(settled))
      return (own + CloudKitStep.findings(from: deployed, to: (version, mirroring))).map {
        var finding = $0
        if answer == nil { finding.advice += advice }
        return finding
      }
    }
  }

  private func noted(_ findings: [Finding]) -> [Finding] {
    findings.map { finding in
      var finding = finding
      finding.severity = .note
      finding.advice = "In a new version: \(finding.advice)"
      return finding
    }
  }

  private func sources(of model: VersionedModel) -> CloudKitSources.Use {
    var sources = CloudKitSources()
    if let target, model.isOfSwift {
      return target.use(of: model.name, .swiftData)
    }
    guard let folder else { return .local }
    _ = AppSources(folder: folder).read { bytes in
      sources.read(bytes)
      return true
    }
    return sources.use(
      of: model.name,
      model.versions.last?.model.framework ?? .coreData
    )
  }
}

/// The words of source files by which CloudKit mirrors stores.
struct CloudKitSources: Sendable {
  /// The use that an app makes of CloudKit for the stores of a model.
  enum Use: Hashable {
    /// CloudKit mirrors the stores.
    case mirrored
    /// CloudKit mirrors some of the app's stores.
    case partly
    /// The sources have no evidence that it mirrors any.
    case local
  }

  /// The names that containers are given as literals.
  private var names: Set<String> = []
  private var hasUnnamedContainer = false
  /// Whether the container's type is named where none is made.
  private var hasMention = false
  private var hasMirroredConfiguration = false
  private var hasLocalConfiguration = false

  private static let container = "NSPersistentCloudKitContainer"
  private static let database = "cloudKitDatabase:"
  private static let databaseType = "CloudKitDatabase"

  /// The words of no file.
  init() {}

  /// The words of some files.
  init(_ texts: [SourceText]) { for text in texts { read(text.bytes) } }

  /// Adds the words of a file.
  mutating func read(_ bytes: [UInt8]) {
    guard SourceText(name: "", bytes: bytes).contains("loudKit") else { return }
    let text = String(decoding: Self.code(bytes), as: UTF8.self)
    for range in text.ranges(of: Self.container) {
      let rest = text[range.upperBound...]
      let start = ["(name:\"", "(name:@\"", "containerWithName:@\""].first { rest.hasPrefix($0) }
      if let start, let end = rest.dropFirst(start.count).firstIndex(of: "\"") {
        names.insert(String(rest.dropFirst(start.count)[..<end]))
      } else if rest.hasPrefix("(") || rest.hasPrefix("alloc") || rest.hasPrefix(".init") {
        hasUnnamedContainer = true
      } else if !rest.hasPrefix(".") {
        // The type of a variable, a superclass: the code that makes it may be elsewhere.
        hasMention = true
      }
    }
    for range in text.ranges(of: Self.database) {
      var value = text[range.upperBound...]
      if value.hasPrefix("ModelConfiguration.") { value = value.dropFirst(19) }
      if value.hasPrefix(Self.databaseType) {
        value = value.dropFirst(Self.databaseType.count)
        // The type of a parameter.
        guard value.hasPrefix(".") else { continue }
      }
      let isLocal = value.hasPrefix(".none") && value.dropFirst(5).first?.isLetter != true
      if isLocal { hasLocalConfiguration = true } else { hasMirroredConfiguration = true }
    }
  }

  /// Returns the use of CloudKit for the stores of a model.
  func use(of model: String, _ framework: ModelFramework) -> Use {
    switch framework {
    case .swiftData:
      hasMirroredConfiguration ? hasLocalConfiguration ? .partly : .mirrored : .local
    case .coreData:
      names.contains(model) || hasUnnamedContainer || names.isEmpty && hasMention
        ? .mirrored : .local
    }
  }

  /// Returns the bytes of a file without its comments and white space.
  private static func code(_ bytes: [UInt8]) -> [UInt8] {
    let (slash, star, quote, backslash, newline) = (
      UInt8(ascii: "/"), UInt8(ascii: "*"), UInt8(ascii: "\""), UInt8(ascii: "\\"),
      UInt8(ascii: "\n")
    )
    var result: [UInt8] = []
    var index = 0
    var depth = 0
    var isText = false
    while index < bytes.count {
      let byte = bytes[index]
      let next = index + 1 < bytes.count ? bytes[index + 1] : 0
      if depth > 0 || !isText && byte == slash && next == star {
        if byte == slash, next == star {
          depth += 1
          index += 1
        } else if byte == star, next == slash {
          depth -= 1
          index += 1
        }
      } else if !isText, byte == slash, next == slash {
        while index < bytes.count, bytes[index] != newline { index += 1 }
      } else {
        // A text ends with its line; one over several lines only holds more than it should.
        if byte == quote { isText.toggle() }
        if byte == newline { isText = false }
        if isText, byte == backslash, next != newline {
          result.append(byte)
          index += 1
          result.append(next)
        } else if ![0x20, 0x09, 0x0a, 0x0d].contains(byte) {
          result.append(byte)
        }
      }
      index += 1
    }
    return result
  }
}
