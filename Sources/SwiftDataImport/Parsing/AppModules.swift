#if SwiftData
  import SwiftSyntax

  /// The names of modules that an app's code writes before declarations of its own, as `Kit.Note`.
  ///
  /// All selected code is in one module, so that such a name goes. It stays where the sources declare it for
  /// anything else, or declare the name behind its dot in several files: then the build reports it.
  struct AppModules {
    /// The modules that are imported, or whose folders the sources are in, and whose names nothing else has in
    /// the sources.
    private let names: Set<String>
    /// The number of files that declare a name at their top.
    private let declarations: [String: Int]

    /// The modules of Apple's platforms that have functions and types by which apps print and log.
    private static let logging: Set<String> = ["Foundation", "OSLog", "Swift", "os"]

    /// Finds the modules of parsed files.
    ///
    /// - Parameter files: The names of the files, with their folders.
    init(_ trees: [SourceFileSyntax], files: [String]) {
      var imported: Set<String> = []
      var others: Set<String> = []
      // A module's own code need not import it; its name is only ever before a dot.
      var own = Set(files.flatMap { $0.split(separator: "/").dropLast().map(Self.moduleName) })
      var declarations: [String: Int] = [:]
      for tree in trees {
        var declared: Set<String> = []
        Self.collect(tree.statements, &imported, &declared)
        for name in declared { declarations[name, default: 0] += 1 }
        for token in tree.tokens(viewMode: .sourceAccurate) {
          if Self.isNew(token) {
            others.insert(token.text)
          } else if own.contains(token.text), !Self.isBeforeDot(token) {
            own.remove(token.text)
          }
        }
      }
      names = imported.union(own)
        .subtracting(["CoreData", "Dispatch", "Foundation", "Swift"] + others)
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

    /// Returns the name of a module for the folder of its sources.
    private static func moduleName(_ folder: Substring) -> String {
      String(folder.map { $0 == "_" || $0.isLetter || $0.isNumber ? $0 : "_" })
    }

    /// Returns whether a token is no name that code uses by itself.
    private static func isBeforeDot(_ token: TokenSyntax) -> Bool {
      guard case .identifier = token.tokenKind, let parent = token.parent else { return true }
      switch parent.as(SyntaxEnum.self) {
      case .identifierType(let type):
        return type.parent?.as(MemberTypeSyntax.self)?.baseType.id == type.id
      case .declReferenceExpr(let reference):
        let access = reference.parent?.as(MemberAccessExprSyntax.self)
        return access.map { $0.base?.id == reference.id || $0.declName.id == reference.id } ?? false
      default: return true
      }
    }

    /// Returns whether code is the name of a module before the one declaration that the sources have of the
    /// name behind its dot.
    func isQualifier(_ syntax: Syntax?) -> Bool {
      guard let syntax else { return false }
      if let type = syntax.as(IdentifierTypeSyntax.self),
        let member = syntax.parent?.as(MemberTypeSyntax.self), member.baseType.id == type.id
      {
        return isModule(type.name.text, of: member.name.text)
      }
      if let base = syntax.as(DeclReferenceExprSyntax.self),
        let access = syntax.parent?.as(MemberAccessExprSyntax.self), access.base?.id == base.id
      {
        return isModule(base.baseName.text, of: access.declName.baseName.text)
      }
      return false
    }

    private func isModule(_ name: String, of declared: String) -> Bool {
      names.contains(name) && declarations[declared] == 1
    }

    /// Returns whether code names the module of a function or type by which apps print and log.
    func isLogging(_ module: String, _ name: String) -> Bool {
      Self.logging.contains(module) && SilencedOutput.names.contains(name)
    }
  }
#endif
