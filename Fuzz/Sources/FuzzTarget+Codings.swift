import AFHTTP

@testable import AFTransport

/// Content codings.
extension FuzzTarget {
    static let codings =
        DecodableCoding.allCases.map { coding in
            FuzzTarget(coding.rawValue, longest: 4096) { bytes in check(bytes, coding.rawValue) }
        } + [
            // The first byte decides which two lie upon each other.
            FuzzTarget("codings") { bytes in
                let names = DecodableCoding.allCases.map(\.rawValue) + ["identity"]
                guard let first = bytes.first.map({ Int($0) }) else { return }
                check(Array(bytes.dropFirst()), "\(names[first % 5]), \(names[first / 5 % 5])")
            }
        ]

    /// Bombs need not go off to the end.
    private static let limit = 1 << 18

    private static func check(_ bytes: [UInt8], _ codings: String) {
        let half = bytes.count / 2
        let whole = decoded([bytes[...]], codings)
        let halves = decoded([bytes[..<half], bytes[half...]], codings)
        require(whole.agrees(with: halves), "two pieces are decoded as one")
        let refused = decoded([bytes[...]], codings, refusing: true)
        require(whole.agrees(with: refused), "what is wanted later comes once")
    }

    private static func decoded(
        _ pieces: [ArraySlice<UInt8>],
        _ codings: String,
        refusing: Bool = false
    ) -> Decoded {
        var result = Decoded()
        var isWanted = true
        func keep(_ bytes: UnsafeRawBufferPointer) throws(TransferFailure) -> Bool {
            if refusing { isWanted.toggle() }
            guard isWanted else { return false }
            result.bytes += bytes
            if result.bytes.count > limit { throw TransferFailure(.stopped, "that is enough") }
            return true
        }
        do {
            let decoder = try ContentDecoder(HTTPHeaders(["Content-Encoding": codings]))
            for piece in pieces {
                // A chunk that was not accepted is offered again.
                while try piece.withUnsafeBytes({ try decoder?.decode($0, deliver: keep) }) == false {}
            }
            result.failure = decoder?.failureAtEnd?.kind
        } catch {
            result.failure = (error as? TransferFailure)?.kind
        }
        // After a failure only the start is equal.
        if result.failure != nil { result.bytes = [] }
        return result
    }

    private struct Decoded: Equatable {
        var bytes: [UInt8] = []
        var failure: TransferFailure.Kind?

        /// Whether both are possible results for the same bytes. After the limit, a chunk may contain an earlier defect.
        func agrees(with other: Decoded) -> Bool {
            self == other || failure != nil && other.failure != nil && [failure, other.failure].contains(.stopped)
        }
    }
}
