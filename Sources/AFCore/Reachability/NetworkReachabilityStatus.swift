extension NetworkReachabilityManager {
    /// Whether there is a way out.
    public enum NetworkReachabilityStatus: Hashable, Sendable {
        /// The kernel does not tell.
        case unknown
        /// There is no way.
        case notReachable
        /// There is a way, through a network of this kind.
        case reachable(ConnectionType)

        /// What kind of network it is, as far as the kind of the link tells: a telephone behind Wi-Fi or USB does not
        /// show.
        public enum ConnectionType: Hashable, Sendable, CaseIterable {
            /// Anything that is not ``cellular``.
            case ethernetOrWiFi
            /// A modem for mobile networks.
            case cellular
        }

        /// What kind of network is reachable, if one is.
        public var connectionType: ConnectionType? {
            if case .reachable(let type) = self { type } else { nil }
        }
    }
}
