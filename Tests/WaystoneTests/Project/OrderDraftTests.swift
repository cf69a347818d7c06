import Testing
import Waystone

@Suite struct OrderDraftTests {
  private func draft(
    _ names: [String],
    current: String? = nil,
    _ commits: Set<Set<String>> = []
  ) -> OrderDraft {
    OrderDraft(of: names, current: current, inCommits: commits)
  }

  @Test func `numbers order the versions of one commit, whatever words stand before them`() {
    let names = ["Model", "Model_authors_v4", "Model_lang_v3", "Model_time_v2"]
    let draft = draft(names, current: "Model_authors_v4", [["Model"], Set(names)])
    #expect(
      draft.versions == ["Model", "Model_time_v2", "Model_lang_v3", "Model_authors_v4"]
    )
    #expect(draft.grounds == "By the commits that added them and the numbers in their names")
  }

  @Test func `a version that a commit has without the other is older`() {
    let draft = draft(["a", "b", "c"], [["b"], ["b", "c"], ["a", "b", "c"]])
    #expect(draft.versions == ["b", "c", "a"])
    #expect(draft.grounds == "By the commits that added them")
  }

  @Test func `numbers decide between versions of two branches`() {
    let names = ["v2.5", "v2.6.0", "v2.6.1", "v2.7.0"]
    let draft = draft(
      names.reversed(),
      [["v2.5"], ["v2.5", "v2.6.0"], ["v2.5", "v2.6.1"], Set(names.dropLast()), Set(names)]
    )
    #expect(draft.versions == names)
  }

  @Test func `a version that is in no commit is the newest`() {
    #expect(draft(["a", "b"], [["b"]]).versions == ["b", "a"])
  }

  @Test func `commits against numbers give no order`() {
    let draft = draft(
      ["App lang v3", "App time v2"],
      [["App lang v3"], ["App lang v3", "App time v2"]]
    )
    #expect(draft.versions == nil)
    #expect(draft.grounds.contains("commits added App lang v3 before App time v2"))
  }

  @Test(arguments: [
    ["Model", "Model_paid", "Model_v2"], ["App lang v2", "App time v2"], ["a", "b", "c"],
  ])
  func `where neither shows the order, none is drafted`(names: [String]) {
    let draft = draft(names, current: names.last, [Set(names)])
    #expect(draft.versions == nil)
    #expect(draft.grounds.contains("neither the commits"))
  }

  @Test func `versions named like the current one come last only as a guess`() {
    let draft = draft(["New 1", "New 2", "Old", "Old 2"], current: "New 2")
    #expect(draft.versions == ["Old", "Old 2", "New 1", "New 2"])
    #expect(draft.grounds.hasSuffix("if the versions named like the current one are the newest"))
  }
}
