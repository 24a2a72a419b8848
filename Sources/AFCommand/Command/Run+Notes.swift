internal import AFCore
internal import AFFormatting
internal import AFHTTP
internal import AFSigning

/// The notes about a response besides its status.
extension Run {
    /// Returns the reason why a redirect was not followed; `nil` for other responses.
    func redirectClause(_ response: HTTPURLResponse, _ status: ExitStatus) -> String? {
        guard status == .redirected, response.statusCode != 304 else { return nil }
        let hasTarget = response.value(forHTTPHeaderField: "Location").map { !$0.isEmpty } ?? false
        guard plan.session.redirects.isFollowing else {
            return hasTarget ? messages.notation("--follow follows it") : nil
        }
        return hasTarget ? nil : "the response has no Location field"
    }

    /// Returns a note if the server may have rejected the request because a redirect left the origin of the credentials.
    func withheldCredentialsNote(_ response: HTTPURLResponse) -> String? {
        guard [401, 403].contains(response.statusCode), let origin = response.origin, origin != plan.url.origin,
            !plan.session.redirects.trustsOtherOrigins,
            plan.login != nil || plan.request.headers.contains(where: \.holdsSecret)
        else { return nil }
        let hint = plan.isLoginOfHost ? "" : "; --trust-redirects sends them"
        return "the credentials were not sent to another origin, \(origin)\(hint)"
    }

    /// Returns a note about secret header fields that curl would have sent to another origin; `nil` if curl would have sent none.
    func withheldFieldsNote(_ request: Request) -> String? {
        guard environment.messageStyle != .afcli, !plan.session.redirects.trustsOtherOrigins else { return nil }
        let secrets = plan.request.headers.filter(\.holdsSecret).map(\.name)
        // curl omits these, too.
        let names = secrets.filter { name in !["authorization", "cookie"].contains(name.lowercased()) }
        let origins = request.lastHops.lazy.compactMap { (try? HTTPURL(parsing: $0.url))?.origin }
        guard !names.isEmpty, let other = origins.first(where: { $0 != self.plan.url.origin }) else { return nil }
        return "not sent to another origin, \(other): \(names.joined(separator: ", ")); --trust-redirects sends them"
    }

    /// Returns what the server asks for; `nil` if it rejected credentials of that scheme, or asks for none.
    func challengeNote(_ response: HTTPURLResponse, _ request: Request) -> String? {
        guard response.statusCode == 401, let hop = request.lastHops.last else { return nil }
        let challenges = response.authenticationChallenges
        let own = challenges.filter { $0.scheme.isSameFieldName(as: plan.login?.scheme ?? "") }
        guard let first = own.first ?? challenges.first else { return nil }
        switch plan.login {
        case .password(.digest, _, _) where !own.isEmpty && !hop.earlierHeads.contains { $0.kind == .intermediate }:
            return own.unanswered
        case .password(.negotiate, _, _)
        where !own.isEmpty && RequestHeadRecord(hop.requestHead)?.headers["Authorization"] == nil:
            return "there is no Kerberos ticket for this server; kinit obtains one"
        case _ where !own.isEmpty: return nil
        case .password(.any, _, _) where hop.earlierHeads.contains { $0.kind == .intermediate }: return nil
        case .password(.any, _, _) where first.method == .digest:
            return challenges.filter { $0.method == .digest }.unanswered
        default:
            let schemes = challenges.map(\.scheme).reduce(into: [String]()) { if !$0.contains($1) { $0.append($1) } }
            let requirement = "the server requires \(schemes.joined(separator: " or "))"
            // A WebSocket is opened with one request.
            if case .password(.basic, _, _)? = plan.login, plan.webSocket == nil,
                schemes.contains(where: { $0.lowercased() == "digest" })
            {
                return "\(requirement); add --auth-type digest"
            }
            let hint = plan.webSocket != nil && first.takesRounds ? nil : first.hint
            return requirement + (hint.map { ": \($0)" } ?? "")
        }
    }

    /// Returns what the proxy requires, if it responded with 407 instead of forwarding the request.
    func proxyNote(_ response: HTTPURLResponse, _ request: Request) -> String? {
        guard response.statusCode == 407 else { return nil }
        let context = FailureContext(plan, request)
        guard context.isForwarded, let proxy = context.proxy, !proxy.hasPrefix("socks") else { return nil }
        let requirement = context.proxyRequirement(response)
        return "the proxy '\(proxy)' \(requirement.problem); \(requirement.hint())"
    }

