/// A Hurl file: requests with their expected responses, in order.
package struct HurlFile: Equatable, Sendable {
    package let entries: [HurlEntry]
}

/// A request with its expected response.
package struct HurlEntry: Equatable, Sendable {
    package let request: HurlRequest
    /// The expected response; `nil` if the file has none.
    package let response: HurlResponse?
}

/// A comment, without its number sign.
package struct HurlComment: Equatable, Sendable {
    package let text: String
    package let position: SourcePosition
}

/// A request as written.
package struct HurlRequest: Equatable, Sendable {
    /// The comments before the request.
    package let comments: [HurlComment]
    package let method: String
    package let url: HurlTemplate
    package let headers: [HurlKeyValue]
    package let sections: [HurlRequestSection]
    package let body: HurlBody?
    /// The request line, up to the end of the URL.
    package let range: SourceRange

    /// The options of the entry, in order.
    package var options: [HurlOption] {
        sections.flatMap { section -> [HurlOption] in
            if case .options(let options) = section.content { options } else { [] }
        }
    }
}

/// A name and a value, such as a header field.
package struct HurlKeyValue: Equatable, Sendable {
    package let key: HurlTemplate
    package let value: HurlTemplate
}

/// A section of a request.
package struct HurlRequestSection: Equatable, Sendable {
    package enum Content: Equatable, Sendable {
        case query([HurlKeyValue])
        case form([HurlKeyValue])
        case multipart([HurlMultipartItem])
        case cookies([HurlKeyValue])
        /// The user name and the password; `nil` if the section is empty.
        case basicAuth(HurlKeyValue?)
        case options([HurlOption])
    }

    package let content: Content
    /// The name with its brackets.
    package let range: SourceRange
}

/// An item of a multipart body.
package struct HurlMultipartItem: Equatable, Sendable {
    package enum Value: Equatable, Sendable {
        case text(HurlTemplate)
        /// A file, and its media type if the item has one.
        case file(HurlTemplate, type: HurlTemplate?)
    }

    package let name: HurlTemplate
    package let value: Value
}

/// An expected response as written.
package struct HurlResponse: Equatable, Sendable {
    package enum Version: String, CaseIterable, Sendable {
        case any = "HTTP"
        case http10 = "HTTP/1.0"
        case http11 = "HTTP/1.1"
        case http2 = "HTTP/2"
        case http3 = "HTTP/3"
    }

    package let version: Version
    package let versionRange: SourceRange
    /// The status code; `nil` for any.
    package let status: UInt64?
    package let statusRange: SourceRange
    package let headers: [HurlKeyValue]
    package let sections: [HurlResponseSection]
    package let body: HurlBody?

    package var captures: [HurlCapture] {
        sections.flatMap { section -> [HurlCapture] in
            if case .captures(let captures) = section.content { captures } else { [] }
        }
    }

    package var asserts: [HurlAssert] {
        sections.flatMap { section -> [HurlAssert] in
            if case .asserts(let asserts) = section.content { asserts } else { [] }
        }
    }
}

/// A section of a response.
package struct HurlResponseSection: Equatable, Sendable {
    package enum Content: Equatable, Sendable {
        case captures([HurlCapture])
        case asserts([HurlAssert])
    }

    package let content: Content
    /// The name with its brackets.
    package let range: SourceRange
}

/// A variable whose value comes from a response.
package struct HurlCapture: Equatable, Sendable {
    package let name: HurlTemplate
    package let query: HurlQuery
    package let filters: [HurlFilter]
    /// Whether the value is a secret.
    package let isRedacted: Bool
}

/// A condition for a value of a response.
package struct HurlAssert: Equatable, Sendable {
    package let query: HurlQuery
    package let filters: [HurlFilter]
    package let predicate: HurlPredicate
}
