package import SwiftDataImport
package import Waystone

/// The policies of an app, with those that were built into a program.
package struct PolicyReport: Report, MemberEncodable {
  package static let verb = "policies"

  private let selection: PolicySelection
  private let build: PolicyBuild?
  private let missing: [String]
  private let folder: String
  private let isOfProject: Bool

  /// A report on policies.
  ///
  /// - Parameters:
  ///   - build: The build; nil where the package was only written.
  ///   - missing: The class names that mappings mention and no source declares.
  ///   - folder: The package.
  ///   - isOfProject: Whether the project's verbs run the program from now on.
  package init(
    _ selection: PolicySelection,
    build: PolicyBuild?,
    missing: [String],
    folder: String,
    isOfProject: Bool = false
  ) {
    self.selection = selection
    self.build = build
    self.missing = missing
    self.folder = folder
    self.isOfProject = isOfProject
  }

  /// Whether every policy that mappings name is in the program.
  package var isWhole: Bool {
    missing.isEmpty && (build.map { $0.complaints.isEmpty && $0.program != nil } ?? true)
  }

  package var members: JSONMembers {
    [
      "package": folder, "program": build?.program, "isOfProject": isOfProject,
      "policies": selection.policies.map { policy in
        [
          "class": policy.className, "objectiveC": policy.objectiveCName, "file": policy.file,
          "line": policy.line,
          "state": state(of: policy), "errors": build?.complaints[policy.className] ?? [],
        ] as JSONMembers
      }, "failure": build?.failure ?? [], "missing": missing, "choices": selection.choices,
      "findings": selection.leftOut,
    ]
  }

  private func state(of policy: PolicySelection.Policy) -> String {
    guard let build else { return "written" }
    if build.complaints[policy.className] != nil { return "notBuilt" }
    return build.program == nil ? "notBuilt" : "built"
  }

  package func lines(isVerbose: Bool) -> [StyledText] {
    var lines: [StyledText] = []
    for policy in selection.policies {
      let word =
        switch state(of: policy) {
        case "built": "built"
        case "written": "written"
        default: "not built"
        }
      lines.append(
        "\(policy.className, .strong)  \("\(policy.file):\(policy.line)", .faint)  \(word)"
      )
      let complaints = build?.complaints[policy.className] ?? []
      for complaint in isVerbose ? complaints[...] : complaints.prefix(3) {
        lines.append(StyledText("  \(complaint.file):\(complaint.line): \(complaint.message)"))
      }
      if !isVerbose, complaints.count > 3 {
        lines.append(StyledText("  and \(complaints.count - 3) more; --verbose shows all"))
      }
    }
    for name in missing {
      lines.append("\(name, .strong)  a mapping names it, and no source declares it")
    }
    for choice in selection.choices {
      lines.append(
        "\(choice.name, .strong)  taken from \(choice.file); "
          + "\(choice.others.joined(separator: ", ")) \(choice.others.count == 1 ? "declares" : "declare") it, too"
      )
    }
    for line in build?.failure ?? [] { lines.append(StyledText("  " + line)) }
    lines += selection.leftOut.section("Files that are not read", isVerbose: isVerbose)
    lines.append("")
    if let program = build?.program {
      lines.append(StyledText("This waystone runs them: \(program)"))
      lines.append("It has all verbs. What the app's code prints is dropped.")
      if isOfProject {
        lines.append("`waystone` runs it for this project, until the sources change.")
      }
    } else {
      lines.append(StyledText("The package is \(folder)."))
    }
    return lines
  }
}
