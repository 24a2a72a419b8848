/// The results of one case: a cell for each client.
struct Row: Sendable {
    struct Cell: Sendable {
        var text: String
        var isRight: Bool
        /// Whether a client ended with status 0 and a file that is not the resource.
        var isWrongFile = false
    }

    let group: Trial.Group
    let name: String
    let times: Int
    let isCounted: Bool
    var cells: [Client: Cell] = [:]

    /// Whether afcli met the expectation.
    var isRight: Bool { !isCounted || cells[.afcli]?.isRight ?? false }
}

extension Row.Cell {
    /// Creates the cell from the results of every run of the case.
    init(_ results: [Result<[Verdict], any Error>], _ expectation: Trial.Expectation) {
        var stories: [(text: String, count: Int)] = []
        isRight = true
        for result in results {
            let summary: String
            switch result {
            case .success(let verdicts):
                summary = Self.summary(verdicts)
                if !expectation.isMet(by: verdicts) { isRight = false }
                if verdicts.contains(.wrongFile) { isWrongFile = true }
            case .failure(let error):
                summary = "ERROR: \(error)"
                isRight = false
            }
            if let place = stories.firstIndex(where: { $0.text == summary }) {
                stories[place].count += 1
            } else {
                stories.append((summary, 1))
            }
        }
        stories.sort { $0.count > $1.count }
        text = stories.map { results.count == 1 ? $0.text : "\($0.count) × \($0.text)" }.joined(separator: "; ")
    }

    /// Returns the verdicts in order; equal consecutive ones are counted.
    private static func summary(_ verdicts: [Verdict]) -> String {
        var parts: [(text: String, count: Int)] = []
        for verdict in verdicts {
            if parts.last?.text == verdict.text {
                parts[parts.count - 1].count += 1
            } else {
                parts.append((verdict.text, 1))
            }
        }
        return parts.map { $0.count == 1 ? $0.text : "\($0.text), \($0.count) times" }.joined(separator: ", then ")
    }
}
