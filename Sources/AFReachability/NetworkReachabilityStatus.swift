extension NetworkReachabilityManager {
    /// The reachability of a destination.
    public enum NetworkReachabilityStatus: Hashable, Sendable {
        /// The kernel does not report it.
        case unknown
        /// There is no route.
        case notReachable
        /// There is a route through a network of this type.
        case reachable(ConnectionType)

        /// The type of network, judging by the type of the link: a mobile network behind Wi-Fi or USB is not
        /// recognized.
        public enum ConnectionType: Hashable, Sendable, CaseIterable {
            /// Any network that is not ``cellular``.
            case ethernetOrWiFi
            /// A modem for mobile networks.
            case cellular
        }

        /// The type of the reachable network; `nil` if no network is reachable or the status is unknown.
        public var connectionType: ConnectionType? {
            if case .reachable(let type) = self { type } else { nil }
        }
    }
}
