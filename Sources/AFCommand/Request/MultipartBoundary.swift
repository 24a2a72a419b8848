internal import AFHTTP

/// What separates the parts of a multipart body (RFC 2046 §5.1.1).
enum MultipartBoundary {
    /// What to do about a part that contains the boundary.
    static let conflictHint = "choose another boundary, or leave it out: a random one occurs in no part"

    /// Long enough that no body holds it by chance.
    static func random() -> String {
        let letters = Array("0123456789abcdef")
        return String((0..<32).map { _ in letters[Int.random(in: 0..<16)] })
    }

    /// - Throws: ``UsageError`` unless the text has 1 to 70 of the characters that the RFC allows.
    static func check(_ text: String) throws(UsageError) {
        let isLegal = text.utf8.allSatisfy {
            ($0.isUnreserved && $0 != UInt8(ascii: "~")) || "'()+_,-./:=? ".utf8.contains($0)
        }
        guard isLegal, (1...70).contains(text.utf8.count), text.last != " " else {
            throw UsageError("a boundary has 1 to 70 letters, digits and '()+_,-./:=? and no space at its end")
        }
    }

    /// As the parameter of a media type: quoted where it is no token.
    static func parameter(_ boundary: String) -> String {
        boundary.utf8.allSatisfy(\.isTokenByte) ? "boundary=\(boundary)" : "boundary=\"\(boundary)\""
    }
}
