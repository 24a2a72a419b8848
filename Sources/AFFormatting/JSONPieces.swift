/// The fixed texts of formatted JSON, with the colors around them.
///
/// An object, so that copies of a formatter share it.
final class JSONPieces: Sendable {
    static let spaced = JSONPieces(nil, separatesMembers: true)
    static let unspaced = JSONPieces(nil, separatesMembers: false)

    /// A comma or bracket, which belongs at the index.
    let punctuation: OutputPiece
    let punctuationIndex: Int
    let colon: OutputPiece
    let startOfKey: OutputPiece
    let endOfKey: OutputPiece
    let startOfString: OutputPiece
    let endOfString: OutputPiece
    let startOfNumber: OutputPiece
    let endOfNumber: OutputPiece
    let `true`: OutputPiece
    let `false`: OutputPiece
    let null: OutputPiece

    /// Creates the texts.
    ///
    /// - Parameter separatesMembers: Whether a space follows a colon.
    init(_ palette: Palette?, separatesMembers: Bool) {
        func start(_ style: TextStyle?) -> String { style?.start ?? "" }
        func end(_ style: TextStyle?) -> String { style == nil || style == .plain ? "" : "\(TextStyle.end)" }
        func piece(_ text: String, _ style: TextStyle?) -> OutputPiece {
            OutputPiece(start(style) + text + end(style))
        }
        punctuation = piece(",", palette?.punctuation)
        punctuationIndex = start(palette?.punctuation).utf8.count
        colon = OutputPiece(
            start(palette?.punctuation) + ":" + end(palette?.punctuation) + (separatesMembers ? " " : ""))
        startOfKey = OutputPiece(start(palette?.key) + "\"")
        endOfKey = OutputPiece("\"" + end(palette?.key))
        startOfString = OutputPiece(start(palette?.string) + "\"")
        endOfString = OutputPiece("\"" + end(palette?.string))
        startOfNumber = OutputPiece(start(palette?.number))
        endOfNumber = OutputPiece(end(palette?.number))
        `true` = piece("true", palette?.boolean)
        `false` = piece("false", palette?.boolean)
        null = piece("null", palette?.null)
    }
}
