"""An OAuth 2 server with Authlib: client credentials, authorization code with PKCE, device grant, refresh."""

import hashlib
import json
import os
import sys
import time

from authlib.integrations.flask_oauth2 import AuthorizationServer, ResourceProtector
from authlib.oauth2.rfc6749 import grants
from authlib.oauth2.rfc6749.models import AuthorizationCodeMixin, ClientMixin, TokenMixin
from authlib.oauth2.rfc6750 import BearerTokenValidator
from authlib.oauth2.rfc7636 import CodeChallenge
from authlib.oauth2.rfc8628 import DeviceAuthorizationEndpoint, DeviceCodeGrant, DeviceCredentialMixin
from flask import Flask, redirect, request

port = int(sys.argv[1])
application = Flask(__name__)
application.config["OAUTH2_REFRESH_TOKEN_GENERATOR"] = True
# Seconds. Short, so that a request after it needs a new token.
LIFETIME = 5
GRANTS = ("authorization_code", "client_credentials", "urn:ietf:params:oauth:grant-type:device_code")
application.config["OAUTH2_TOKEN_EXPIRES_IN"] = dict.fromkeys(GRANTS, LIFETIME)
SECRETS = {"service": "geheim:9 %+", "browser": "", "device": ""}
tokens, codes, devices, uses = [], {}, {}, []


class Client(ClientMixin):
    def __init__(self, name):
        self.client_id, self.secret = name, SECRETS[name]

    def get_client_id(self):
        return self.client_id

    def get_allowed_scope(self, scope):
        return scope or ""

    def check_redirect_uri(self, redirect_uri):
        # Any port, as RFC 8252 section 7.3 requires for loopback addresses.
        return redirect_uri.startswith("http://127.0.0.1:")

    def check_client_secret(self, client_secret):
        return client_secret == self.secret

    def check_endpoint_auth_method(self, method, endpoint):
        return method == ("client_secret_basic" if self.secret else "none")

    def check_response_type(self, response_type):
        return response_type == "code"

    def check_grant_type(self, grant_type):
        return True


class Token(TokenMixin):
    def __init__(self, client, user, **values):
        self.client, self.user, self.values, self.start = client, user, values, time.time()

    def check_client(self, client):
        return client.client_id == self.client.client_id

    def get_client(self):
        return self.client

    def get_user(self):
        return self.user

    def get_scope(self):
        return self.values.get("scope", "")

    def get_expires_in(self):
        return self.values["expires_in"]

    def is_expired(self):
        return time.time() > self.start + self.values["expires_in"]

    def is_revoked(self):
        return False


class Code(AuthorizationCodeMixin):
    def __init__(self, **values):
        self.__dict__ = values

    def get_redirect_uri(self):
        return self.redirect_uri

    def get_scope(self):
        return self.scope


class AuthorizationCode(grants.AuthorizationCodeGrant):
    TOKEN_ENDPOINT_AUTH_METHODS = ["client_secret_basic", "none"]

    def save_authorization_code(self, code, request):
        data = request.payload.data
        codes[code] = Code(code=code, client_id=request.client.client_id, redirect_uri=request.payload.redirect_uri,
                           scope=request.payload.scope or "", user=request.user,
                           code_challenge=data.get("code_challenge"),
                           code_challenge_method=data.get("code_challenge_method"))

    def query_authorization_code(self, code, client):
        found = codes.get(code)
        return found if found and found.client_id == client.client_id else None

    def delete_authorization_code(self, authorization_code):
        del codes[authorization_code.code]

    def authenticate_user(self, authorization_code):
        return authorization_code.user


class Refresh(grants.RefreshTokenGrant):
    TOKEN_ENDPOINT_AUTH_METHODS = ["client_secret_basic", "none"]
    INCLUDE_NEW_REFRESH_TOKEN = True

    def authenticate_refresh_token(self, refresh_token):
        return next((token for token in tokens if token.values.get("refresh_token") == refresh_token), None)

    def authenticate_user(self, credential):
        return credential.user

    def revoke_old_credential(self, credential):
        # A refresh token is for one use.
        tokens.remove(credential)


class Device(dict, DeviceCredentialMixin):
    def get_client_id(self):
        return self["client_id"]

    def get_scope(self):
        return self["scope"] or ""

    def get_user_code(self):
        return self["user_code"]

    def is_expired(self):
        return False


class DeviceEndpoint(DeviceAuthorizationEndpoint):
    INTERVAL = 1

    def get_verification_uri(self):
        return f"http://127.0.0.1:{port}/approve"

    def save_device_credential(self, client_id, scope, data):
        devices[data["device_code"]] = Device(data, client_id=client_id, scope=scope, polls=[])


class DeviceCode(DeviceCodeGrant):
    def query_device_credential(self, device_code):
        return devices.get(device_code)

    def query_user_grant(self, user_code):
        device = next(device for device in devices.values() if device["user_code"] == user_code)
        return ("ada", device["approved"]) if "approved" in device else None

    def should_slow_down(self, credential):
        credential["polls"].append(time.time())
        return len(credential["polls"]) > 1 and credential["polls"][-1] - credential["polls"][-2] < 0.9


class Validator(BearerTokenValidator):
    def authenticate_token(self, token_string):
        return next((token for token in tokens if token.values["access_token"] == token_string), None)


def save_token(token, request):
    tokens.append(Token(request.client, request.user, **token))


server = AuthorizationServer(application, lambda name: Client(name) if name in SECRETS else None, save_token)
server.register_grant(grants.ClientCredentialsGrant)
server.register_grant(AuthorizationCode, [CodeChallenge(required=True)])
server.register_grant(Refresh)
server.register_grant(DeviceCode)
server.register_endpoint(DeviceEndpoint)
protector = ResourceProtector()
protector.register_token_validator(Validator())


@application.get("/authorize")
def authorize():
    grant = server.get_consent_grant(end_user="ada")
    return server.create_authorization_response(grant_user=None if "deny" in request.args else "ada", grant=grant)


@application.post("/token")
def token():
    uses.append(request.form["grant_type"].split(":")[-1])
    return server.create_token_response()


@application.post("/device")
def device():
    return server.create_endpoint_response(DeviceAuthorizationEndpoint.ENDPOINT_NAME)


@application.get("/approve")
def approve():
    next(device for device in devices.values() if device["user_code"] == request.args["user_code"])["approved"] = True
    return "approved"


@application.get("/uses")
def show_uses():
    return json.dumps(uses)


@application.route("/private/<path:path>", methods=["GET", "POST"])
@protector()
def private(path):
    if path in ("redirect", "elsewhere"):
        return redirect("/private/end" if path == "redirect" else os.environ["ELSEWHERE"])
    body = request.get_data()
    return {"method": request.method, "target": request.full_path.removesuffix("?"), "length": len(body),
            "sha256": hashlib.sha256(body).hexdigest(), "authorization": "Bearer"}


if __name__ == "__main__":
    application.run("127.0.0.1", port)
