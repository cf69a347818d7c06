#if SwiftData
  import SwiftSyntax

  extension PolicyWriter {
    func files() -> [PolicySelection.File] {
      scan.files.indices.compactMap { file in
        let pieces = scan.items.indices.compactMap { index -> PolicySelection.Piece? in
          let item = scan.items[index]
          guard item.file == file, let users = needs[Place(item: index, member: nil)] else {
            return nil
          }
          return piece(item, index, users)
        }
        return pieces.isEmpty
          ? nil : PolicySelection.File(name: scan.files[file], pieces: pieces)
      }
    }

    private func piece(
      _ item: PolicyScan.Item,
      _ index: Int,
      _ users: Set<String>
    ) -> PolicySelection.Piece {
      let rewriter = PolicyRewriter(
        isCalled: scan.descends(item, from: Self.ancestors),
        modules: scan.modules,
        keepsAccess: item.isExtension && !item.inherited.isEmpty
          && (item.inherited + [item.name]).allSatisfy { itemsByName[$0] == nil }
      )
      let place = directive(item, item.lines.lowerBound)
      var piece = PolicySelection.Piece(
        name: item.name,
        isExtension: item.isExtension,
        lines: item.lines,
        policies: users,
        head: place + rewritten(item.declaration, rewriter) + "\n"
      )
      guard var group = item.declaration.asProtocol((any DeclGroupSyntax).self) else {
        return piece
      }
      group.memberBlock.members = []
      // With a part of its members it need not conform to anything.
      if item.isExtension, Self.everyday.contains(item.name) {
        group.inheritanceClause = nil
        if let clause = item.declaration.as(ExtensionDeclSyntax.self)?.genericWhereClause,
          var extended = group as? ExtensionDeclSyntax
        {
          extended.genericWhereClause = clause.with(\.leadingTrivia, .space)
          group = extended
        }
      }
      if isManaged[index] { group.inheritanceClause = Self.first(of: group.inheritanceClause) }
      // The text before the brace may end with a comment.
      group.memberBlock.leftBrace = .leftBraceToken(leadingTrivia: .newline)
      group.memberBlock.rightBrace = .rightBraceToken()
      var head = rewritten(DeclSyntax(fromProtocol: group), rewriter)
      if head.hasSuffix("}") { head.removeLast() }
      piece.head = place + head + "\n"
      piece.members = members(of: index, rewriter) { item.isExtension && isOverride($0, index) }
      if item.declaration.is(ClassDeclSyntax.self) {
        // On Linux an extension overrides nothing.
        for other in extensionsByName[item.name] ?? [] {
          piece.members += members(of: other, rewriter) { !isOverride($0, other) }
        }
      }
      if isPolicy[index], !item.isExtension {
        piece.tail = "#sourceLocation()\n" + answer(item) + "\n"
      }
      piece.tail += "}\n"
      return piece
    }

    /// Returns whether a member of an extension overrides one of the superclass of a class of the app.
    private func isOverride(_ member: PolicyScan.Member, _ index: Int) -> Bool {
      let item = scan.items[index]
      return item.isExtension && PolicyScan.isOverride(member.declaration)
        && (itemsByName[item.name] ?? []).contains {
          scan.items[$0].declaration.is(ClassDeclSyntax.self)
        }
    }

    /// Returns the needed members of an item, but for those that are left out.
    private func members(
      of index: Int,
      _ rewriter: PolicyRewriter,
      without isLeftOut: (PolicyScan.Member) -> Bool
    ) -> [PolicySelection.Piece] {
      let item = scan.items[index]
      return item.members.indices.compactMap { number in
        let member = item.members[number]
        guard let users = needs[Place(item: index, member: number)], !isLeftOut(member) else {
          return nil
        }
        return PolicySelection.Piece(
          name: member.names.first ?? "",
          lines: member.lines,
          policies: users,
          head: directive(item, member.lines.lowerBound)
            + rewritten(member.declaration, rewriter) + "\n"
        )
      }
    }

    /// Returns the superclass alone.
    private static func first(of clause: InheritanceClauseSyntax?) -> InheritanceClauseSyntax? {
      guard let clause, let first = clause.inheritedTypes.first else { return clause }
      return clause.with(
        \.inheritedTypes,
        InheritedTypeListSyntax([first.with(\.trailingComma, nil)])
      )
    }

    private func directive(_ item: PolicyScan.Item, _ line: Int) -> String {
      let name = PolicySelection.shown(scan.files[item.file])
      return "#sourceLocation(file: \"\(name)\", line: \(line))\n"
    }

    private func rewritten(_ declaration: DeclSyntax, _ rewriter: PolicyRewriter) -> String {
      rewriter.rewrite(Syntax(declaration.trimmed)).trimmedDescription
    }

    private static func has(_ name: String, _ attributes: AttributeListSyntax?) -> Bool {
      attributes?.contains { element in
        guard case .attribute(let attribute) = element else { return false }
        return attribute.attributeName.trimmedDescription == name
      } ?? false
    }

    /// Returns the method that answers the selectors of a policy's methods.
    private func answer(_ policy: PolicyScan.Item) -> String {
      var cases: [String] = []
      let isWhole = Self.has("objcMembers", policy.declaration.as(ClassDeclSyntax.self)?.attributes)
      let extended = (extensionsByName[policy.name] ?? []).flatMap { scan.items[$0].members }
      for member in policy.members + extended {
        guard let function = member.declaration.as(FunctionDeclSyntax.self),
          isWhole || Self.has("objc", function.attributes),
          !function.modifiers.contains(where: {
            ["override", "static", "class"].contains($0.name.text)
          })
        else { continue }
        let parameters = Array(function.signature.parameterClause.parameters)
        let selectors = SelectorNames.all(function, parameters.map(\.firstName.text))
        let arguments = parameters.enumerated().map { index, parameter in
          let label = parameter.firstName.text
          return (label == "_" ? "" : "\(label): ") + "try argument(arguments, \(index))"
        }
        let call = "self.\(function.name.text)(\(arguments.joined(separator: ", ")))"
        let throwing = function.signature.effectSpecifiers?.throwsClause == nil ? "" : "try "
        let list = selectors.map { "\"\($0)\"" }.joined(separator: ", ")
        let isVoid = function.signature.returnClause == nil
        cases.append(
          isVoid
            ? "case \(list): \(throwing)\(call); return nil"
            : "case \(list): return \(throwing)\(call)"
        )
      }
      guard !cases.isEmpty else { return "" }
      return """
        public override func answer(_ selector: String, _ arguments: [Any?]) throws -> Any? {
        switch selector {
        \(cases.joined(separator: "\n"))
        default: return try super.answer(selector, arguments)
        }
        }
        """
    }
  }

  /// The names by which Objective-C calls methods of Swift.
  enum SelectorNames {
    /// Returns the selectors that a method may have: the one in `@objc(…)`, or with and without the word
    /// that Swift puts before the first label.
    static func all(_ function: FunctionDeclSyntax, _ labels: [String]) -> [String] {
      for case .attribute(let attribute) in function.attributes
      where attribute.attributeName.trimmedDescription == "objc" {
        if let name = attribute.arguments?.trimmedDescription { return [name] }
      }
      return all(function.name.text, labels)
    }

    /// Returns the selectors that a method of a name and labels may have.
    static func all(_ name: String, _ labels: [String]) -> [String] {
      guard let first = labels.first else { return [name] }
      let rest = labels.dropFirst().map { ($0 == "_" ? "" : $0) + ":" }.joined()
      guard first != "_" else { return ["\(name):\(rest)"] }
      let capital = first.prefix(1).uppercased() + first.dropFirst()
      return ["\(name)\(capital):\(rest)", "\(name)With\(capital):\(rest)"]
    }
  }
#endif
