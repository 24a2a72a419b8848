internal import CCurl

/// The linked lists that a handle reads from while its transfer runs; they must outlive it.
struct EasyLists {
    private var heads: [UnsafeMutablePointer<curl_slist>] = []

    /// A list of these lines, `nil` for none.
    mutating func make(_ lines: [String]) -> UnsafeMutablePointer<curl_slist>? {
        guard !lines.isEmpty else { return nil }
        var head: UnsafeMutablePointer<curl_slist>?
        for line in lines { head = curl_slist_append(head, line) ?? head }
        if let head { heads.append(head) }
        return head
    }

    mutating func free() {
        for head in heads { curl_slist_free_all(head) }
        heads = []
    }
}
