/// A workflow of GitHub Actions that checks a project with Waystone.
enum WorkflowDraft {
  /// The path of the file, from the project's folder.
  static let path = ".github/workflows/waystone.yml"

  /// The text of the file.
  static let text = #"""
    # Checks models, mappings and waystone.lock, and covers every version that was shipped.
    # Made by `waystone init`; change it as you like.
    name: Waystone

    on: [push, pull_request]

    permissions:
      contents: read

    jobs:
      models:
        runs-on: ubuntu-latest
        container: swift:6.2
        env:
          # A checkout of Waystone in this repository, such as a submodule; the models in it are passed
          # over. It is not needed where the machine has `waystone` in its PATH.
          WAYSTONE_SOURCES: Tools/waystone
        steps:
          - uses: actions/checkout@v4
            with:
              submodules: true
              # `models:` may name tags.
              fetch-depth: 0

          - name: Find or build Waystone
            run: |
              command -v waystone && exit 0
              test -f "$WAYSTONE_SOURCES/Package.swift" || {
                echo "There is no waystone in PATH, and no checkout of it in $WAYSTONE_SOURCES."
                exit 1
              }
              "$WAYSTONE_SOURCES/Scripts/prepare"
              swift build --package-path "$WAYSTONE_SOURCES" --configuration release --product waystone
              echo "$PWD/$WAYSTONE_SOURCES/.build/release" >> "$GITHUB_PATH"

          - name: Check models, mappings and the lock
            run: |
              mkdir -p waystone-results
              waystone check --quiet --output waystone-results/check.sarif || true
              waystone check --format github

          - name: See that one version is next
            if: success() || failure()
            run: waystone heads

          - name: Cover every shipped version
            if: success() || failure()
            run: |
              mkdir -p waystone-results
              waystone coverage --quiet --output waystone-results/coverage.html || true
              waystone coverage --quiet --output waystone-results/coverage.sarif || true
              waystone coverage --output waystone-results/coverage.xml

          - name: Keep the results
            if: success() || failure()
            uses: actions/upload-artifact@v4
            with:
              name: waystone
              path: waystone-results
              if-no-files-found: ignore

    """#
}
