#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// Lines over two logarithmic axes, as SVG that needs nothing else and is readable on a light and
/// on a dark page.
struct Chart {
  /// One line, with its name at its end.
  struct Line {
    var name: String
    /// The two measured quantities; both are above 0.
    var points: [(x: Double, y: Double)]
    /// The index of its color.
    var color: Int
    /// Whether it is a floor: what nobody can do without.
    var isDashed = false
  }

  let title: String
  let description: String
  let xLabel: String
  let yLabel: String
  let lines: [Line]

  private static let (width, height) = (860.0, 480.0)
  private static let (left, right, top, bottom) = (64.0, 610.0, 56.0, 424.0)
  private static let lightColors = [
    "#6b7280", "#111827", "#0a6e5c", "#0d9a80", "#1d4ed8", "#5b8def", "#b45309", "#a21caf",
    "#dc2626",
  ]
  private static let darkColors = [
    "#9ca3af", "#f3f4f6", "#34d3b0", "#7ce8d0", "#7aa5ff", "#a9c5ff", "#f5a94b", "#e58cf0",
    "#ff7b7b",
  ]

  /// The document.
  var svg: String {
    let (width, height) = (Int(Self.width), Int(Self.height))
    return """
      <svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 \(width) \(height)" role="img" \
      aria-labelledby="title desc">
      <title id="title">\(Self.escaped(title))</title>
      <desc id="desc">\(Self.escaped(description))</desc>
      <style>
      text { font: 12px system-ui, sans-serif; fill: #1f2937 }
      .title { font-size: 16px; font-weight: 600 }
      .grid { stroke: #d1d5db; stroke-width: 1 }
      path { fill: none; stroke-width: 2 }
      \(style(Self.lightColors))
      @media (prefers-color-scheme: dark) {
      text { fill: #e5e7eb }
      .grid { stroke: #374151 }
      \(style(Self.darkColors))
      }
      </style>
      <text class="title" x="\(Self.text(Self.left))" y="24">\(Self.escaped(title))</text>
      <text x="\(Self.text(Self.left))" y="44">\(Self.escaped(yLabel))</text>
      <text x="\(Self.text((Self.left + Self.right) / 2))" y="\(Self.text(Self.bottom + 40))" \
      text-anchor="middle">\(Self.escaped(xLabel))</text>
      \((grid + marks + labels).joined(separator: "\n"))
      </svg>

      """
  }

  private func style(_ colors: [String]) -> String {
    colors.enumerated().map { index, color in
      ".c\(index) { stroke: \(color) } .d\(index), .l\(index) { fill: \(color) }"
    }.joined(separator: "\n")
  }

  private var xs: [Double] { Set(lines.flatMap { $0.points.map(\.x) }).sorted() }
  private var ys: [Double] { lines.flatMap { $0.points.map(\.y) } }
  /// The powers of ten that hold all values.
  private var decades: ClosedRange<Int> {
    let low = Int(log10(ys.min() ?? 1).rounded(.down))
    let high = Int(log10(ys.max() ?? 1).rounded(.up))
    return low...max(high, low + 1)
  }

  private func place(x: Double) -> Double {
    guard let low = xs.first, let high = xs.last, low < high else { return Self.left }
    return Self.left + log(x / low) / log(high / low) * (Self.right - Self.left)
  }

  private func place(y: Double) -> Double {
    let share = (log10(y) - Double(decades.lowerBound)) / Double(decades.count - 1)
    return Self.bottom - share * (Self.bottom - Self.top)
  }

  private var grid: [String] {
    decades.flatMap { decade in
      let y = Self.text(place(y: pow(10, Double(decade))))
      return [
        #"<path class="grid" d="M\#(Self.text(Self.left)) \#(y)H\#(Self.text(Self.right))"/>"#,
        #"<text x="\#(Self.text(Self.left - 8))" y="\#(y)" dy="4" text-anchor="end">"#
          + "\(Self.power(decade))</text>",
      ]
    }
      + xs.map { x in
        #"<text x="\#(Self.text(place(x: x)))" y="\#(Self.text(Self.bottom + 18))" "#
          + #"text-anchor="middle">\#(Self.grouped(Int(x)))</text>"#
      }
  }

  private var marks: [String] {
    lines.flatMap { line in
      let places = line.points.map { (Self.text(place(x: $0.x)), Self.text(place(y: $0.y))) }
      let path = "M" + places.map { "\($0.0) \($0.1)" }.joined(separator: "L")
      let dashes = line.isDashed ? #" stroke-dasharray="5 4""# : ""
      return [#"<path class="c\#(line.color)" d="\#(path)"\#(dashes)/>"#]
        + places.map { #"<circle class="d\#(line.color)" cx="\#($0.0)" cy="\#($0.1)" r="3"/>"# }
    }
  }

  /// The names, at the ends of their lines and no two over each other.
  private var labels: [String] {
    let ends = lines.compactMap { line in line.points.last.map { (line, place(y: $0.y), $0) } }
      .sorted { $0.1 < $1.1 }
    var places = ends.map(\.1)
    for index in places.indices.dropFirst() {
      places[index] = max(places[index], places[index - 1] + 15)
    }
    let excess = max(0, (places.last ?? 0) - Self.bottom)
    return zip(ends, places).map { end, y in
      let name = "\(end.0.name)  \(ResultTable.text(end.2.y)) s"
      return #"<text class="l\#(end.0.color)" x="\#(Self.text(Self.right + 10))" "#
        + #"y="\#(Self.text(y - excess))" dy="4">\#(Self.escaped(name))</text>"#
    }
  }

  private static func power(_ decade: Int) -> String {
    decade < 0
      ? "0." + String(repeating: "0", count: -decade - 1) + "1"
      : "1"
        + String(repeating: "0", count: decade)
  }

  /// A number with spaces between thousands.
  static func grouped(_ number: Int) -> String {
    let digits = String(number)
    return digits.enumerated().map { index, digit in
      index > 0 && (digits.count - index) % 3 == 0 ? ",\(digit)" : "\(digit)"
    }.joined()
  }

  private static func text(_ value: Double) -> String { "\((value * 10).rounded() / 10)" }

  private static func escaped(_ text: String) -> String {
    text.map { character in
      switch character {
      case "&": "&amp;"
      case "<": "&lt;"
      default: String(character)
      }
    }.joined()
  }
}
