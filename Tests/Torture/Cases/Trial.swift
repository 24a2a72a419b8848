/// A case: the behavior of the server or the system, and the expected result.
struct Trial: Sendable {
    enum Group: String, CaseIterable, Sendable {
        case replaced = "The resource changes before the second attempt"
        case cuts = "The server breaks off repeatedly"
        case ranges = "Wrong responses to a range request"
        case truncation = "Truncated bodies"
        case disk = "A full disk"
        case processes = "Two processes, one destination"
        case paths = "The path is already occupied"
        case signals = "SIGINT and SIGTERM at random times, then a resumed download"
        case time = "Clock changes"
    }

    /// The expected verdicts of a case, in order; the last attempt gets correct responses.
    enum Expectation: Sendable {
        /// In the first attempt.
        case identical
        /// In the first or in a later attempt.
        case identicalInTheEnd
        /// A failure, then the complete file.
        case failureFirst
        /// A failure in every attempt.
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

    typealias Run = @Sendable (Fixture) async throws -> [Verdict]

    let group: Group
    let name: String
    let expectation: Expectation
    /// The number of runs, in the complete and in the short form.
    var times = (full: 1, short: 1)
    /// The clients that support the case.
    var clients = Client.allCases
    let run: Run

    init(
        _ group: Group,
        _ name: String,
        _ expectation: Expectation = .identicalInTheEnd,
        times: (full: Int, short: Int) = (1, 1),
        clients: [Client] = Client.allCases,
        run: @escaping Run
    ) {
        self.group = group
        self.name = name
        self.expectation = expectation
        self.times = times
        self.clients = clients
        self.run = run
    }

    static let all =
        replaced + cuts + wrongRanges + truncations + fullDisks + pairs + occupiedPaths + signals + clocks
}
