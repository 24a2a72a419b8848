import AFHTTP
import Testing

struct SecretNamesTests {
    @Test(arguments: [
        "pass", "user_password", "userPassword", "api_token", "apiToken", "APIToken", "authtoken", "private_key",
        "secret_key", "access_key", "x-api-key", "API_KEY", "apikey", "otp", "dbPass", "DBPass", "code", "PHPSESSID",
        "client_secret", "X-Amz-Credential", "login[password]", "login.password", "passwords[0]", "password2", "key_2",
        "password_confirmation", "api%5Fkey", "ConnectionString", "ключ.token", "ticket", "error.code",
        "download_ticket", "AWSAccessKeyId",
    ])
    func `names of secrets are recognized`(name: String) {
        #expect(SecretNames().contains(name))
    }

    @Test(arguments: [
        "", "0", "user", "monkey", "bypass", "compass", "author", "country_code", "password.hint", "passwordHint",
        "token_count", "max_tokens", "public_key", "pageToken", "spinner", "%zz", "[]", "sidebar", "state",
    ])
    func `other names are not recognized as secrets`(name: String) {
        #expect(!SecretNames().contains(name))
    }

    @Test(arguments: [
        ("code", "rate_limit_exceeded", false), ("Code", "NoSuchKey", false), ("key", "user.name", false),
        ("error.code", "rate_limit_exceeded", false), ("errors[0][code]", "NoSuchKey", false),
        ("ticket", "ABC-12", false), ("jiraTicket", "ABC-12", false), ("jiraTicket", "a0123456789abcdefg", true),
        ("ticket", "ST-1-a0123456789abcdefg", true), ("key", "AKIA0123456789abcdef", true), ("api_key", "a", true),
        ("token", "", true), ("name", "a", false),
    ])
    func `a code or a key of a response is a secret if it is no word`(name: String, value: String, isSecret: Bool) {
        #expect(SecretNames().containInResponse(name, value: value) == isSecret)
        #expect(SecretNames(["code"]).containInResponse("code", value: "a"))
    }

    @Test func `additional names of secrets match in any notation`() {
        let names = SecretNames(["customer-id"])
        #expect(names.contains("CustomerID") && names.contains("customer_id") && names.contains("token"))
        #expect(!names.contains("customer"))
    }
}
