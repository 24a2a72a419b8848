/// The place of a transfer in a command with several.
struct TransferPlace: Equatable, Sendable {
    /// The zero-based index of the URL.
    var url = 0
    /// The zero-based index of the transfer.
    var transfer = 0
    /// The path of its file as typed; `nil` if there is none.
    var path: String?
}
