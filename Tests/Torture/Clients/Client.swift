/// The clients.
enum Client: String, CaseIterable, Sendable {
    case afcli, curl, wget
}
