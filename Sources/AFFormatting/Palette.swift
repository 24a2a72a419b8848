/// The styles for each kind of text.
package struct Palette: Hashable, Sendable {
    // Bodies
    package var key = TextStyle.boldBlue
    package var string = TextStyle.green
    package var number = TextStyle.cyan
    package var boolean = TextStyle.magenta
    package var null = TextStyle.magenta
    package var punctuation = TextStyle.plain
    package var tag = TextStyle.boldBlue
    package var attribute = TextStyle.cyan
    /// The style of comments, declarations and instructions of XML and HTML.
    package var comment = TextStyle.magenta

    // Headers
    package var method = TextStyle.boldGreen
    package var target = TextStyle.cyan
    package var version = TextStyle.blue
    package var fieldName = TextStyle.blue
    package var fieldValue = TextStyle.plain

    // Statuses: 1xx and undefined ones, then 2xx to 5xx
    package var interim = TextStyle.magenta
    package var success = TextStyle.boldGreen
    package var redirect = TextStyle.boldCyan
    package var clientError = TextStyle.red
    package var serverError = TextStyle.boldRed

    // Messages
    package var error = TextStyle.boldRed
    package var warning = TextStyle.boldMagenta

    // Timings
    package var label = TextStyle.bold
    package var lookup = TextStyle.yellow
    package var connect = TextStyle.blue
    package var tls = TextStyle.magenta
    package var waiting = TextStyle.cyan
    package var transfer = TextStyle.green

    /// The default palette.
    package static let standard = Palette()

    /// Returns the style of a status: success, redirect, client error or server error.
    package func status(_ code: Int) -> TextStyle {
        switch code {
        case 200..<300: success
        case 300..<400: redirect
        case 400..<500: clientError
        case 500..<600: serverError
        default: interim
        }
    }
}
