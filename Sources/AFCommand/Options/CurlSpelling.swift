/// The spelling of an option in curl, where it has the same meaning.
struct CurlSpelling: Sendable {
    enum Repetition: Sendable {
        /// The last argument counts.
        case last
        /// All arguments count.
        case all
    }

    /// The name without dashes; `nil` if it is that of afcli.
    var name: String?
    var letter: Character?
    var repetition = Repetition.last
    /// Whether 0 selects the default.
    var hasZeroAsDefault = false

    static let same = Self()
    static func named(_ name: String) -> Self { Self(name: name) }
    static func letter(_ letter: Character) -> Self { Self(letter: letter) }
}
