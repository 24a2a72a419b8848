package import AFHTTP
internal import FoundationEssentials

extension UploadMachine {
    /// The origins where upload resources are accepted.
    package struct ResourceRules: Hashable, Sendable {
        package let url: HTTPURL
        package let trustsOtherOrigins: Bool

        package init(url: HTTPURL, trustsOtherOrigins: Bool) {
            (self.url, self.trustsOtherOrigins) = (url, trustsOtherOrigins)
        }

        package func accepts(_ resource: HTTPURL) -> Bool {
            if url.scheme == .https, resource.scheme == .http { return false }
            return Safety.requires("35-origin", resource.origin == url.origin || trustsOtherOrigins)
        }
    }

    /// Returns the upload resource that a response names.
    func location(in response: HTTPURLResponse) throws(UploadFailure) -> HTTPURL? {
        guard let text = response.only("Location") else { return nil }
        let base = (response.url?.absoluteString).flatMap { try? HTTPURL(parsing: $0) } ?? rules.url
        guard let location = try? base.resolving(text) else { throw UploadFailure(.noResource) }
        guard rules.accepts(location) else { throw UploadFailure(.otherOrigin) }
        return location
    }

    /// Returns the upload resource that an interim response names; `nil` without a usable one, and the upload is a plain one.
    mutating func acceptedLocation(in response: HTTPURLResponse) -> HTTPURL? {
        do throws(UploadFailure) {
            return try location(in: response)
        } catch {
            if error.reason == .otherOrigin, !hasReportedOrigin {
                hasReportedOrigin = true
                events.append(.notResumable(.otherOrigin))
            }
            return nil
        }
    }
}
