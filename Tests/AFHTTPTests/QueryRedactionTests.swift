import AFHTTP
import Testing

struct QueryRedactionTests {
    @Test(arguments: [
        ("http://h/?access_token=x&page=2", "http://h/?access_token=•••&page=2"),
        ("http://h/?access%5Ftoken=x", "http://h/?access%5Ftoken=•••"),
        ("http://h/p#access_token=x", "http://h/p"),
        ("http://h/p?token=x#y", "http://h/p?token=•••"),
        ("http://h/p?", "http://h/p?"),
        ("http://h/p;access_token=x", "http://h/p;access_token=•••"),
        (
            "http://h/p;a=1;jsessionid=x/q;b=2/c;token=y?ticket=z",
            "http://h/p;a=1;jsessionid=•••/q;b=2/c;token=•••?ticket=•••"
        ),
        ("http://h/p;/token=x;token;token=?a;token=b", "http://h/p;/token=x;token;token=?a;token=•••"),
        ("http://h/p?a?token=b&c?d=e", "http://h/p?a?token=•••&c?d=e"),
        ("http://h/p?a=1;token=x", "http://h/p?a=1;token=•••"),
        ("http://h/p?a=1;token=x;y&b=2;c", "http://h/p?a=1;token=•••&b=2;c"),
        ("http://h/p;a;token=x;y/q?b", "http://h/p;a;token=•••/q?b"),
        ("http://h/p?\u{301};\u{301}token=x&\u{301}a=1#\u{301}b", "http://h/p?\u{301};\u{301}token=•••&\u{301}a=1"),
        ("http://h/?http://i/?token=x", "http://h/?http://i/?token=•••"),
        ("http://h/?http%3A%2F%2Fi%2F%3Ftoken%3Dx", "http://h/?•••"),
    ])
    func `secrets in the query of a URL are redacted`(url: String, redacted: String) {
        #expect(QueryRedaction().url(url) == redacted)
    }

    @Test(arguments: [
        ("user=ada&password=x", "user=ada&password=•••"),
        ("login%5Bpassword%5D=x&login[name]=ada", "login%5Bpassword%5D=•••&login[name]=ada"),
        ("login.password=x&password.hint=y", "login.password=•••&password.hint=y"),
        ("Refresh-Token=x&token=&token&=&", "Refresh-Token=•••&token=&token&=&"),
        ("user=ada&pass=x&x-api-key=y", "user=ada&pass=•••&x-api-key=•••"),
        ("q=eyJhbGciOi.eyJzdWIi.c2ln", "q=•••"),
        ("to=http%3A%2F%2Fh%3Fa%3D1%26token%3Dx", "to=•••"),
        ("to=http%3A%2F%2Fh%3Fa%3D1", "to=http%3A%2F%2Fh%3Fa%3D1"),
        ("to=http://ada:x@h/&to=http://h/", "to=•••&to=http://h/"),
        ("to=%2Fp%3Ftoken%3Dx&to=%2Fp%3Fa%3Db", "to=•••&to=%2Fp%3Fa%3Db"),
        ("to=http%3A%2F%2Fh%2Fp%3Btoken%3Dx&to=http%3A%2F%2Fh%23token%3Dx", "to=•••&to=•••"),
        ("to=http%3A%2F%2Fh%3Fto%3Dhttp%253A%252F%252Fh%253Ftoken%253Dx", "to=•••"),
        ("to=%2Fp%3Fto%3D%252Fp%253Fa%253Dx", "to=%2Fp%3Fto%3D%252Fp%253Fa%253Dx"),
        ("to=%FF%3Ftoken%3Dx&form=a%3D1%26token%3Dx", "to=•••&form=•••"),
        ("variables=%7B%22a%22%3A1%2C%22password%22%3A%22x%22%7D", "variables=•••"),
        (
            #"variables={"page":{"size":3}}&sort=name:asc,key:desc"#,
            #"variables={"page":{"size":3}}&sort=name:asc,key:desc"#
        ),
        ("q=YWJjZA==&filter=a==b;c=gt=5&email=ada@h", "q=YWJjZA==&filter=a==b;c=gt=5&email=ada@h"),
        ("password=a;b;c&a=1", "password=•••&a=1"),
        ("code=x&state=0a1b2c3d4e5f6g7h&state=open&policy=strict", "code=•••&state=•••&state=open&policy=strict"),
        (
            "q=some%20words%20in%20a%20sentence%20of%20a%20search%201&fields=id%2Cname%2Caddress%2Cemail%2Cphone%2Ccity%2C1",
            "q=some%20words%20in%20a%20sentence%20of%20a%20search%201&fields=id%2Cname%2Caddress%2Cemail%2Cphone%2Ccity%2C1"
        ),
        (
            "slug=how-to-configure-http-caching-in-2026-with-nginx&q=%E4%B8%AD%E6%96%87%E6%90%9C%E7%B4%A2%E5%BC%95%E6%93%8E",
            "slug=how-to-configure-http-caching-in-2026-with-nginx&q=%E4%B8%AD%E6%96%87%E6%90%9C%E7%B4%A2%E5%BC%95%E6%93%8E"
        ),
        (
            "to=%2Fv1%2Fusers%2F12345%2Forders%2F67890%2Fitems%2Fshipping",
            "to=%2Fv1%2Fusers%2F12345%2Forders%2F67890%2Fitems%2Fshipping"
        ),
        ("q=q83vEjRWeJCrze8SNFZ4kKvN7xI0VniQq83vEjRW%2BeJ%2FA%3D%3D", "q=•••"),
        ("x=Ab3dEfGh1JkLmN-pQ7rStUvWx2Yz_aB3cDeFgHi4KlMn", "x=•••"),
        ("x=0b1e5a3c-8f52-4c55-9d1a-5d8f0a6c1b2e-7c9e6679-7425-40de-944b-e07fc1f90ae7", "x=•••"),
        ("x=qWErtyuiOp-asDFghjk_lzXCvbnm-QWertyui-OPasdf1", "x=•••"),
        ("x=tbxa-123456789012-123456789012-kjhgfdsaqwertyuiopzxcvbn", "x=•••"),
        ("x=abcdefghijklmnopqrstuvwxyzabcdefghijklmnop-1", "x=•••"),
        ("x=token-1-1234567890123456789012345678901234567890", "x=•••"),
        ("", ""),
    ])
    func `only the secrets of a form are redacted`(form: String, redacted: String) {
        #expect(QueryRedaction().query(form) == redacted)
    }

