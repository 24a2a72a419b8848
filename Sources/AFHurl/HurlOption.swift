/// An option of an entry.
package struct HurlOption: Equatable, Sendable {
    /// The options; the raw values are their names.
    package enum Name: String, CaseIterable, Sendable {
        case awsSigV4 = "aws-sigv4"
        case cacert, cert, compressed
        case connectTimeout = "connect-timeout"
        case connectTo = "connect-to"
        case delay, digest
        case failWithBody = "fail-with-body"
        case header
        case http10 = "http1.0"
        case http11 = "http1.1"
        case http2, http3, insecure, ipv4, ipv6, key
        case limitRate = "limit-rate"
        case location
        case locationTrusted = "location-trusted"
        case maxRedirs = "max-redirs"
        case maxTime = "max-time"
        case negotiate, netrc
        case netrcFile = "netrc-file"
        case netrcOptional = "netrc-optional"
        case noHeader = "no-header"
        case ntlm, output
        case pathAsIs = "path-as-is"
        case pinnedPubKey = "pinnedpubkey"
        case proxy, `repeat`, resolve, retry
        case retryInterval = "retry-interval"
        case skip
        case unixSocket = "unix-socket"
        case user, variable, verbose, verbosity
        case veryVerbose = "very-verbose"

        /// The type of the option's value.
        package var kind: Kind {
            switch self {
            case .awsSigV4, .connectTo, .header, .key, .netrcFile, .noHeader, .pinnedPubKey, .proxy, .resolve,
                .unixSocket, .user:
                .text
            case .cacert, .output: .filename
            case .cert: .filenameWithPassword
            case .connectTimeout, .delay, .maxTime, .retryInterval: .duration
            case .limitRate: .natural
            case .maxRedirs, .repeat, .retry: .count
            case .variable: .definition
            case .verbosity: .verbosity
            case .compressed, .digest, .failWithBody, .http10, .http11, .http2, .http3, .insecure, .ipv4, .ipv6,
                .location, .locationTrusted, .negotiate, .netrc, .netrcOptional, .ntlm, .pathAsIs, .skip, .verbose,
                .veryVerbose:
                .boolean
            }
        }
    }

    /// The types of values.
    package enum Kind: Sendable {
        case boolean, natural, count, duration, text, filename, filenameWithPassword, definition, verbosity
    }

    /// The levels of logs.
    package enum Verbosity: String, CaseIterable, Sendable {
        case brief, verbose, debug
    }

    /// The value of an option, by its type.
    package enum Value: Equatable, Sendable {
        case boolean(HurlLiteral<Bool>)
        case natural(HurlLiteral<UInt64>)
        /// A number of times; `nil` for no limit.
        case count(HurlLiteral<UInt64?>)
        case duration(HurlLiteral<HurlDuration>)
        case text(HurlTemplate)
        case verbosity(HurlLiteral<Verbosity>)
        case definition(String, HurlDefinedValue)
    }

    /// The name.
    package let name: Name
    /// The value.
    package let value: Value
    /// The option without the blanks around it.
    package let range: SourceRange
}

/// A duration as written.
package struct HurlDuration: Equatable, Sendable {
    /// The units; the raw values are their names.
    package enum Unit: String, CaseIterable, Sendable {
        case milliseconds = "ms"
        case seconds = "s"
        case minutes = "m"
        case hours = "h"

        /// The number of milliseconds.
        package var milliseconds: UInt64 {
            switch self {
            case .milliseconds: 1
            case .seconds: 1000
            case .minutes: 60_000
            case .hours: 3_600_000
            }
        }
    }

    /// The number of units.
    package let count: UInt64
    /// The unit; `nil` if the option's default applies.
    package let unit: Unit?

    /// Creates a duration.
    package init(_ count: UInt64, _ unit: Unit?) { (self.count, self.unit) = (count, unit) }

    /// Returns the milliseconds; `nil` if there are too many.
    ///
    /// - Parameter unit: The unit if none is written.
    package func milliseconds(default unit: Unit) -> UInt64? {
        let (product, overflows) = count.multipliedReportingOverflow(by: (self.unit ?? unit).milliseconds)
        return overflows ? nil : product
    }
}

/// The value of a variable that an option defines.
package enum HurlDefinedValue: Equatable, Sendable {
    case null
    case boolean(Bool)
    case number(HurlNumber)
    case string(HurlTemplate)
}
