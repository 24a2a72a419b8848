/// The spelling of an option in curl.
struct CurlSpelling: Sendable {
    /// The name without dashes; `nil` if it is that of afcli.
    var name: String?
    var letter: Character?
    /// Whether all arguments count, and not only the last one.
    var isRepeatable = false
    /// Whether 0 selects the default.
    var hasZeroAsDefault = false
    /// Whether curl ignores it without an output file.
    var needsFile = false
    /// Whether the argument or the effect differs, so that curl's option is translated by ``CurlOption/own``.
    var isTranslated = false

    static let same = Self()
    static let sameForFiles = Self(needsFile: true)
    static func named(_ name: String) -> Self { Self(name: name) }
    static func translated(_ name: String, _ letter: Character? = nil) -> Self {
        Self(name: name, letter: letter, isTranslated: true)
    }
    static func letter(_ letter: Character) -> Self { Self(letter: letter) }
}
