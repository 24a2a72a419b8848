/// The number of requests of an upload that may run at once.
///
/// A failure reduces it by one, and each part that the server acknowledges raises it again. A status with which the server
/// rejects one of several requests reduces it for good.
struct UploadLaneSchedule: Hashable, Sendable {
    private var maximum: Int
    /// The number of concurrent requests, including the upload's main request.
    private(set) var width: Int

    /// The statuses with which a server asks for fewer requests.
    private static let refusals: Set = [429, 503]

    init(width: Int) { (maximum, self.width) = (width, width) }

    /// Records the end of a request for a part.
    mutating func record(_ end: UploadLaneEnd) {
        switch end {
        case .acknowledged: width = min(maximum, width + 1)
        case .rejected(let status):
            if Self.refusals.contains(status) { maximum = max(1, maximum - 1) }
            width = max(1, min(maximum, width - 1))
        case .interrupted: width = max(1, width - 1)
        case .unneeded: break
        }
    }
}
