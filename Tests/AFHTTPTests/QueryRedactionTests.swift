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
        ("", ""),
    ])
    func `only the secrets of a form are redacted`(form: String, redacted: String) {
        #expect(QueryRedaction().query(form) == redacted)
    }

    @Test func `secret names and their replacement can be configured`() {
        let redaction = QueryRedaction(names: SecretNames(["customer_id"]), replacement: "?")
        #expect(redaction.query("customerId=1&password=2&page=3") == "customerId=?&password=?&page=3")
    }
}
