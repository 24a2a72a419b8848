/// How far a body has come, in bytes.
///
/// It stands where Foundation's `Progress` stands in Alamofire, as a value.
public struct TransferProgress: Hashable, Sendable {
    /// Bytes so far.
    public var completedUnitCount: Int64
    /// The length of the whole; 0 where it is not known.
    public var totalUnitCount: Int64
    /// How many of the completed bytes an earlier attempt had brought.
    public var resumedUnitCount: Int64

    /// So many bytes of so many.
    public init(completedUnitCount: Int64 = 0, totalUnitCount: Int64 = 0, resumedUnitCount: Int64 = 0) {
        self.completedUnitCount = completedUnitCount
        self.totalUnitCount = totalUnitCount
        self.resumedUnitCount = resumedUnitCount
    }

    /// From 0 to 1; 0 where the length is not known.
    public var fractionCompleted: Double {
        totalUnitCount > 0 ? min(1, Double(completedUnitCount) / Double(totalUnitCount)) : 0
    }
}
