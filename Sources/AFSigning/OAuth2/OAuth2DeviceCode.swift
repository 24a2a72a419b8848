/// A login that a person must perform.
public enum OAuth2Login: Hashable, Sendable {
    /// A code to enter on any device.
    case device(OAuth2DeviceCode)
    /// A URL to open in a browser on this machine, which is redirected to a local port, within a time in seconds.
    case browser(url: String, lifetime: Double)
}

/// A code with which a person authorizes a client on another device (RFC 8628 §3.2).
public struct OAuth2DeviceCode: Hashable, Sendable {
    /// The code to enter.
    public let userCode: String
    /// The address at which it is entered. It comes from the server: escape control characters before showing it.
    public let verificationURI: String
    /// The address that contains the code, such as for a QR code; `nil` if the server has none.
    public let verificationURIComplete: String?
    /// The seconds for which the code is valid.
    public let lifetime: Double

    /// The secret of this device.
    let deviceCode: String
    /// The seconds between two token requests.
    let interval: Double
}

extension OAuth2DeviceCode {
    /// Reads the response of a device authorization endpoint; `nil` if a field is missing.
    init?(_ fields: OAuth2Fields) {
        guard let userCode = fields.text("user_code"), let deviceCode = fields.text("device_code"),
            // The latter is of early drafts; Google still sends it.
            let address = fields.text("verification_uri") ?? fields.text("verification_url")
        else { return nil }
        (self.userCode, self.deviceCode, verificationURI) = (userCode, deviceCode, address)
        verificationURIComplete = fields.text("verification_uri_complete")
        lifetime = min(max(fields.number("expires_in") ?? 1800, 1), 86_400)
        // 5 s is the default of RFC 8628 §3.2; the limits protect the server and the user from absurd values.
        let requested = min(max(fields.number("interval") ?? 5, 1), 300)
        // At least one request is sent before the code expires.
        interval = min(requested, lifetime / 2)
    }
}
