internal import AFHTTP
internal import CCurl

/// One setter for each type of value, all of which check the result code.
extension EasyHandle {
    func set(_ option: CURLoption, _ value: Int, feature: String? = nil) throws(TransferFailure) {
        try check(af_easy_set_long(easy, option, value), feature: feature)
    }

    func set(_ option: CURLoption, offset value: Int64) throws(TransferFailure) {
        try check(af_easy_set_offset(easy, option, curl_off_t(value)))
    }

    /// libcurl copies the string.
    func set(_ option: CURLoption, _ value: String?) throws(TransferFailure) {
        if let value, value.utf8.contains(0) {
            throw TransferFailure(.invalidRequest, "an option contains a NUL character")
        }
        // A password may have octets that are not UTF-8.
        try check(
            value.map { $0.withOctets { af_easy_set_string(easy, option, $0) } }
                ?? af_easy_set_string(easy, option, nil))
    }

    func set(_ option: CURLoption, pointer value: UnsafeRawPointer?) throws(TransferFailure) {
        try check(af_easy_set_pointer(easy, option, value))
    }

    func set(_ option: CURLoption, list value: UnsafeMutablePointer<curl_slist>?) throws(TransferFailure) {
        try check(af_easy_set_list(easy, option, value))
    }

    func check(_ code: CURLcode, feature: String? = nil) throws(TransferFailure) {
        guard code != CURLE_OK else { return }
        switch code {
        case CURLE_NOT_BUILT_IN, CURLE_UNKNOWN_OPTION, CURLE_UNSUPPORTED_PROTOCOL:
            throw TransferFailure(
                .unsupported,
                "libcurl \(CurlFeatures.version) was built without \(feature ?? "this option")",
                curlCode: Int32(code.rawValue)
            )
        default:
            throw TransferFailure(code, detail: String(cString: curl_easy_strerror(code)))
        }
    }
}
