package import AFHTTP

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
}
