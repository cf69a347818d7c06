#if SwiftData
  import SwiftSyntax

  /// A reader of the targets and products of a `Package.swift` from its syntax tree; nothing is run.
  ///
  /// Manifests append to lists and name them by constants, so that calls count at every place.
  struct ManifestReader {
    private let reader: SourceReader
    private var manifest = PackageManifest()

    /// The most targets and products that are taken.
    private static let greatestCount = 2_000
    /// The functions that declare a target.
    private static let targets: [String: BuildTarget.Kind] = [
      "target": .library, "executableTarget": .tool, "testTarget": .tests, "macro": .other,
      "plugin": .other,
    ]
    /// The functions that declare a product.
    private static let products: Set<String> = ["library", "executable", "iOSApplication"]

    init(_ reader: SourceReader) { self.reader = reader }

    /// Returns the targets and products that literals in a tree declare.
    func manifest(in tree: SourceFileSyntax) -> PackageManifest {
      var reader = self
      for token in tree.tokens(viewMode: .sourceAccurate) {
        guard token.tokenKind == .leftParen,
          let call = token.parent?.as(FunctionCallExprSyntax.self),
          let callee = call.calledExpression.as(MemberAccessExprSyntax.self),
          reader.manifest.targets.count + reader.manifest.products.count < Self.greatestCount
        else { continue }
        reader.read(call, callee.declName.baseName.plain)
      }
      return reader.manifest
    }

    private mutating func read(_ call: FunctionCallExprSyntax, _ callee: String) {
      let isProduct = Self.products.contains(callee)
      guard isProduct || Self.targets[callee] != nil, !isArgument(of: "dependencies", call) else {
        return
      }
      guard case .call(_, let arguments) = reader.expression(ExprSyntax(call)) else { return }
      func value(_ label: String) -> SourceExpression? {
        arguments.first { $0.label == label }?.value
      }
      guard case .string(let name)? = value("name") else {
        if value("name") != nil { leaveOut(call) }
        return
      }
      if isProduct {
        manifest.products.append(.init(name: name, targets: names(value("targets"), call)))
        return
      }
      var target = PackageManifest.Target(name: name, kind: Self.targets[callee] ?? .other)
      if let path = value("path"), path != .null {
        guard case .string(let text) = path else { return leaveOut(call) }
        target.path = text
      }
      target.exclude = names(value("exclude"), call)
      if let sources = value("sources"), sources != .null { target.sources = names(sources, call) }
      target.dependencies = dependencies(value("dependencies"), call)
      manifest.targets.append(target)
    }

    /// Returns whether a call is within an argument of a label: one in `dependencies` names a target, and
    /// declares none.
    private func isArgument(of label: String, _ call: FunctionCallExprSyntax) -> Bool {
      var next = call.parent
      while let current = next {
        if let argument = current.as(LabeledExprSyntax.self), argument.label?.plain == label {
          return true
        }
        next = current.parent
      }
      return false
    }

    private mutating func leaveOut(_ node: some SyntaxProtocol) {
      manifest.unreadLine = manifest.unreadLine ?? reader.place(node).line
    }

    private mutating func names(_ value: SourceExpression?, _ node: FunctionCallExprSyntax)
      -> [String]
    {
      guard let value, value != .null else { return [] }
      guard case .array(let elements) = value else {
        leaveOut(node)
        return []
      }
      let texts = elements.compactMap { if case .string(let text) = $0 { text } else { nil } }
      if texts.count < elements.count { leaveOut(node) }
      return texts
    }

    private mutating func dependencies(
      _ value: SourceExpression?,
      _ node: FunctionCallExprSyntax
    ) -> [String] {
      switch value {
      case nil: return []
      case .array(let elements):
        return elements.compactMap { element in
          switch element {
          case .string(let name): return name
          case .call(_, let arguments):
            guard case .string(let name)? = arguments.first(where: { $0.label == "name" })?.value
            else { return nil }
            return name
          default: return nil
          }
        }
      case .sum(let terms):
        var result: [String] = []
        for term in terms { result += dependencies(term, node) }
        return result
      default:
        leaveOut(node)
        return []
      }
    }
  }
#endif
