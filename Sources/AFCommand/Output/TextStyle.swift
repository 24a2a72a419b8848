/// How a piece of text stands out on a terminal: the 16 colours that every terminal's own theme defines.
///
/// Bright white, bright black and plain white are missing on purpose: on one of the usual backgrounds each vanishes.
enum TextStyle: Hashable, Sendable {
    case plain
    case red, green, yellow, blue, magenta, cyan
    case bold, boldRed, boldGreen, boldBlue, boldMagenta, boldCyan

    /// The sequence that begins the style (SGR, ECMA-48 §8.3.117).
    var sequence: StaticString {
        switch self {
        case .plain: ""
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

    /// The text between the sequences of the style.
    func applied(to text: String) -> String {
        self == .plain || text.isEmpty ? text : "\(sequence)\(text)\(Self.end)"
    }

    /// The sequence that ends every style.
    fileprivate static var end: StaticString { "\u{1B}[0m" }
}

extension OutputBuffer {
    @inline(__always)
    mutating func begin(_ style: TextStyle) {
        if style != .plain { append(style.sequence) }
    }

    @inline(__always)
    mutating func end(_ style: TextStyle) {
        if style != .plain { append(TextStyle.end) }
    }
}
