/// The place of a transfer in a command with several.
struct TransferPlace: Equatable, Sendable {
    /// The zero-based index of the URL.
    var url = 0
    /// The zero-based index of the transfer.
    var transfer = 0
}
