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
    ["ModelV21", "ModelV 22", "ModelV_23", "ModelV24"], ["2_5_5", "2_5_5a", "2_5_5b", "2_5_6"],
  ])
  func `names that only numbers tell apart have an order`(names: [String]) throws {
    #expect(try findings(names).isEmpty)
  }

  @Test(arguments: [
    (["Model", "Model 2", "Model 3", "Model 5"], ["note Model 5"]),
    (["v1", "v2", "v3", "v10"], ["note v10"]), (["v1", "v2", "final"], ["warning v1"]),
    (["App lang v3", "App time v2"], ["error App time v2"]),
    (["App 1 b2", "App 2 b1"], []),
    (["Model", "Other"], ["warning Other"]), (["A 2", "A 3", "B 1"], ["warning B 1"]),
  ])
  func `skipped numbers are noted, and other names are in doubt`(
    names: [String],
    expected: [String]
  ) throws {
    #expect(try findings(names) == expected)
  }

  /// The findings on versions of these names, of which one is current.
  private func findings(_ names: [String], current: String) throws -> [String] {
    let model = try ManagedObjectModel(entities: [])
    let versions = names.map {
      ModelVersion(modelName: "M", name: $0, model: model, isCurrent: $0 == current)
    }
    return VersionedModel(name: "M", versions: versions).orderFindings.map {
      "\($0.severity.rawValue) \($0.place.version ?? "")"
    }
  }

  @Test(arguments: [
    (
      ["New App v2.6", "New App v2.7", "Old App 5", "Old App 6"], "New App v2.7",
      ["error Old App 5"]
    ),
    (["A 1", "B 1", "B 2"], "B 2", ["warning B 1"]), (["v1", "v2", "v3"], "v2", []),
    (["v1", "v2"], "v1", []), (["v1", "v2", "v3"], "v1", ["warning v1"]),
    (["v1", "v2", "v3", "v4", "v5", "v6"], "v2", ["warning v2"]),
  ])
  func `versions that stand after the current one by the alphabet contradict the order`(
    names: [String],
    current: String,
    expected: [String]
  ) throws {
    #expect(try findings(names, current: current) == expected)
  }
}
