/// A style of text on a terminal: one of the 16 colors of the terminal's theme, or of the 256 fixed ones.
///
/// Bright white, bright black and white are omitted: each is invisible on a common background.
package enum TextStyle: Hashable, Sendable {
    case plain
    case red, green, yellow, blue, magenta, cyan
    case bold, boldRed, boldGreen, boldBlue, boldMagenta, boldCyan
    case color(UInt8), boldColor(UInt8)

    /// Returns the text between the sequences of the style.
    package func applied(to text: String) -> String {
        self == .plain || text.isEmpty ? text : "\(start)\(text)\(Self.end)"
    }

    /// The sequence that starts the style (SGR, ECMA-48 §8.3.117).
    var start: String {
        switch self {
        case .color(let index): "\u{1B}[38;5;\(index)m"
        case .boldColor(let index): "\u{1B}[1;38;5;\(index)m"
        default: "\(fixedSequence)"
        }
    }

    /// The sequence of the 16 colors; empty for others.
    fileprivate var fixedSequence: StaticString {
        switch self {
        case .plain, .color, .boldColor: ""
        case .red: "\u{1B}[31m"
        case .green: "\u{1B}[32m"
        case .yellow: "\u{1B}[33m"
        case .blue: "\u{1B}[34m"
        case .magenta: "\u{1B}[35m"
        case .cyan: "\u{1B}[36m"
        case .bold: "\u{1B}[1m"
        case .boldRed: "\u{1B}[1;31m"
        case .boldGreen: "\u{1B}[1;32m"
        case .boldBlue: "\u{1B}[1;34m"
        case .boldMagenta: "\u{1B}[1;35m"
        case .boldCyan: "\u{1B}[1;36m"
        }
    }

    /// Whether the style is the terminal's default.
    @inline(__always)
    fileprivate var isPlain: Bool { if case .plain = self { true } else { false } }

    /// The sequence that ends every style but the plain one.
    static var end: StaticString { "\u{1B}[0m" }
}

extension OutputBuffer {
    @inline(__always)
    package mutating func begin(_ style: TextStyle) {
        switch style {
        case .plain: break
        case .color(let index): append(color: index, behind: "\u{1B}[38;5;")
        case .boldColor(let index): append(color: index, behind: "\u{1B}[1;38;5;")
        default: append(style.fixedSequence)
        }
    }

    @inline(__always)
    package mutating func end(_ style: TextStyle) {
        if !style.isPlain { append(TextStyle.end) }
    }

    private mutating func append(color index: UInt8, behind start: StaticString) {
        append(start)
        if index >= 100 { append(UInt8(ascii: "0") + index / 100) }
        if index >= 10 { append(UInt8(ascii: "0") + index / 10 % 10) }
        append(UInt8(ascii: "0") + index % 10)
        append(UInt8(ascii: "m"))
    }
}
