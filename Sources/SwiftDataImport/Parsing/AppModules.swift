#if SwiftData
  import SwiftSyntax

  /// The names of modules that an app's code writes before declarations of its own, as `Kit.Note`.
  ///
  /// All selected code is in one module, so that such a name goes. It stays where the sources declare it for
  /// anything else, or declare the name behind its dot in several files: then the build reports it.
  struct AppModules {
    /// The imported modules whose names nothing else has in the sources.
    private let names: Set<String>
    /// The number of files that declare a name at their top.
    private let declarations: [String: Int]

    init(_ trees: [SourceFileSyntax]) {
      var imported: Set<String> = []
      var others: Set<String> = []
      var declarations: [String: Int] = [:]
      for tree in trees {
        var own: Set<String> = []
        Self.collect(tree.statements, &imported, &own)
        for name in own { declarations[name, default: 0] += 1 }
        for token in tree.tokens(viewMode: .sourceAccurate) where Self.isNew(token) {
          others.insert(token.text)
        }
      }
      names = imported.subtracting(["CoreData", "Dispatch", "Foundation", "Swift"] + others)
      self.declarations = declarations
    }

    private static func collect(
      _ statements: CodeBlockItemListSyntax,
      _ imported: inout Set<String>,
      _ declared: inout Set<String>
    ) {
      for statement in statements {
        guard case .decl(let declaration) = statement.item else { continue }
        if let module = declaration.as(ImportDeclSyntax.self)?.path.first?.name.text {
          imported.insert(module)
        } else if let condition = declaration.as(IfConfigDeclSyntax.self) {
          for case .statements(let inner)? in condition.clauses.map(\.elements) {
            collect(inner, &imported, &declared)
          }
        } else if !declaration.is(ExtensionDeclSyntax.self) {
          declared.formUnion(PolicyScan.names(of: declaration))
        }
      }
    }

    /// Returns whether a token is the name that a declaration introduces.
    private static func isNew(_ token: TokenSyntax) -> Bool {
      guard case .identifier = token.tokenKind, let parent = token.parent else { return false }
      switch parent.as(SyntaxEnum.self) {
      case .classDecl, .structDecl, .enumDecl, .actorDecl, .protocolDecl, .typeAliasDecl,
        .associatedTypeDecl, .functionDecl, .genericParameter, .functionParameter,
        .closureParameter, .closureShorthandParameter, .identifierPattern, .enumCaseElement:
        return true
      default: return false
      }
    }

    /// Returns whether code is the name of a module before the one declaration that the sources have of the
    /// name behind its dot.
    func isQualifier(_ syntax: Syntax?) -> Bool {
      guard let syntax else { return false }
      if let type = syntax.as(IdentifierTypeSyntax.self), names.contains(type.name.text),
        let member = syntax.parent?.as(MemberTypeSyntax.self), member.baseType.id == type.id
      {
        return declarations[member.name.text] == 1
      }
      if let base = syntax.as(DeclReferenceExprSyntax.self), names.contains(base.baseName.text),
        let access = syntax.parent?.as(MemberAccessExprSyntax.self), access.base?.id == base.id
      {
        return declarations[access.declName.baseName.text] == 1
      }
      return false
    }
  }
#endif
