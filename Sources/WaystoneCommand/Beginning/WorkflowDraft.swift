internal import ArgumentParser
internal import ModelImport

/// A file of a CI system, which installs a release of Waystone and checks a project with it.
struct WorkflowDraft {
  /// The CI systems that `init` writes for.
  enum System: String, CaseIterable, ExpressibleByArgument, Sendable {
    case github
    case gitlab
    case none
  }

  /// The file in which GitLab looks for jobs.
  static let gitLabRoot = ".gitlab-ci.yml"

  /// The path of the file, from the project's folder.
  let path: String

  /// The text of the file.
  let text: String

  /// Returns the files of a system.
  ///
  /// - Parameter release: The address of the folder that has a release's archives and SHA256SUMS; where
  ///   it is `nil` the file has none, and its first step states that.
  static func drafts(for system: System, release: String?) -> [WorkflowDraft] {
    switch system {
    case .github: [github(release)]
    case .gitlab: [gitLab(release), gitLabInclude]
    case .none: []
    }
  }

  /// Returns a workflow of GitHub Actions.
  private static func github(_ release: String?) -> WorkflowDraft {
    let path = ".github/workflows/waystone.yml"
    return WorkflowDraft(
      path: path,
      text: #"""
        # Checks models, mappings and waystone.lock, and covers every version that was shipped.
        # Made by `waystone init`; change it as you like.
        name: Waystone

        on: [push, pull_request]

        permissions:
          contents: read
          # For the upload of findings to code scanning.
          security-events: write
          # For the summary as a comment.
          pull-requests: write

        env:
        \#(indented(settings(release), by: 2))

        jobs:
          models:
            runs-on: ubuntu-latest
            timeout-minutes: 15
            steps:
              - uses: actions/checkout@v4
                with:
                  submodules: true
                  # `models:` may name tags.
                  fetch-depth: 0

              - uses: actions/cache@v4
                with:
                  path: ${{ runner.temp }}/.waystone-release/*.tar.xz
                  key: waystone-${{ env.WAYSTONE_VERSION }}-${{ env.WAYSTONE_SHA256 }}

              - name: Install Waystone
                id: install
                run: |
        \#(indented(installation(path, temporary: "RUNNER_TEMP"), by: 10))
                  echo "$folder/$name/bin" >> "$GITHUB_PATH"

              - name: Check models, mappings and the lock
                run: |
                  mkdir -p waystone-results
                  waystone check --quiet --output waystone-results/check.sarif || true
                  waystone check --quiet --output waystone-results/check.xml || true
                  waystone check --format github

              - name: See that one version is next
                if: ${{ !cancelled() && steps.install.outcome == 'success' }}
                run: waystone heads

              - name: Cover every shipped version
                if: ${{ !cancelled() && steps.install.outcome == 'success' }}
                run: |
                  mkdir -p waystone-results
                  waystone coverage --quiet --output waystone-results/coverage.html || true
                  waystone coverage --quiet --output waystone-results/coverage.sarif || true
                  waystone coverage --output waystone-results/coverage.xml

              # One comment, which each run writes anew. The token of a fork may not write it.
              - name: Comment on the pull request
                if: ${{ !cancelled() && steps.install.outcome == 'success' && github.event_name == 'pull_request' }}
                continue-on-error: true
                env:
                  GH_TOKEN: ${{ github.token }}
                  PULL: ${{ github.event.number }}
                run: |
        \#(indented(comment, by: 10))

              - name: Keep the results
                if: ${{ !cancelled() && steps.install.outcome == 'success' }}
                uses: actions/upload-artifact@v4
                with:
                  name: waystone
                  path: waystone-results
                  if-no-files-found: ignore

              # Code scanning has to be enabled for the repository, and takes nothing from forks.
              - name: Show what the check found in code scanning
                if: ${{ !cancelled() && steps.install.outcome == 'success' }}
                continue-on-error: true
                uses: github/codeql-action/upload-sarif@v3
                with:
                  sarif_file: waystone-results/check.sarif
                  category: waystone-check

              - name: Show what the coverage found in code scanning
                if: ${{ !cancelled() && steps.install.outcome == 'success' }}
                continue-on-error: true
                uses: github/codeql-action/upload-sarif@v3
                with:
                  sarif_file: waystone-results/coverage.sarif
                  category: waystone-coverage

        """#
    )
  }

  /// The commands that write the summary as one comment of a pull request.
  private static let comment = #"""
    mark="<!-- waystone -->"
    { echo "$mark"; waystone check --format markdown; } > waystone-results/comment.md || true
    waystone coverage --format markdown >> waystone-results/comment.md || true
    all="repos/$GITHUB_REPOSITORY/issues/$PULL/comments"
    mine="[.[] | select(.body | startswith(\"$mark\"))][0].id // empty"
    last=$(gh api --paginate "$all" --jq "$mine" | head -n 1)
    if [ -n "$last" ]; then
      gh api --method PATCH "repos/$GITHUB_REPOSITORY/issues/comments/$last" --field body=@waystone-results/comment.md
    else
      gh api --method POST "$all" --field body=@waystone-results/comment.md
    fi
    """#

  /// Returns a job of GitLab, for `.gitlab-ci.yml` to include.
  private static func gitLab(_ release: String?) -> WorkflowDraft {
    let path = ".gitlab/waystone.yml"
    return WorkflowDraft(
      path: path,
      text: #"""
        # Checks models, mappings and waystone.lock, and covers every version that was shipped.
        # Made by `waystone init`; change it as you like. .gitlab-ci.yml includes it.
        waystone:
          # Debian with curl, git and xz.
          image: buildpack-deps:bookworm-scm
          timeout: 15 minutes
          variables:
            # `models:` may name tags.
            GIT_DEPTH: "0"
        \#(indented(settings(release), by: 4))
          cache:
            key: waystone-$WAYSTONE_VERSION
            paths: [.waystone-release/*.tar.xz]
          before_script:
            - |
        \#(indented(installation(path, temporary: "CI_PROJECT_DIR"), by: 6))
              export PATH="$folder/$name/bin:$PATH"
          script:
            - |
              mkdir -p waystone-results
              waystone check --quiet --output waystone-results/check.xml || true
              waystone check --quiet --output waystone-results/check.sarif || true
              waystone coverage --quiet --output waystone-results/coverage.html || true
              waystone coverage --quiet --output waystone-results/coverage.sarif || true
              failed=
              waystone check || failed=1
              waystone heads || failed=1
              waystone coverage --output waystone-results/coverage.xml || failed=1
              test -z "$failed"
          artifacts:
            when: always
            # Merge requests have a link to the page, and what failed.
            expose_as: Waystone
            paths: [waystone-results/]
            reports:
              junit: waystone-results/*.xml

        """#
    )
  }

  private static let gitLabInclude = WorkflowDraft(
    path: gitLabRoot,
    text: """
      include:
        - local: /.gitlab/waystone.yml

      """
  )

  /// Returns the variables that name the installed release, in one place.
  private static func settings(_ release: String?) -> String {
    #"""
    # The release, and the SHA-256 of waystone-VERSION-linux-x86_64.tar.xz, from the release's SHA256SUMS.
    # While that is empty, SHA256SUMS beside the archive decides.
    WAYSTONE_VERSION: "\#(WaystoneProgram.version)"
    WAYSTONE_SHA256: ""
    # The folder that has both files: any server that curl reaches.\#(
      release == nil ? " TODO: name yours." : ""
    )
    WAYSTONE_URL: \#((release ?? "").yamlScalar)
    """#
  }

  /// Returns the commands that install the release, which leave its folder in `$folder/$name`.
  private static func installation(_ path: String, temporary: String) -> String {
    #"""
    if [ -z "$WAYSTONE_URL" ]; then
      echo "\#(path): set WAYSTONE_URL to the folder that has the release of Waystone."
      exit 1
    fi
    folder="${\#(temporary):-/tmp}/.waystone-release"
    name="waystone-$WAYSTONE_VERSION-linux-x86_64"
    mkdir -p "$folder"
    # An archive that the cache has is not downloaded again; the digests always are.
    for file in SHA256SUMS "$name.tar.xz"; do
      [ "$file" != SHA256SUMS ] && [ -f "$folder/$file" ] \
        || curl -fsSL --retry 3 --output "$folder/$file" "$WAYSTONE_URL/$file"
    done
    grep " $name.tar.xz\$" "$folder/SHA256SUMS" > "$folder/expected"
    if [ -n "$WAYSTONE_SHA256" ]; then
      echo "$WAYSTONE_SHA256  $name.tar.xz" > "$folder/expected"
    fi
    (cd "$folder" && sha256sum --check --strict expected)
    tar -xf "$folder/$name.tar.xz" -C "$folder"
    """#
  }

  private static func indented(_ text: String, by columns: Int) -> String {
    let margin = String(repeating: " ", count: columns)
    return text.split(separator: "\n", omittingEmptySubsequences: false)
      .map { $0.isEmpty ? "" : margin + $0 }.joined(separator: "\n")
  }
}
