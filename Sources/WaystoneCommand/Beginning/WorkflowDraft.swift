/// A workflow of GitHub Actions that checks a project with Waystone.
enum WorkflowDraft {
  /// Where the file goes, from the project's folder.
  static let path = ".github/workflows/waystone.yml"

  /// The text of the file.
  static let text = #"""
    # Checks models, mappings and waystone.lock, and covers every version that was shipped.
    # Made by `waystone init`; change it as you like.
    name: Waystone

    on:
      push:
        branches: [main]
      pull_request:

    permissions:
      contents: read

    jobs:
      models:
        runs-on: ubuntu-latest
        container: swift:6.2
        env:
          # Where Waystone's sources are: a variable of the repository, see Settings, "Secrets and
          # variables", "Actions".
          WAYSTONE_REPOSITORY: ${{ vars.WAYSTONE_REPOSITORY }}
          WAYSTONE_TAG: "\#(WaystoneProgram.version)"
        steps:
          - uses: actions/checkout@v4

          - name: Install what Waystone is built with
            run: |
              apt-get update
              apt-get install --yes --no-install-recommends git pkg-config \
                libsqlite3-dev libxml2-dev zlib1g-dev

          - name: Keep the program from run to run
            id: program
            uses: actions/cache@v4
            with:
              path: /opt/waystone
              key: waystone-${{ env.WAYSTONE_TAG }}-swift-6.2

          - name: Build Waystone
            if: steps.program.outputs.cache-hit != 'true'
            run: |
              test -n "$WAYSTONE_REPOSITORY" || { echo "Set the variable WAYSTONE_REPOSITORY."; exit 1; }
              git clone --depth 1 --branch "$WAYSTONE_TAG" "$WAYSTONE_REPOSITORY" /tmp/waystone
              swift build --package-path /tmp/waystone --configuration release --product waystone
              install -D /tmp/waystone/.build/release/waystone /opt/waystone/waystone

          - name: Make it known
            run: echo /opt/waystone >> "$GITHUB_PATH"

          - name: Check models, mappings and the lock
            run: waystone check --format github

          - name: See that one version is next
            run: waystone heads

          - name: Cover every shipped version
            if: success() || failure()
            run: |
              mkdir -p waystone-results
              waystone coverage --format junit --output waystone-results/coverage.xml

          - name: Keep the results
            if: success() || failure()
            uses: actions/upload-artifact@v4
            with:
              name: waystone
              path: waystone-results
              if-no-files-found: ignore

    """#
}