    /// Returns the end of the sentence about a response that preceded the end of the body, the rest of which the server
    /// may have rejected or lost; `nil` if all of the body was sent.
    func unsentBody(_ request: Request) -> String? {
        guard let hop = request.lastHops.last, Safety.refuses("31-unsent", !hop.isRequestBodyComplete) else {
            return nil
        }
        let sent = HumanUnits.bytes(hop.requestBodyBytes)
        let amount = hop.requestBodyLength.map { "\(sent) of \(HumanUnits.bytes($0))" } ?? "only \(sent)"
        return "before it had the body: \(amount) were sent"
    }

    /// Returns the sentence about a status, whose reason phrase may repeat a secret.
    func statusMessage(_ response: HTTPURLResponse) -> String { recorder.redaction.masked(response.statusMessage) }

    /// Warns of a body of which not all was sent.
    ///
    /// - Parameter unsentBody: The result of ``unsentBody(_:)``.
    func warnOfUnsentBody(_ unsentBody: String?, _ response: HTTPURLResponse) {
        if let unsentBody { messages.warning("\(statusMessage(response)) \(unsentBody)") }
    }

    /// Returns a note if a gateway may have failed because its server does not respond to `Expect`.
    func expectationNote(_ response: HTTPURLResponse, _ request: Request) -> String? {
        guard [502, 503, 504].contains(response.statusCode), request.lastHops.last?.lacksContinue == true
        else { return nil }
        let isTyped = plan.request.headers.value(for: "Expect") != nil
        return (isTyped ? "without the Expect field" : "with --expect100 no")
            + ", the body is sent without waiting for 100 Continue"
    }

    /// Returns a note about a server that may have only a compressed file, as downloads request an unencoded one.
    func identityNote(_ response: HTTPURLResponse, _ request: Request) -> String? {
        guard response.statusCode == 406, FailureContext(plan, request).asksForIdentity else { return nil }
        return "'Accept-Encoding:\(DecodableCoding.acceptEncoding)' requests a compressed body, which is decoded"
    }

    /// Returns a note about a status with which servers of tus refuse the request of another protocol.
    func uploadNote(_ response: HTTPURLResponse) -> String? {
        guard plan.upload?.isAutomatic == true, [404, 405, 501].contains(response.statusCode) else { return nil }
        return plan.request.method == .post
            ? "--upload-protocol tus for a server of tus" : "for a server of tus: afcli post, or --upload-protocol tus"
    }

    /// Whether the response says that no byte follows the typed offset: 416, or as in curl a complete file that ends there.
    func hasNoRest(_ response: HTTPURLResponse) -> Bool {
        guard let offset = plan.output.requiredOffset, response.statusCode != 206 else { return false }
        return response.statusCode == 416 || response.expectedContentLength == offset
    }

    /// Returns the error of a 206 that is not the typed range, or has another length than it says.
    ///
    /// - Parameter count: The number of received bytes; `nil` before the end.
    func rangeFailure(_ response: HTTPURLResponse, received count: Int64? = nil) -> Diagnosis? {
        let isHidden = plan.output.hidesErrorBodies && response.statusCode >= 400
        // As in curl, a response without a body is no other file.
        let isEmpty = response.hasNoContent || response.expectedContentLength == 0
        if plan.output.requiredOffset != nil, !plan.omitsResponseBody, response.statusCode != 206,
            !hasNoRest(response), !isHidden, !isEmpty
        {
            return Diagnosis(
                "\(response.statusMessage) instead of the rest of the file",
                hint: "omit --continue-at to get the complete file", status: .broken, curlCode: 33)
        }
        guard response.statusCode == 206, plan.download == nil, !plan.omitsResponseBody,
            plan.request.method == .get || plan.output.requiredOffset != nil,
            let range = plan.request.headers.value(for: "Range")
        else { return nil }
        let expected = response.announcedBodyLength
        let reason: DownloadFailure.Reason
        if let failure = response.failure(ofRange: range, decodingContent: plan.session.decodesContent) {
            reason = failure
        } else if let count, expected >= 0, count != expected {
            reason = .wrongLength(expected: expected, received: count)
        } else {
            return nil
        }
        return Diagnosis(DownloadFailure(reason, path: ""), FailureContext(plan, nil))
    }

    /// Returns the error of a response to `--head` that announces more bytes than `--max-filesize` of curl allows.
    func lengthFailure(_ response: HTTPURLResponse) -> Diagnosis? {
        guard let limit = plan.output.maximumAnnouncedLength, response.expectedContentLength > limit else { return nil }
        return Diagnosis(
            "the body is larger than \(HumanUnits.limit(limit))", hint: "increase --max-filesize", status: .broken,
            curlCode: 63)
    }

    /// Warns of a body that is not decoded, as its coding is unknown.
    func warnOfCoding(_ request: Request, _ response: HTTPURLResponse) {
        guard plan.session.decodesContent, request.lastHops.last?.responseBodyBytes ?? 0 > 0,
            let name = DecodableCoding.unknown(of: response.headers.contentCodings)
        else { return }
        messages.warning("the content coding '\(name.prefix(40))' is unknown: the body is not decoded")
    }

