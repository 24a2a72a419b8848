internal import AFFormatting
internal import AFHTTP
internal import AFJSON

/// Judges the messages of a stream as they arrive, so that an endless stream can end.
struct MessageJudge {
    private var gate: MessageGate
    private let kind: MessageGate.Kind
    /// Whether only complete messages count: those of one type, or of several connections.
    private let isSelective: Bool
    private let expectations: Expectations
    /// The state of each expected value; `nil` if further messages may change it.
    private var results: [Bool?]
    /// The numbers of values that `count` has counted so far, of the expected and of the fatal values.
    private var counts: [Int]
    private var fatalCounts: [Int]
    /// Whether further messages cannot change the result.
    private(set) var isDecided = false
    /// Whether a message meets `--fail-if`.
    private var isFatal = false

    /// Creates a judge.
    ///
    /// - Parameter limit: The maximum number of bytes of a message.
    init(_ kind: MessageGate.Kind, _ selection: MessageSelection, _ expectations: Expectations, limit: Int) {
        (self.kind, self.expectations, isSelective) = (
            kind, expectations, selection.event != nil || selection.isContinued
        )
        gate = MessageGate(kind, selection, limit: limit)
        results = expectations.values.map { _ in nil }
        counts = results.map { _ in 0 }
        fatalCounts = expectations.fatalValues.map { _ in 0 }
    }

    /// Whether the last message that is to be received was.
    var isComplete: Bool { gate.isDone }

    /// Whether a stream that is shown ends as soon as it is decided: JSON lines without a limit may be a file.
    var endsEarly: Bool { kind == .events || gate.hasMaximum || isFatal }

    /// Forgets the incomplete message of a connection that was lost.
    mutating func reset() { gate.reset() }

    /// Judges the messages that are complete with these bytes.
    ///
    /// - Returns: The bytes that count: those of the selected messages, or all until the last message.
    mutating func consume(_ bytes: UnsafeRawBufferPointer) -> [UInt8] {
        let selected = gate.consume(bytes)
        if !selected.isEmpty, !isDecided { judge(selected) }
        return isSelective ? selected : Array(bytes.prefix(gate.consumedCount))
    }

    private mutating func judge(_ messages: [UInt8]) {
        let bodyKind = kind == .events ? BodyKind.eventStream : .ndjson
        if !fatalCounts.isEmpty {
            for document in JSONCursor.validMessages(in: messages, bodyKind) {
                for (index, value) in expectations.fatalValues.enumerated()
                where value.result(after: document, &fatalCounts[index], isSufficient: true) == true {
                    (isDecided, isFatal) = (true, true)
                }
            }
        }
        guard !results.isEmpty else { return }
        guard let documents = try? JSONCursor.messages(in: messages, bodyKind) else {
            // The failure of every expectation.
            isDecided = true
            return
        }
        for document in documents {
            for (index, value) in expectations.values.enumerated() where results[index] == nil {
                results[index] = value.result(after: document, &counts[index], isSufficient: false)
            }
        }
        let isMet = !results.isEmpty && expectations.bodies.isEmpty && results.allSatisfy { $0 == true }
        if isMet || results.contains(false) { isDecided = true }
    }
}

extension JSONExpectation {
    /// Returns the result if no further message can change it; `nil` otherwise.
    ///
    /// - Parameters:
    ///   - count: The number of values that `count` has counted so far.
    ///   - isSufficient: Whether one message that meets the expectation is sufficient, as for `any`.
    fileprivate func result(after message: JSONCursor, _ count: inout Int, isSufficient: Bool) -> Bool? {
        if subject == .count {
            count += self.count(in: message)
            return predicate?.remainsMet(by: count) == true ? true : nil
        }
        let isMet = isMet(in: message)
        return isMet == (subject == .any || isSufficient) ? isMet : nil
    }
}
