/// The conditions that `#if` evaluates for a build.
package struct CompilationConditions: Hashable, Sendable {
  /// The flags that are set, as by `-D`.
  package var flags: Set<String>
  /// The platform, as `os()` names it.
  package var platform: String

  /// The conditions of a release build for iOS, unless others are given.
  package init(flags: Set<String> = [], platform: String = "iOS") {
    self.flags = flags
    self.platform = platform
  }

  /// The platforms that `os()` knows and on which SwiftData is.
  package static let platforms: Set<String> = ["iOS", "macOS", "tvOS", "watchOS", "visionOS"]

  /// Frameworks that each platform with SwiftData has.
  static let modulesEverywhere: Set<String> = [
    "SwiftData", "SwiftUI", "Foundation", "CoreData", "Combine", "Observation", "CoreGraphics",
    "CoreLocation", "CloudKit", "os", "Swift", "Darwin", "AVFoundation", "AVFAudio", "AppIntents",
    "CoreML", "CoreText", "CryptoKit", "ImageIO", "MapKit", "Network", "Security", "StoreKit",
    "UniformTypeIdentifiers", "UserNotifications",
  ]

  /// Returns whether a flag is set.
  ///
  /// A flag that the project does not state is not set, as in a build.
  func isSet(_ flag: String) -> Bool { flags.contains(flag) }

  /// Returns whether a function of a condition holds; nil where that depends on facts that the project
  /// does not state.
  func holds(_ function: String, _ argument: String) -> Bool? {
    switch function {
    case "os": argument == platform
    case "canImport":
      Self.modulesEverywhere.contains(argument)
        ? true
        : argument == "UIKit"
          ? ["iOS", "tvOS", "visionOS", "watchOS"].contains(platform)
          : argument == "AppKit" ? platform == "macOS" : nil
    case "targetEnvironment":
      argument == "simulator" ? false : argument == "macCatalyst" ? false : nil
    case "arch": argument == "arm64"
    case "swift": Self.isAtLeast(argument, known: (5, 10))
    case "compiler": Self.isAtLeast(argument, known: (6, 0))
    case "hasFeature", "hasAttribute": nil
    default: nil
    }
  }

  /// Returns whether a version is at least another; nil where the text is no such question, or where
  /// that depends on the build: every app with SwiftData today is built by at least the known version.
  private static func isAtLeast(_ text: String, known: (Int, Int)) -> Bool? {
    let isLess = text.hasPrefix("<")
    guard text.hasPrefix(">=") || isLess else { return nil }
    let numbers = text.dropFirst(isLess ? 1 : 2).split(separator: ".").map { Int($0) }
    guard let first = numbers.first, let major = first else { return nil }
    let minor = numbers.count > 1 ? numbers[1] ?? 0 : 0
    return (major, minor) <= known ? !isLess : nil
  }
}
