#if SwiftData
  import ObjectModel
  import SwiftParser
  import SwiftSyntax

  /// A reader of one file's declarations from its syntax tree.
  ///
  /// It does not read bodies of functions, except for calls that list the models of a container: those
  /// it finds among the tokens, in any surroundings.
  struct SourceReader {
    let conditions: CompilationConditions
    let lines: SourceLocationConverter
    var file: SourceFile

    /// Returns the declarations of a file.
    static func read(_ text: SourceText, conditions: CompilationConditions) -> SourceFile {
      let tree = Parser.parse(source: String(decoding: text.bytes, as: UTF8.self))
      var reader = SourceReader(
        conditions: conditions,
        lines: SourceLocationConverter(fileName: text.name, tree: tree),
        file: SourceFile(name: text.name)
      )
      reader.read(tree)
      if ContainerScan.isWorthwhile(text) {
        var scan = ContainerScan(reader)
        reader.file.containers = scan.calls(in: tree)
        reader.file.configurations = scan.configurations
      }
      if PackageManifest.isManifest(text.name) {
        reader.file.manifest = ManifestReader(reader).manifest(in: tree)
      }
      return reader.file
    }

    private mutating func read(_ tree: SourceFileSyntax) {
      read(tree.statements, in: [])
      if let broken = tree.unexpectedBetweenStatementsAndEndOfFileToken {
        hide(broken, SourceFinding.syntaxError(place(broken)))
      }
    }

    private mutating func read(_ items: CodeBlockItemListSyntax, in scope: [String]) {
      for item in items {
        if case .decl(let declaration) = item.item {
          _ = read(declaration, in: scope)
        }
      }
    }

    /// Reads a declaration of a type; returns whether it was one.
    mutating func read(_ declaration: DeclSyntax, in scope: [String]) -> Bool {
      guard scope.count < Self.greatestNesting else { return false }
      switch declaration.as(DeclSyntaxEnum.self) {
      case .classDecl(let type): read(type, .class, type.name, type.genericParameterClause, scope)
      case .actorDecl(let type): read(type, .class, type.name, type.genericParameterClause, scope)
      case .structDecl(let type):
        read(type, .structure, type.name, type.genericParameterClause, scope)
      case .enumDecl(let type):
        read(type, .enumeration, type.name, type.genericParameterClause, scope)
      case .protocolDecl(let type): read(type, .protocol, type.name, nil, scope)
      case .extensionDecl(let type): read(type)
      case .importDecl(let module):
        file.imports.append(module.path.map(\.name.text).joined(separator: "."))
        return false
      case .typeAliasDecl(let alias):
        guard alias.genericParameterClause == nil else { return true }
        file.aliases.append(
          TypeAlias(
            path: scope + [alias.name.plain],
            type: self.type(alias.initializer.value),
            place: place(alias.name)
          )
        )
      case .ifConfigDecl(let condition):
        guard let clause = clause(condition) else {
          hideTypes(in: condition)
          return true
        }
        if case .statements(let items)? = clause?.elements { read(items, in: scope) }
      default: return false
      }
      return true
    }

    /// The greatest depth of types in types.
    static let greatestNesting = 32

    private mutating func read(_ syntax: ExtensionDeclSyntax) {
      guard case .named(let path, _) = type(syntax.extendedType) else { return }
      let place = place(syntax.extendedType)
      var declaration = TypeDeclaration(kind: .extension, path: path, place: place)
      declaration.inherited = inherited(syntax.inheritanceClause)
      add(declaration, members: syntax.memberBlock)
    }

    private mutating func read(
      _ syntax: some DeclGroupSyntax,
      _ kind: TypeDeclaration.Kind,
      _ name: TokenSyntax,
      _ parameters: GenericParameterClauseSyntax?,
      _ scope: [String]
    ) {
      var declaration = TypeDeclaration(kind: kind, path: scope + [name.plain], place: place(name))
      declaration.isGeneric = parameters != nil
      declaration.isPublic = syntax.modifiers.contains {
        ["public", "open"].contains($0.name.text)
      }
      declaration.inherited = inherited(syntax.inheritanceClause)
      declaration.attributes = attributes(syntax.attributes, doubts: &declaration.doubts)
      add(declaration, members: syntax.memberBlock)
    }

    private func inherited(_ clause: InheritanceClauseSyntax?) -> [SourceType] {
      (clause?.inheritedTypes ?? []).map { type($0.type) }
    }

    private mutating func add(_ declaration: TypeDeclaration, members: MemberBlockSyntax) {
      var declaration = declaration
      let index = file.types.count
      file.types.append(declaration)
      read(members.members, into: &declaration)
      let isClosed = members.rightBrace.presence == .present
      if !isClosed || members.unexpectedBetweenMembersAndRightBrace != nil {
        declaration.doubts.append(
          .init(reason: "it has a syntax error", place: place(members.rightBrace))
        )
      }
      file.types[index] = declaration
    }

    /// Leaves out a `#if` that is not decided; one around imports or code declares no type and hides nothing.
    private mutating func hideTypes(in condition: IfConfigDeclSyntax) {
      let text = SourceText(name: file.name, bytes: Array(condition.description.utf8))
      let declares = condition.clauses.contains { clause in
        guard case .statements(let items)? = clause.elements else { return true }
        return items.contains { item in
          guard case .decl(let declaration) = item.item else { return false }
          return !declaration.is(ImportDeclSyntax.self)
        }
      }
      guard declares || HiddenDeclarations(in: text).mayHaveVersions else { return }
      hide(condition, SourceFinding.undecidedCondition(place(condition)))
    }

    /// Leaves out a part of the file, with a finding.
    mutating func hide(_ node: some SyntaxProtocol, _ finding: Finding) {
      let text = SourceText(name: file.name, bytes: Array(node.description.utf8))
      let hidden = HiddenDeclarations(in: text)
      file.findings.append(hidden.weighed(finding))
      file.hidden.formUnion(hidden)
    }

    /// Returns the place of a syntax node.
    func place(_ node: some SyntaxProtocol) -> SourcePlace {
      let position = node.positionAfterSkippingLeadingTrivia
      return SourcePlace(file: file.name, line: lines.location(for: position).line)
    }
  }
#endif
