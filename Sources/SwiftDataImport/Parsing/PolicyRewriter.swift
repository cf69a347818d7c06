#if SwiftData
  import SwiftParser
  import SwiftSyntax

  /// The few changes that make code for Apple's platforms compile on Linux.
  ///
  /// Attributes of Objective-C go, `@NSManaged` properties become accessors, `#keyPath` and `#selector` become texts,
  /// a cast to `CVarArg` a cast to `Any`, the bundle of a class that of the program, and an initializer that
  /// Core Data calls is a required one. All is in one module, so that names of modules and public access go.
  final class PolicyRewriter: SyntaxRewriter {
    private static let attributes: Set<String> = [
      "objc", "objcMembers", "nonobjc", "NSManaged", "IBOutlet", "IBAction", "IBInspectable",
      "IBDesignable", "NSCopying", "dynamicMemberLookup", "GKInspectable", "available", "MainActor",
      "UIApplicationMain", "inlinable", "usableFromInline", "frozen",
    ]

    /// Whether the class is one whose initializers Core Data calls.
    private let isCalled: Bool
    private let modules: AppModules
    /// Whether public access stays: a type of Foundation conforms to protocols of Foundation by public members
    /// alone.
    private let keepsAccess: Bool

    init(isCalled: Bool, modules: AppModules, keepsAccess: Bool = false) {
      self.isCalled = isCalled
      self.modules = modules
      self.keepsAccess = keepsAccess
      super.init(viewMode: .sourceAccurate)
    }

    override func visit(_ list: AttributeListSyntax) -> AttributeListSyntax {
      let kept = list.filter { element in
        guard case .attribute(let attribute) = element else { return true }
        return !Self.attributes.contains(attribute.attributeName.trimmedDescription)
      }
      return super.visit(kept)
    }

    override func visit(_ list: DeclModifierListSyntax) -> DeclModifierListSyntax {
      let dropped = ["dynamic"] + (keepsAccess ? [] : ["public", "open", "package"])
      return list.filter { !dropped.contains($0.name.text) }
    }

    // A modifier that goes leaves its line.
    override func visit(_ node: MemberBlockItemSyntax) -> MemberBlockItemSyntax {
      let item = super.visit(node)
      return item.leadingTrivia.isEmpty ? item.with(\.leadingTrivia, node.leadingTrivia) : item
    }

    override func visit(_ node: CodeBlockItemSyntax) -> CodeBlockItemSyntax {
      let item = super.visit(node)
      return item.leadingTrivia.isEmpty ? item.with(\.leadingTrivia, node.leadingTrivia) : item
    }

    override func visit(_ node: InitializerDeclSyntax) -> DeclSyntax {
      guard isCalled, node.modifiers.contains(where: { $0.name.text == "override" }) else {
        return super.visit(node)
      }
      var changed = node
      changed.modifiers = DeclModifierListSyntax(
        node.modifiers.filter {
          !["required", "private", "fileprivate"].contains($0.name.text)
        }.map { modifier in
          guard modifier.name.text == "override" else { return modifier }
          return modifier.with(\.name, .keyword(.required, trailingTrivia: .space))
        }
      )
      return super.visit(changed)
    }

    override func visit(_ node: VariableDeclSyntax) -> DeclSyntax {
      guard Self.isManaged(node.attributes),
        let binding = node.bindings.first,
        let name = binding.pattern.as(IdentifierPatternSyntax.self)?.identifier.text,
        let type = binding.typeAnnotation?.type.trimmedDescription
      else { return super.visit(node) }
      let key = name.hasPrefix("`") ? String(name.dropFirst().dropLast()) : name
      let access = Self.access(node.modifiers)
      return Self.declaration(
        """
        \(access)var \(name): \(type) { get { managedValue(forKey: "\(key)") } \
        set { setManagedValue(newValue, forKey: "\(key)") } }
        """,
        else: DeclSyntax(node)
      )
    }

    override func visit(_ node: FunctionDeclSyntax) -> DeclSyntax {
      guard Self.isManaged(node.attributes), node.body == nil,
        node.signature.parameterClause.parameters.count == 1,
        let parameter = node.signature.parameterClause.parameters.first,
        parameter.firstName.text == "_"
      else { return super.visit(node) }
      let value = (parameter.secondName ?? parameter.firstName).text
      let head =
        "\(Self.access(node.modifiers))func \(node.name.text)\(node.signature.trimmedDescription)"
      return Self.declaration(
        "\(head) { changeManaged(\"\(node.name.text)\", \(value)) }",
        else: DeclSyntax(node)
      )
    }

    override func visit(_ node: MacroExpansionExprSyntax) -> ExprSyntax {
      guard let argument = node.arguments.first, let text = Self.text(of: node, argument),
        case .expr(let literal)? = Parser.parse(source: text).statements.first?.item
      else { return super.visit(node) }
      return
        literal
        .with(\.leadingTrivia, node.leadingTrivia).with(\.trailingTrivia, node.trailingTrivia)
    }

    /// Returns the expression that a macro of Objective-C's becomes; nil for all other macros.
    private static func text(
      of macro: MacroExpansionExprSyntax,
      _ argument: LabeledExprSyntax
    ) -> String? {
      switch macro.macroName.text {
      case "keyPath":
        var parts = argument.expression.trimmedDescription.split(separator: ".").map(String.init)
        // A name that begins with a capital letter is the type.
        while parts.count > 1, parts[0].first?.isUppercase == true || parts[0] == "self" {
          parts.removeFirst()
        }
        return "\"\(parts.joined(separator: "."))\""
      case "selector" where argument.label == nil:
        guard
          let name = argument.expression.as(MemberAccessExprSyntax.self)?.declName
            ?? argument.expression.as(DeclReferenceExprSyntax.self)
        else { return nil }
        let labels = name.argumentNames?.arguments.map(\.name.text) ?? []
        // The last is the one that Swift's importer makes of it, with the word before the first label.
        let selector = SelectorNames.all(name.baseName.text, labels).last
        return selector.map { "Selector(\"\($0)\")" }
      default: return nil
      }
    }

    override func visit(_ node: FunctionCallExprSyntax) -> ExprSyntax {
      if let format = node.arguments.first, format.label?.text == "format",
        ["NSString", "String"].contains(node.calledExpression.trimmedDescription)
      {
        return super.visit(Self.formatted(node, format))
      }
      guard PolicyScan.isBundleOfClass(node) else { return super.visit(node) }
      let main = MemberAccessExprSyntax(
        base: node.calledExpression.trimmed,
        name: .identifier("main")
      )
      return ExprSyntax(
        main.with(\.leadingTrivia, node.leadingTrivia)
          .with(\.trailingTrivia, node.trailingTrivia)
      )
    }

    /// Returns the call that makes a text of a format, with the letters that Linux knows.
    private static func formatted(
      _ call: FunctionCallExprSyntax,
      _ format: LabeledExprSyntax
    ) -> FunctionCallExprSyntax {
      let text = "AppleFormat.onLinux(\(format.expression.trimmedDescription))"
      guard case .expr(let changed)? = Parser.parse(source: text).statements.first?.item else {
        return call
      }
      var arguments = Array(call.arguments)
      arguments[0] = format.with(\.expression, changed)
      return call.with(\.arguments, LabeledExprListSyntax(arguments))
    }

    override func visit(_ node: MemberTypeSyntax) -> TypeSyntax {
      if let module = node.baseType.as(IdentifierTypeSyntax.self),
        modules.isLogging(module.name.text, node.name.text)
      {
        let silenced = module.with(\.name, Self.silenced(module.name))
        return TypeSyntax(node.with(\.baseType, TypeSyntax(silenced)))
      }
      guard modules.isQualifier(Syntax(node.baseType)) else { return super.visit(node) }
      let own = IdentifierTypeSyntax(
        leadingTrivia: node.leadingTrivia,
        name: node.name,
        genericArgumentClause: node.genericArgumentClause
      )
      return super.visit(own)
    }

    override func visit(_ node: MemberAccessExprSyntax) -> ExprSyntax {
      if let module = node.base?.as(DeclReferenceExprSyntax.self),
        modules.isLogging(module.baseName.text, node.declName.baseName.text)
      {
        let silenced = module.with(\.baseName, Self.silenced(module.baseName))
        return ExprSyntax(node.with(\.base, ExprSyntax(silenced)))
      }
      guard modules.isQualifier(node.base.map(Syntax.init)) else { return super.visit(node) }
      return ExprSyntax(node.declName.with(\.leadingTrivia, node.leadingTrivia))
    }

    override func visit(_ node: IdentifierTypeSyntax) -> TypeSyntax {
      guard node.name.text == "CVarArg", node.parent?.is(TypeExprSyntax.self) == true else {
        return super.visit(node)
      }
      return TypeSyntax(node.with(\.name, .identifier("Any", trailingTrivia: node.trailingTrivia)))
    }

    private static func silenced(_ module: TokenSyntax) -> TokenSyntax {
      module.with(\.tokenKind, .identifier("\(SilencedOutput.self)"))
    }

    private static func declaration(_ text: String, else node: DeclSyntax) -> DeclSyntax {
      guard case .decl(let declaration)? = Parser.parse(source: text).statements.first?.item else {
        return node
      }
      return declaration
    }

    /// Renames the flag of debugging builds, and replaces iOS by Linux, so that the code that ships is run.
    override func visit(_ node: IfConfigClauseSyntax) -> IfConfigClauseSyntax {
      guard let condition = node.condition else { return super.visit(node) }
      let text = condition.trimmedDescription
        .replacing("os(iOS)", with: "os(Linux)").replacing("DEBUG", with: "WAYSTONE_DEBUG")
      guard case .expr(let changed)? = Parser.parse(source: text).statements.first?.item else {
        return super.visit(node)
      }
      return super.visit(
        node.with(
          \.condition,
          changed.with(\.leadingTrivia, []).with(\.trailingTrivia, .newline)
        )
      )
    }

    private static func isManaged(_ attributes: AttributeListSyntax) -> Bool {
      attributes.contains { element in
        guard case .attribute(let attribute) = element else { return false }
        return attribute.attributeName.trimmedDescription == "NSManaged"
      }
    }

    private static func access(_ modifiers: DeclModifierListSyntax) -> String {
      let own = modifiers.first {
        $0.detail == nil && ["private", "fileprivate"].contains($0.name.text)
      }
      return own.map { $0.name.text + " " } ?? ""
    }
  }
#endif
