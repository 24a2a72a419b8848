internal import CCurl

/// The linked lists that a handle reads from while its transfer runs; they must outlive it.
struct EasyLists {
    private var heads: [UnsafeMutablePointer<curl_slist>] = []

    /// A list of these lines, `nil` for none.
    mutating func make(_ lines: [String]) -> UnsafeMutablePointer<curl_slist>? {
        var head: UnsafeMutablePointer<curl_slist>?
        var last: UnsafeMutablePointer<curl_slist>?
        for line in lines {
            // Appending to the last node: to the head, libcurl walks the whole list each time.
            guard let node = curl_slist_append(nil, line) else { continue }
            if let last { last.pointee.next = node } else { head = node }
            last = node
        }
        if let head { heads.append(head) }
        return head
    }

    mutating func free() {
        for head in heads { curl_slist_free_all(head) }
        heads = []
    }
}
