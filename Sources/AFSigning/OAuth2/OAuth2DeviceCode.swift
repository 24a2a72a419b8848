internal import FoundationEssentials

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

extension OAuth2DeviceCode: Decodable {
    private enum Key: String, CodingKey {
        case userCode = "user_code"
        case verificationURI = "verification_uri"
        // Of early drafts; Google still sends it.
        case verificationURL = "verification_url"
        case verificationURIComplete = "verification_uri_complete"
        case lifetime = "expires_in"
        case deviceCode = "device_code"
        case interval
    }

    /// Decodes the response of a device authorization endpoint.
    public init(from decoder: any Decoder) throws {
        let fields = try decoder.container(keyedBy: Key.self)
        func seconds(_ key: Key) -> Double? {
            let text = try? fields.decodeIfPresent(String.self, forKey: key)
            return (try? fields.decodeIfPresent(Double.self, forKey: key)) ?? text.flatMap(Double.init)
        }
        userCode = try fields.decode(String.self, forKey: .userCode)
        verificationURI =
            try fields.decodeIfPresent(String.self, forKey: .verificationURI)
            ?? fields.decode(String.self, forKey: .verificationURL)
        verificationURIComplete = try? fields.decodeIfPresent(String.self, forKey: .verificationURIComplete)
        deviceCode = try fields.decode(String.self, forKey: .deviceCode)
        lifetime = min(max(seconds(.lifetime) ?? 1800, 1), 86_400)
        // 5 s is the default of RFC 8628 §3.2; the limits protect the server and the user from absurd values.
        let requested = min(max(seconds(.interval) ?? 5, 1), 300)
        // At least one request is sent before the code expires.
        interval = min(requested, lifetime / 2)
    }
}
