/// Which style each kind of text has.
struct Palette: Hashable, Sendable {
    // Bodies.
    var key = TextStyle.boldBlue
    var string = TextStyle.green
    var number = TextStyle.cyan
    var boolean = TextStyle.magenta
    var null = TextStyle.magenta
    var punctuation = TextStyle.plain

    // Heads.
    var method = TextStyle.boldGreen
    var target = TextStyle.cyan
    var version = TextStyle.blue
    var fieldName = TextStyle.blue
    var fieldValue = TextStyle.plain

    // Timings.
    var label = TextStyle.bold
    var lookup = TextStyle.yellow
    var connect = TextStyle.blue
    var tls = TextStyle.magenta
    var waiting = TextStyle.cyan
    var transfer = TextStyle.green

    /// The palette unless another is asked for.
    static let standard = Palette()

    /// The style of a status: success green, redirect cyan, the client's fault red, the server's bold red.
    func status(_ code: Int) -> TextStyle {
        switch code {
        case 200..<300: .boldGreen
        case 300..<400: .boldCyan
        case 400..<500: .red
        case 500..<600: .boldRed
        default: .magenta
        }
    }
}
