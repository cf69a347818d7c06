import ObjectModel
import Testing

@Suite struct OrderFindingTests {
  /// The findings on versions of these names, as `note v4`.
  private func findings(_ names: [String]) throws -> [String] {
    let model = try ManagedObjectModel(entities: [])
    let versions = names.map { ModelVersion(modelName: "M", name: $0, model: model) }
    return VersionedModel(name: "M", versions: versions).orderFindings.map { finding in
      #expect(finding.code == .doubtfulOrder)
      return "\(finding.severity.rawValue) \(finding.place.version ?? "")"
    }
  }

  @Test(arguments: [
    [], ["Model"], ["Model", "Model 2", "Model 3"], ["v1", "v2", "v3"],
    ["zmessaging", "zmessaging2.1", "zmessaging2.2", "zmessaging2.2.1", "zmessaging3.0"],
    ["1", "2", "3"], ["M_1_9", "M_1_10"], ["20190101", "20200101", "20210101"],
  ])
  func `names that only numbers tell apart have an order`(names: [String]) throws {
    #expect(try findings(names).isEmpty)
  }

  @Test(arguments: [
    (["Model", "Model 2", "Model 3", "Model 5"], ["note Model 5"]),
    (["v1", "v2", "v3", "v10"], ["note v10"]), (["v1", "v2", "final"], ["warning v1"]),
    (["Model", "Other"], ["warning Other"]), (["A 2", "A 3", "B 1"], ["warning B 1"]),
  ])
  func `skipped numbers are noted, and other names are in doubt`(
    names: [String],
    expected: [String]
  ) throws {
    #expect(try findings(names) == expected)
  }
}
