internal import ArgumentParser
internal import Files
internal import MigrationReporting
internal import Waystone

/// The command `waystone completions`.
struct CompletionsCommand: Verb {
  static let configuration = CommandConfiguration(
    commandName: "completions",
    abstract: "Print or install the completions of a shell, and the manual page.",
    discussion: """
      `--install` writes the completions and the manual page where the shell and `man` look for them \
      in your own folder, and says where that is.

        waystone completions zsh --install
        waystone completions bash > /etc/bash_completion.d/waystone
      """
  )

  /// The shells that completions are made for.
  enum Shell: String, ExpressibleByArgument, CaseIterable, Sendable {
    case bash
    case zsh
    case fish
  }

  @Argument(help: "The shell.")
  var shell: Shell

  @Flag(help: "Write them below the home folder, with the manual page.")
  var install = false

  @OptionGroup var common: CommonOptions

  func perform(in session: Session) throws -> CommandStatus {
    let script = RootCommand.completionScript(for: parserShell)
    guard install else {
      try session.print(script, evenIfQuiet: true)
      return .success
    }
    guard let home = session.console.environment["HOME"], home.hasPrefix("/") else {
      throw WaystoneError(
        .badArgument,
        "HOME names no folder to install into.",
        recovery: "Set HOME, or redirect what is printed without --install."
      )
    }
    for (path, text) in [(place, script), (Self.manual, ManualPage.text)] {
      let file = "\(home)/\(path)"
      try FileSystem.ensureFolders(FileSystem.folder(of: file))
      try session.write(text, to: file)
      try session.print("\(file) is written.\n")
    }
    return .success
  }

  private var parserShell: CompletionShell {
    switch shell {
    case .bash: .bash
    case .zsh: .zsh
    case .fish: .fish
    }
  }

  /// The place where a shell searches completions, from the home folder.
  private var place: String {
    switch shell {
    case .bash: ".local/share/bash-completion/completions/waystone"
    case .zsh: ".local/share/zsh/site-functions/_waystone"
    case .fish: ".config/fish/completions/waystone.fish"
    }
  }

  private static let manual = ".local/share/man/man1/waystone.1"
}
