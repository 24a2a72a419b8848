internal import AFHTTP
internal import CCurl
internal import FoundationEssentials
internal import Glibc

/// The cookies of a transport, stored by libcurl's engine for every connection group (public-suffix list included).
///
/// Only the loop thread uses it, so the share needs no locks.
struct CookieShare {
    let share: UnsafeMutableRawPointer
    /// A handle that reads and writes the list and never sends a request.
    private let desk: UnsafeMutableRawPointer

    init?() {
        guard let share = curl_share_init(), let desk = curl_easy_init() else { return nil }
        self.share = share
        self.desk = desk
        _ = af_share_set_data(share, CURL_LOCK_DATA_COOKIE)
        _ = af_easy_set_pointer(desk, CURLOPT_SHARE, share)
    }

    func all() -> [HTTPCookie] {
        var head: UnsafeMutablePointer<curl_slist>?
        _ = af_easy_get_list(desk, CURLINFO_COOKIELIST, &head)
        defer { curl_slist_free_all(head) }
        let now = Date.now
        // libcurl lists expired cookies, too, until the next transfer.
        return sequence(first: head) { $0?.pointee.next }.prefix { $0 != nil }
            .compactMap { $0?.pointee.data }
            .compactMap {
                HTTPCookie(netscapeLine: String(octets: UnsafeRawBufferPointer(start: $0, count: strlen($0))))
            }
            .filter { $0.expiresDate.map { $0 > now } ?? true }
    }

    func set(_ cookies: [HTTPCookie]) {
        for line in cookies.compactMap(\.netscapeLine) {
            _ = line.withOctets { af_easy_set_string(desk, CURLOPT_COOKIELIST, $0) }
        }
    }

    func deleteAll() { _ = af_easy_set_string(desk, CURLOPT_COOKIELIST, "ALL") }

    func close() {
        curl_easy_cleanup(desk)
        curl_share_cleanup(share)
    }
}
