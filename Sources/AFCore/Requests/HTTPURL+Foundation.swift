package import AFHTTP
package import FoundationEssentials

extension HTTPURL {
    /// The same place as Foundation's type. `nil` only where Foundation knows no such host, as with odd zones.
    package var foundationURL: URL? { URL(string: text) }
}
