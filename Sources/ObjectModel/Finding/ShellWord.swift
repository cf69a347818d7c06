extension String {
  /// The text as one word of a shell's command line, for advice that can be pasted: in quotes where it
  /// has spaces or signs of the shell's.
  package var shellWord: String {
    let plain = unicodeScalars.allSatisfy { scalar in
      switch scalar {
      case "a"..."z", "A"..."Z", "0"..."9", "_", "-", ".", "/", "@", "+", ",", ":", "%", "=": true
      default: scalar.value > 0x7f
      }
    }
    return plain && !isEmpty ? self : "'\(replacing("'", with: "'\\''"))'"
  }
}
