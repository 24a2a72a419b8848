/// The phase in which a client is killed.
enum KillKind: String, CaseIterable, Sendable {
    case body = "between the first and the last byte of the body"
    case segments = "the same, with `--segments 4`"
    case record = "while the record is written"
    case finish = "while the file is finished"
    case anywhere = "at a random time"

    /// Returns the required number of hits.
    func count(isShort: Bool) -> Int {
        switch self {
        case .body: isShort ? 6 : 110
        case .segments: isShort ? 2 : 50
        case .record: isShort ? 2 : 20
        case .finish: isShort ? 1 : 10
        case .anywhere: isShort ? 1 : 10
        }
    }

    /// The number of consecutive kills of one download.
    var chain: Int { self == .body || self == .segments ? 2 : 1 }
}
