/// The progress of a body in bytes.
///
/// Replaces Foundation's `Progress` in Alamofire's API, as a value.
public struct TransferProgress: Hashable, Sendable {
    /// The number of bytes so far.
    public var completedUnitCount: Int64
    /// The total number of bytes; 0 if it is unknown.
    public var totalUnitCount: Int64
    /// The number of completed bytes that an earlier attempt received.
    public var resumedUnitCount: Int64

    /// Creates a progress value.
    public init(completedUnitCount: Int64 = 0, totalUnitCount: Int64 = 0, resumedUnitCount: Int64 = 0) {
        self.completedUnitCount = completedUnitCount
        self.totalUnitCount = totalUnitCount
        self.resumedUnitCount = resumedUnitCount
    }

    /// The completed fraction, from 0 to 1; 0 if the total is unknown.
    public var fractionCompleted: Double {
        totalUnitCount > 0 ? min(1, Double(completedUnitCount) / Double(totalUnitCount)) : 0
    }

    /// Whether all bytes of a known total were processed.
    public var isFinished: Bool { totalUnitCount > 0 && completedUnitCount >= totalUnitCount }
}
