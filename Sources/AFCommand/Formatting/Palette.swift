/// The styles for each kind of text.
struct Palette: Hashable, Sendable {
    // Bodies
    var key = TextStyle.boldBlue
    var string = TextStyle.green
    var number = TextStyle.cyan
    var boolean = TextStyle.magenta
    var null = TextStyle.magenta
    var punctuation = TextStyle.plain
    var tag = TextStyle.boldBlue
    var attribute = TextStyle.cyan
    /// The style of comments, declarations and instructions of XML and HTML.
    var comment = TextStyle.magenta

    // Headers
    var method = TextStyle.boldGreen
    var target = TextStyle.cyan
    var version = TextStyle.blue
    var fieldName = TextStyle.blue
    var fieldValue = TextStyle.plain

    // Statuses: 1xx and undefined ones, then 2xx to 5xx
    var interim = TextStyle.magenta
    var success = TextStyle.boldGreen
    var redirect = TextStyle.boldCyan
    var clientError = TextStyle.red
    var serverError = TextStyle.boldRed

    // Timings
    var label = TextStyle.bold
    var lookup = TextStyle.yellow
    var connect = TextStyle.blue
    var tls = TextStyle.magenta
    var waiting = TextStyle.cyan
    var transfer = TextStyle.green

    /// The default palette.
    static let standard = Palette()

    /// Returns the style of a status: success, redirect, client error or server error.
    func status(_ code: Int) -> TextStyle {
        switch code {
        case 200..<300: success
        case 300..<400: redirect
        case 400..<500: clientError
        case 500..<600: serverError
        default: interim
        }
    }
}
