/// A case: what happens, and what afcli must make of it.
struct Trial: Sendable {
    enum Group: String, CaseIterable, Sendable {
        case replaced = "The resource is another one at the second attempt"
        case cuts = "The server breaks off again and again"
        case ranges = "Wrong answers to a request for the rest"
        case truncation = "Bodies that end early"
        case disk = "A full disk"
        case processes = "Two processes, one destination"
        case places = "Something else has the name"
        case signals = "SIGINT and SIGTERM at random moments, then the rest"
        case time = "Time goes backwards"
    }

    /// Of a run's verdicts in order, the last of which met a server that behaves.
    enum Expectation: Sendable {
        /// At once.
        case identical
        /// At once, or with the next attempt.
        case identicalInTheEnd
        /// First a failure, then the whole.
        case failureFirst
        /// A failure as long as it is as it is.
        case failure
        /// Undetectable, as the server confirms it: listed, but not counted.
        case unknowable

        func isMet(by verdicts: [Verdict]) -> Bool {
            guard let first = verdicts.first, let last = verdicts.last else { return false }
            return switch self {
            case .identical: verdicts == [.identical]
            case .identicalInTheEnd: verdicts.allSatisfy(\.isRight) && last == .identical
            case .failureFirst: first.isFailure && verdicts.allSatisfy(\.isRight) && last == .identical
            case .failure: verdicts.allSatisfy(\.isFailure)
            case .unknowable: true
            }
        }
    }

    typealias Play = @Sendable (Stage) async throws -> [Verdict]

    let group: Group
    let name: String
    let expectation: Expectation
    /// How often it is played, and how often in the short form.
    var times = (full: 1, short: 1)
    /// The clients that can take part.
    var clients = Client.allCases
    let play: Play

    init(
        _ group: Group,
        _ name: String,
        _ expectation: Expectation = .identicalInTheEnd,
        times: (full: Int, short: Int) = (1, 1),
        clients: [Client] = Client.allCases,
        play: @escaping Play
    ) {
        self.group = group
        self.name = name
        self.expectation = expectation
        self.times = times
        self.clients = clients
        self.play = play
    }

    static let all =
        replaced + cuts + wrongRanges + truncations + fullDisks + pairs + occupiedPlaces + signals + clocks
}