    /// Returns the error of a body that curl would not decode.
    func codingFailure(_ response: HTTPURLResponse) -> Diagnosis? {
        guard plan.output.rejectsUnknownCodings, !plan.omitsResponseBody, !response.hasNoContent,
            response.expectedContentLength != 0,
            let name = DecodableCoding.unknown(of: response.headers.contentCodings)
        else { return nil }
        return Diagnosis(
            "the content coding '\(name.prefix(40))' is unknown",
            hint: "omit --compressed to keep the body as received", status: .broken, curlCode: 61)
    }

    /// Warns of a response that is not what the Range header, or its absence, asked for.
    func warnOfRange(_ response: HTTPURLResponse) {
        let asksForRange = plan.request.headers.value(for: "Range") != nil
        if response.statusCode == 200, asksForRange, plan.request.method == .get {
            messages.warning("the server ignored the Range header and sent the complete resource")
        }
        if response.statusCode == 206, plan.download == nil, !asksForRange {
            messages.warning("the server sent only a range, although the complete resource was requested")
        }
    }
}

extension Request {
    /// The hops of the last attempt, redirects included.
    var lastHops: [TransactionMetrics] { lastMetrics?.transactionMetrics ?? [] }
}

extension OAuth2Login {
    /// The instruction for the user, a sentence.
    var instruction: String {
        switch self {
        case .device(let code):
            let link = code.verificationURIComplete.map { ", or open \($0)" } ?? ""
            let time = HumanUnits.duration(code.lifetime)
            return "to log in, open \(code.verificationURI) and enter \(code.userCode) within \(time)\(link)"
        case .browser(_, let lifetime):
            return "to log in, open this URL on this machine within \(HumanUnits.duration(lifetime)):"
        }
    }

    /// The URL of a login in a browser.
    var browserURL: String? { if case .browser(let url, _) = self { url } else { nil } }
}

extension AuthenticationPlan {
    /// The scheme of its challenges; `nil` if it answers none.
    fileprivate var scheme: String? {
        switch self {
        case .password(let kind, _, _): kind == .any ? nil : kind.rawValue
        case .bearer, .oauth2: "Bearer"
        case .aws: nil
        }
    }
}

extension [AuthenticationChallenge] {
    /// The sentence about challenges that the tool cannot answer.
    fileprivate var unanswered: String {
        "the challenge of the server cannot be answered: \(map(\.summary).joined(separator: ", "))"
    }
}

extension AuthenticationChallenge {
    /// Whether a request follows the one that obtains the challenge.
    fileprivate var takesRounds: Bool { method.map { $0 != .basic } ?? false }

    /// The scheme and what makes a digest unusual: `Digest algorithm=SHA3-256 qop=auth`.
    fileprivate var summary: String {
        ([scheme] + ["algorithm", "qop"].compactMap { name in parameters[name].map { "\(name)=\($0)" } })
            .joined(separator: " ")
    }

    /// The options that answer the challenge.
    fileprivate var hint: String? {
        switch scheme.lowercased() {
        case "basic": "--auth USER:PASSWORD"
        case "digest": "--auth-type digest --auth USER:PASSWORD"
        case "ntlm": "--auth-type ntlm --auth DOMAIN\\USER:PASSWORD"
        case "negotiate": "kinit, then --auth-type negotiate"
        case "bearer": "--auth-type bearer --auth TOKEN"
        case "aws4-hmac-sha256": "--auth-type aws-sigv4"
        default: nil
        }
    }
}

extension Plan {
    /// Whether the response has no body, regardless of its header.
    fileprivate var omitsResponseBody: Bool {
        session.messages.omitsResponseBody(to: request.method, hasBody: request.body != .none)
    }
}

extension HTTPURLResponse {
    /// Returns the size and the type of the body, for the notice in place of a binary one; `nil` if neither is known.
    ///
    /// - Parameters:
    ///   - type: The media type.
    ///   - isSavable: Whether the same command with an output file saves the body.
    func summary(_ type: MediaType?, isSavable: Bool) -> String? {
        let length = headers.contentCodings.isEmpty ? expectedContentLength : -1
        let facts = [length < 0 ? nil : HumanUnits.bytes(length), type.map { Sanitizer.line($0.essence) }]
        let subject = facts.compactMap(\.self).joined(separator: " of ")
        let sentence = [subject, isSavable ? "-o FILE saves it" : ""].filter { !$0.isEmpty }.joined(separator: ": ")
        return sentence.isEmpty ? nil : sentence
    }
}
