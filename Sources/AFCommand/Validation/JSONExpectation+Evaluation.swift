internal import AFHTTP
internal import AFJSON

/// The evaluation.
extension JSONExpectation {
    /// The reason why a document does not meet an expectation.
    enum Flaw: Equatable, Sendable {
        /// There is no value. The first member or element that is missing, if there is one.
        case missing(JSONSelection.Miss?)
        /// The positions of the values that do not meet it, and the number of all values.
        case values([Int], of: Int)
        /// The count or length.
        case number(Int)
        /// The value at a position has no length.
        case noLength(Int)
    }

    /// Whether a document meets the expectation.
    func isMet(in document: JSONCursor) -> Bool { flaw(in: document) == nil }

    /// Returns the reason why a document does not meet the expectation; `nil` if it does.
    ///
    /// - Parameter document: A cursor at the value of a text.
    func flaw(in document: JSONCursor) -> Flaw? {
        let selection = JSONSelection(path.steps, in: document)
        let positions = selection.positions
        switch subject {
        case .absence: return positions.isEmpty ? nil : .values(positions, of: positions.count)
        case .count: return countFlaw(count(in: document))
        case .length: return positions.first.map { lengthFlaw(at: document.moved(to: $0)) } ?? .missing(selection.miss)
        case .value, .all:
            // A condition for all elements must not hold because of a misspelled name.
            if let miss = selection.miss { return .missing(miss) }
            let failing = positions.first { !holds(at: document.moved(to: $0)) }
            return failing.map { .values([$0], of: positions.count) }
        case .any:
            if positions.contains(where: { holds(at: document.moved(to: $0)) }) { return nil }
            return positions.isEmpty ? .missing(selection.miss) : .values(positions, of: positions.count)
        }
    }

    /// Returns the number of the values, or of the elements if the only one is an array.
    func count(in document: JSONCursor) -> Int {
        let positions = JSONSelection(path.steps, in: document).positions
        guard path.isSingle, let cursor = positions.first.map(document.moved), cursor.kind == .array else {
            return positions.count
        }
        return cursor.elementCount
    }

    private func countFlaw(_ count: Int) -> Flaw? { predicate?.isMet(by: count) == false ? .number(count) : nil }

    private func lengthFlaw(at cursor: JSONCursor) -> Flaw? {
        guard let length = cursor.length else { return .noLength(cursor.position) }
        return countFlaw(length)
    }

    private func holds(at cursor: JSONCursor) -> Bool { predicate?.isMet(at: cursor) ?? true }
}

/// The evaluation of messages: of JSON lines, or the events of a stream.
extension JSONExpectation {
    /// Returns the failure as a sentence; `nil` if the documents meet the expectation.
    ///
    /// Each message must meet it, but `any` concerns the values of all messages, and `count` is their number.
    ///
    /// - Parameter documents: A cursor at each text.
    func failure(inMessages documents: [JSONCursor]) -> String? {
        guard let first = documents.first else {
            guard subject == .count else { return "expected \(description), but there is no JSON message" }
            return countFlaw(0).map { _ in "expected \(description)" + (isSecret ? "" : ", got 0") }
        }
        switch subject {
        case .any where documents.contains(where: isMet):
            return nil
        case .any where documents.count > 1:
            return "expected \(description), but none of \(documents.count) messages has one"
        case .count:
            return countFlaw(documents.reduce(0) { $0 + count(in: $1) }).map { sentence($0, in: first) }
        default: break
        }
        for (index, document) in documents.enumerated() {
            guard let flaw = flaw(in: document) else { continue }
            return "\(sentence(flaw, in: document)) in message \(index + 1) of \(documents.count)"
        }
        return nil
    }
}

/// The sentences.
extension JSONExpectation {
    /// The expectation as the object of a sentence.
    var description: String {
        if subject == .absence { return "no value at \(path.description)" }
        guard let predicate else { return "a value at \(path.description)" }
        return isSecret ? "another value of \(subjectText)" : "\(subjectText) \(predicate.relation)"
    }

    /// The expectation as typed, with secret values masked.
    var shownText: String { holdsSecret ? description : typed.shortened }

    /// Whether it compares with a secret.
    var holdsSecret: Bool { isSecret && predicate != nil || path.holdsSecret }

    /// The number of instructions of the regular expression, or 0.
    var size: Int { predicate?.size ?? 0 }

    /// Returns the failure as a sentence; `nil` if the document meets the expectation.
    ///
    /// - Parameter document: A cursor at the value of a text.
    func failure(in document: JSONCursor) -> String? { flaw(in: document).map { sentence($0, in: document) } }

    private func sentence(_ flaw: Flaw, in document: JSONCursor) -> String {
        let expected = "expected \(description)"
        switch flaw {
        case .missing(let miss): return missing(miss, in: document)
        case _ where isSecret: return expected
        case .number(let number): return "\(expected), got \(number)"
        case .noLength(let position):
            return "\(expected), got a value of type \(document.moved(to: position).kind.rawValue)"
        case .values(let positions, let count):
            // The others would not be shown.
            let values = positions.prefix(40).map { position in
                let value = document.moved(to: position)
                return hasSecretTexts && value.kind == .string ? Redaction.mask : value.valueText.shown
            }
            let number = subject == .all && count > 1 ? " among \(count) values" : ""
            return "\(expected), got \(values.joined(separator: ", ").shortened)\(number)"
        }
    }

    private func missing(_ miss: JSONSelection.Miss?, in document: JSONCursor) -> String {
        let expected = holdsSecret ? "a value of \(subjectText)" : description
        let reason = miss.map { path.reason($0, in: document) } ?? "\(path.description) selects nothing"
        let isNull = subject == .value && predicate?.test == .comparison(.equal, .null)
        return "expected \(expected), but \(reason)" + (isNull ? "; 'absent PATH' expects that" : "")
    }

    private var subjectText: String {
        switch subject {
        case .any: "any value of \(path.description)"
        case .all: "all values of \(path.description)"
        case .count: "the number of values of \(path.description)"
        case .length: "the length of \(path.description)"
        case .value, .absence: path.description
        }
    }

    /// Whether values at this path are secret.
    var isSecret: Bool {
        let comparesNumber = if case .comparison(_, .number)? = predicate?.test { true } else { false }
        return path.names.contains { name in
            SecretNames().contains(name) && !(comparesNumber && SecretNames().containsTextsOnly(name))
        }
    }

    /// Whether strings at this path are secret, and numbers may not be.
    private var hasSecretTexts: Bool { path.names.contains(where: SecretNames().containsTextsOnly) }
}
