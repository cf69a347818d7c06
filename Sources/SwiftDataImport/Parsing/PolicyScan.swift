#if SwiftData
  import SwiftParser
  import SwiftSyntax

  /// The declarations of an app's sources, cut into the parts that a policy may need one by one.
  struct PolicyScan {
    /// A declaration at the top of a file, or a member of one.
    struct Item {
      /// The file, by its index.
      let file: Int
      /// The name that uses it; that of the extended type for an extension.
      let name: String
      let declaration: DeclSyntax
      /// Whether it is an extension.
      let isExtension: Bool
      /// Whether only its own file can use it.
      let isPrivate: Bool
      /// The names of its attributes.
      let attributes: Set<String>
      /// The names of the classes and protocols that it names first.
      let inherited: [String]
      /// The names that it uses wherever it is used: all but those of its members.
      let names: Set<String>
      let members: [Member]
      /// The first and the last line.
      let lines: ClosedRange<Int>
    }

    /// A member of a type.
    struct Member {
      /// The names that use it; none for a member that is always there.
      let names: Set<String>
      let declaration: DeclSyntax
      /// Whether only its own file can use it.
      let isPrivate: Bool
      let uses: Set<String>
      let lines: ClosedRange<Int>
    }

    /// The names of the files.
    let files: [String]
    /// The app's own modules, whose declarations are all in one module here.
    let modules: AppModules
    private(set) var items: [Item] = []

    init(_ texts: [SourceText]) {
      files = texts.map(\.name)
      let trees = texts.map { Parser.parse(source: String(decoding: $0.bytes, as: UTF8.self)) }
      modules = AppModules(trees, files: files)
      for (index, tree) in trees.enumerated() {
        let lines = SourceLocationConverter(fileName: files[index], tree: tree)
        add(tree.statements, file: index, lines)
      }
    }

    private mutating func add(
      _ statements: CodeBlockItemListSyntax,
      file: Int,
      _ lines: SourceLocationConverter
    ) {
      for statement in statements {
        guard case .decl(let declaration) = statement.item else { continue }
        if let condition = declaration.as(IfConfigDeclSyntax.self) {
          let clause = clause(of: condition, file: file, lines)
          if case .statements(let inner)? = clause?.elements { add(inner, file: file, lines) }
          continue
        }
        add(declaration, file: file, lines)
      }
    }

    private mutating func add(
      _ declaration: DeclSyntax,
      file: Int,
      _ lines: SourceLocationConverter
    ) {
      guard !declaration.is(ImportDeclSyntax.self) else { return }
      let group = declaration.asProtocol((any DeclGroupSyntax).self)
      let members = (group?.memberBlock.members).map { self.members(of: $0, file: file, lines) }
      let range = Self.lines(Syntax(declaration), lines)
      let inherited = (group?.inheritanceClause?.inheritedTypes ?? []).map { $0.type }
      for name in Self.names(of: declaration) {
        items.append(
          Item(
            file: file,
            name: name,
            declaration: declaration,
            isExtension: declaration.is(ExtensionDeclSyntax.self),
            isPrivate: Self.isPrivate(declaration),
            attributes: Self.attributes(of: declaration),
            inherited: inherited.map(\.trimmedDescription),
            names: group == nil
              ? uses(Syntax(declaration))
              : uses(group?.inheritanceClause.map(Syntax.init)),
            members: members ?? [],
            lines: range
          )
        )
        // A pattern of several names is one declaration.
        break
      }
    }

    /// Returns the clause of a `#if` that is compiled.
    ///
    /// A flag without a value counts as not set where there is an `#else`; else the first clause counts.
    private func clause(
      of condition: IfConfigDeclSyntax,
      file: Int,
      _ lines: SourceLocationConverter
    ) -> IfConfigClauseSyntax? {
      let reader = SourceReader(
        conditions: CompilationConditions(),
        lines: lines,
        file: SourceFile(name: files[file])
      )
      if let known = reader.clause(condition) { return known }
      return condition.clauses.last { $0.condition == nil } ?? condition.clauses.first
    }

    private func members(
      of list: MemberBlockItemListSyntax,
      file: Int,
      _ lines: SourceLocationConverter
    ) -> [Member] {
      list.flatMap { item -> [Member] in
        guard let condition = item.decl.as(IfConfigDeclSyntax.self) else {
          return [member(item.decl, lines)]
        }
        guard case .decls(let inner)? = clause(of: condition, file: file, lines)?.elements else {
          return []
        }
        return members(of: inner, file: file, lines)
      }
    }

    private func member(
      _ declaration: DeclSyntax,
      _ lines: SourceLocationConverter
    ) -> Member {
      Member(
        names: Self.isAlwaysThere(declaration) ? [] : Set(Self.names(of: declaration)),
        declaration: declaration,
        isPrivate: Self.isPrivate(declaration),
        uses: uses(Syntax(declaration)),
        lines: Self.lines(Syntax(declaration), lines)
      )
    }

    private static func attributes(of declaration: DeclSyntax) -> Set<String> {
      let list = declaration.asProtocol((any WithAttributesSyntax).self)?.attributes ?? []
      return Set(list.compactMap { $0.as(AttributeSyntax.self)?.attributeName.trimmedDescription })
    }

    private static func isPrivate(_ declaration: DeclSyntax) -> Bool {
      declaration.asProtocol((any WithModifiersSyntax).self)?.modifiers.contains {
        $0.detail == nil && ["private", "fileprivate"].contains($0.name.text)
      } ?? false
    }

    /// Returns whether a declaration overrides one of a superclass.
    static func isOverride(_ declaration: DeclSyntax) -> Bool {
      declaration.asProtocol((any WithModifiersSyntax).self)?.modifiers.contains {
        $0.name.text == "override"
      } ?? false
    }

    /// Returns whether a type cannot do without a member: a case, stored property, initializer or operator, or one
    /// of its superclass's, which may call it.
    private static func isAlwaysThere(_ declaration: DeclSyntax) -> Bool {
      if isOverride(declaration) { return true }
      if declaration.is(InitializerDeclSyntax.self) || declaration.is(EnumCaseDeclSyntax.self) {
        return true
      }
      // A call of one without a label does not show that it is meant.
      if names(of: declaration) == ["subscript(_)"] { return true }
      if let function = declaration.as(FunctionDeclSyntax.self) {
        if case .binaryOperator = function.name.tokenKind { return true }
        return false
      }
      guard let variable = declaration.as(VariableDeclSyntax.self) else { return false }
      return !variable.modifiers.contains { ["static", "class"].contains($0.name.text) }
        && variable.bindings.allSatisfy { $0.accessorBlock == nil }
    }

    /// Returns the names that a declaration introduces; that of the extended type for an extension.
    static func names(of declaration: DeclSyntax) -> [String] {
      switch declaration.as(DeclSyntaxEnum.self) {
      case .extensionDecl(let type):
        [type.extendedType.trimmedDescription.split(separator: ".").last.map(String.init) ?? ""]
      case .functionDecl(let function): [function.name.text]
      case .typeAliasDecl(let alias): [alias.name.text]
      case .variableDecl(let variable):
        variable.bindings.compactMap {
          $0.pattern.as(IdentifierPatternSyntax.self)?.identifier.text
        }
      case .subscriptDecl(let made):
        ["subscript(\(made.parameterClause.parameters.first?.firstName.text ?? "_"))"]
      default: (declaration.asProtocol((any NamedDeclSyntax).self)?.name.text).map { [$0] } ?? []
      }
    }

    /// Returns the name of an initializer, with the first label: `init(from)`; nil for all else.
    static func initializer(_ declaration: DeclSyntax) -> String? {
      guard let made = declaration.as(InitializerDeclSyntax.self) else { return nil }
      return "init(\(made.signature.parameterClause.parameters.first?.firstName.text ?? "_"))"
    }

    /// Returns the type of an initializer's first parameter; nil for all else.
    static func firstType(_ declaration: DeclSyntax) -> String? {
      declaration.as(InitializerDeclSyntax.self)?.signature.parameterClause.parameters.first
        .map { $0.type.trimmedDescription.filter { $0 != "?" } }
    }

    /// Returns the name of a method or an initializer with its labels, as `object(with:)`; nil for all else.
    static func signature(_ declaration: DeclSyntax) -> String? {
      let function = declaration.as(FunctionDeclSyntax.self)
      let made = declaration.as(InitializerDeclSyntax.self)
      guard let signature = function?.signature ?? made?.signature else { return nil }
      let labels = signature.parameterClause.parameters.map { $0.firstName.text + ":" }
      return "\(function?.name.text ?? "init")(\(labels.joined()))"
    }

    /// Returns the names that code uses: those behind a dot with it, labels and new names left out.
    ///
    /// A call has a second name with its first label, as `Data(hexString)`.
    private func uses(_ syntax: Syntax?) -> Set<String> {
      guard let syntax else { return [] }
      let locals = LocalNames.of(syntax)
      var names: Set<String> = []
      for token in syntax.tokens(viewMode: .sourceAccurate) {
        guard case .identifier(let name) = token.tokenKind, let parent = token.parent else {
          continue
        }
        switch parent.as(SyntaxEnum.self) {
        case .labeledExpr(let labeled)
        where labeled.parent?.parent?.is(SubscriptCallExprSyntax.self) == true:
          names.insert(".subscript(\(name))")
        case .labeledExpr, .functionParameter, .identifierPattern, .closureShorthandParameter:
          continue
        case .identifierType where modules.isQualifier(Syntax(parent)): continue
        case .memberType(let type) where !modules.isQualifier(Syntax(type.baseType)):
          names.formUnion([name, "." + name])
        case .declReferenceExpr(let reference):
          guard !Self.isReplaced(Syntax(reference)) else { continue }
          let access = reference.parent?.as(MemberAccessExprSyntax.self)
          if modules.isQualifier(Syntax(reference)) { continue }
          let isMember =
            access?.declName.id == reference.id
            && !modules.isQualifier(access?.base.map(Syntax.init))
            || reference.parent?.is(KeyPathPropertyComponentSyntax.self) == true
          // A variable of the code's own is none of another file's.
          guard isMember || !locals.contains(name) else { continue }
          names.insert(isMember ? "." + name : name)
          if let call = reference.parent?.as(FunctionCallExprSyntax.self),
            call.calledExpression.id == reference.id, let first = call.arguments.first
          {
            names.insert("\(name)(\(first.label?.text ?? "_"))")
          }
        default: names.insert(name)
        }
      }
      return names
    }

    /// Returns whether an expression is in `#keyPath` or `#selector`, which become texts, or names the class of
    /// a bundle.
    private static func isReplaced(_ syntax: Syntax) -> Bool {
      var child = syntax
      for _ in 0..<8 {
        guard let parent = child.parent else { return false }
        if let macro = parent.as(MacroExpansionExprSyntax.self) {
          return ["keyPath", "selector"].contains(macro.macroName.text)
        }
        if let call = parent.as(FunctionCallExprSyntax.self), isBundleOfClass(call) {
          return call.calledExpression.id != child.id
        }
        child = parent
      }
      return false
    }

    /// Returns whether a call makes the bundle of a class, by which an app finds its texts and models.
    static func isBundleOfClass(_ call: FunctionCallExprSyntax) -> Bool {
      call.calledExpression.trimmedDescription == "Bundle" && call.arguments.count == 1
        && call.arguments.first?.label?.text == "for"
    }

    private static func lines(
      _ syntax: Syntax,
      _ converter: SourceLocationConverter
    ) -> ClosedRange<Int> {
      let first = converter.location(for: syntax.positionAfterSkippingLeadingTrivia).line
      return
        first...max(first, converter.location(for: syntax.endPositionBeforeTrailingTrivia).line)
    }
  }

  extension PolicyScan {
    /// Returns whether an item's class descends from one of Core Data's, through the app's own classes.
    func descends(_ item: Item, from ancestors: Set<String>, depth: Int = 0) -> Bool {
      guard let parent = item.inherited.first, depth < 20 else { return false }
      if ancestors.contains(parent) { return true }
      return items.contains {
        $0.name == parent && !$0.isExtension
          && descends($0, from: ancestors, depth: depth + 1)
      }
    }

    /// The classes of policies.
    var policies: [Item] {
      items.filter {
        $0.declaration.is(ClassDeclSyntax.self) && descends($0, from: ["NSEntityMigrationPolicy"])
      }
    }
  }
#endif