    /// URLs that grant access, with the parameters of the documentation of their services.
    @Test(arguments: [
        (
            "https://b.s3.example/o?AWSAccessKeyId=AKIAEXAMPLE&Signature=vjbyPxybdZaN%3D&Expires=1175139620",
            "AWSAccessKeyId=•••&Signature=•••&Expires=1175139620"
        ),
        (
            "https://b.s3.example/o?X-Amz-Algorithm=AWS4-HMAC-SHA256&X-Amz-Credential=A%2F2026&X-Amz-Date=20261129T000000Z"
                + "&X-Amz-Expires=60&X-Amz-SignedHeaders=host&X-Amz-Security-Token=Fw&X-Amz-Signature=fe5f",
            "X-Amz-Algorithm=AWS4-HMAC-SHA256&X-Amz-Credential=•••&X-Amz-Date=20261129T000000Z&X-Amz-Expires=60"
                + "&X-Amz-SignedHeaders=host&X-Amz-Security-Token=•••&X-Amz-Signature=•••"
        ),
        (
            "https://storage.example/b/o?GoogleAccessId=a@b.example&Expires=1458238630&Signature=VVUgfqviDCov",
            "GoogleAccessId=•••&Expires=1458238630&Signature=•••"
        ),
        (
            "https://storage.example/b/o?X-Goog-Algorithm=GOOG4-RSA-SHA256&X-Goog-Credential=a%2F2026&X-Goog-Signature=24",
            "X-Goog-Algorithm=GOOG4-RSA-SHA256&X-Goog-Credential=•••&X-Goog-Signature=•••"
        ),
        (
            "https://a.blob.example/c/b?sv=2023-11-03&ss=b&srt=o&sp=r&se=2026-11-29&st=2026-11-28&spr=https&sig=Z%2FRH",
            "sv=2023-11-03&ss=b&srt=o&sp=r&se=2026-11-29&st=2026-11-28&spr=https&sig=•••"
        ),
        (
            "https://d.cloudfront.example/f?Policy=eyJTdGF0ZW1lbnQiOlt7IlJlc291cmNlIjoiaHR0cHM6Ly9kLyoifV19"
                + "&Signature=nitfHRCrtziwO2HwPfWw~yYDhUF5EwRunQA&Key-Pair-Id=K2JCJMDEHXQW5F",
            "Policy=•••&Signature=•••&Key-Pair-Id=•••"
        ),
        (
            "https://api.cloudinary.example/image/download?api_key=1234&timestamp=1315060510&signature=bfd0&public_id=a",
            "api_key=•••&timestamp=1315060510&signature=•••&public_id=a"
        ),
        (
            "https://res.cloudinary.example/a.jpg?__cld_token__=exp=1~acl=/a/*~hmac=08c5", "__cld_token__=•••"
        ),
        ("https://cdn.example/a?hdnts=exp=1~acl=/*~hmac=08c5&b=1", "hdnts=•••&b=1"),
        (
            "https://slack.example/files/a?pub_secret=8004f9&t=1&download_ticket=x",
            "pub_secret=•••&t=1&download_ticket=•••"
        ),
        (
            "https://codeload.github.example/a/zip/main?token=ABC&client_id=1&client_secret=x&ref=main",
            "token=•••&client_id=1&client_secret=•••&ref=main"
        ),
        ("https://h/callback?code=4%2F0A&state=af0ifjsldkj&scope=openid", "code=•••&state=af0ifjsldkj&scope=openid"),
        (
            "https://h/callback?oauth_token=1&oauth_verifier=2&oauth_signature=3&oauth_nonce=4",
            "oauth_token=•••&oauth_verifier=•••&oauth_signature=•••&oauth_nonce=4"
        ),
        (
            "https://api.twilio.example/Media/ME1?Expires=1&Signature=a&Key-Pair-Id=A&AuthToken=b",
            "Expires=1&Signature=•••&Key-Pair-Id=•••&AuthToken=•••"
        ),
        (
            "https://u1.ct.sendgrid.example/ls/click?upn=u001.a-2B1bcdefghijklmnopqrstuvwxyz0123456789ABCDEFGHIJ",
            "upn=•••"
        ),
        ("https://api.mapbox.example/styles/v1/a?access_token=pk.eyJ1&fresh=true", "access_token=•••&fresh=true"),
        (
            "https://maps.example/staticmap?center=a&key=k&client=gme&signature=s",
            "center=a&key=•••&client=gme&signature=•••"
        ),
        ("https://drive.example/file?resourcekey=0-a&id=1", "resourcekey=•••&id=1"),
        ("https://dropbox.example/scl/fi/a?rlkey=b&dl=0", "rlkey=•••&dl=0"),
        ("https://o.example/?authkey=!A&cid=1", "authkey=•••&cid=1"),
        (
            "https://oss.example/o?OSSAccessKeyId=a&Expires=1&Signature=b&security-token=c",
            "OSSAccessKeyId=•••&Expires=1&Signature=•••&security-token=•••"
        ),
        ("https://api.example/?app_id=1&sign=0123456789abcdef0123456789abcdef", "app_id=1&sign=•••"),
        ("https://h/verify?next=https%3A%2F%2Fb.s3.example%2Fo%3FX-Amz-Signature%3Dfe5f&a=1", "next=•••&a=1"),
    ])
    func `the secrets of signed URLs are redacted`(url: String, query: String) throws {
        let address = try #require(url.split(separator: "?").first)
        #expect(QueryRedaction().url(url) == "\(address)?\(query)")
    }

    @Test(arguments: ["a=", "?a=", ";a=", "a;b=", "&a=", "~", "%3Fa%3D", "{", ":"])
    func `the time is linear`(piece: String) {
        let text = "http://h/p?a=" + String(repeating: piece, count: 20_000)
        let time = ContinuousClock().measure { _ = QueryRedaction().url(text) }
        #expect(time < .seconds(20))
    }

    @Test func `secret names and their replacement can be configured`() {
        let redaction = QueryRedaction(names: SecretNames(["customer_id"]), replacement: "?")
        #expect(redaction.query("customerId=1&password=2&page=3") == "customerId=?&password=?&page=3")
    }
}
