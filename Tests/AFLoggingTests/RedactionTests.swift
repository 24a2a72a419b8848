#if Logging
    import AFCore
    import AFLogging
    import Testing

    @Suite struct RedactionTests {
        @Test(arguments: [
            ("http://h/p?q=1", "http://h/p?q=1"),
            ("http://ada:pw@h/p", "http://•••@h/p"),
            ("http://ada@h", "http://•••@h"),
            ("http://h/a@b?c=d@e", "http://h/a@b?c=d@e"),
            ("http://h/?access_token=x&page=2", "http://h/?access_token=•••&page=2"),
            ("http://h/?X-Amz-Signature=x&API-KEY=y", "http://h/?X-Amz-Signature=•••&API-KEY=•••"),
            ("http://h/?token=&token", "http://h/?token=&token"),
            ("http://h/?q=eyJhbGciOi.eyJzdWIi.c2ln", "http://h/?q=•••"),
            ("http://h/?q=0123456789abcdef0123456789abcdef01234567", "http://h/?q=•••"),
            (
                "http://h/?q=all+the+words+that+somebody+looks+for+and+more",
                "http://h/?q=all+the+words+that+somebody+looks+for+and+more"
            ),
            ("http://h/p#access_token=x", "http://h/p"),
            ("/relative?password=x", "/relative?password=•••"),
        ])
        func `only the secrets of a URL are redacted`(url: String, redacted: String) {
            #expect(LogRedaction().url(url) == redacted)
        }

        @Test(arguments: [
            (HTTPHeader.authorization(bearerToken: "x"), "Authorization: •••"),
            (HTTPHeader(name: "x-api-key", value: "x"), "x-api-key: •••"),
            (HTTPHeader(name: "Location", value: "http://h/?token=x"), "Location: http://h/?token=•••"),
            (HTTPHeader.accept("a/b"), "Accept: a/b"),
        ])
        func `only the secrets of a header field are redacted`(header: HTTPHeader, redacted: String) {
            #expect(LogRedaction().header(header) == redacted)
        }

        @Test func `custom names can be secret`() {
            var redaction = LogRedaction()
            redaction.secretHeaders = ["X-Tenant"]
            redaction.secretQueryItems = ["customer"]
            redaction.replacement = "?"
            #expect(redaction.header(HTTPHeader(name: "x-tenant", value: "a")) == "x-tenant: ?")
            #expect(redaction.url("http://h/?customer=a&token=b") == "http://h/?customer=?&token=?")
        }

        @Test func `URLs are found in sentences`() {
            let text = "no answer from \"http://a:b@h/?sig=c\" (see http://h/)"
            #expect(LogRedaction().text(text) == "no answer from \"http://•••@h/?sig=•••\" (see http://h/)")
        }
    }
#endif
