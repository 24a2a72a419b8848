"""An OAuth 2 server with django-oauth-toolkit: client credentials, code with PKCE, device grant, refresh."""

import hashlib
import json
import os
import sys

import django
from django.conf import settings
from django.http import HttpResponse, HttpResponseRedirect, JsonResponse
from django.urls import include, path

port = sys.argv[1]
uses = []


def browser_login(get_response):
    """Logs the browser in: the login page of the server is no part of the table."""
    def middleware(request):
        from django.contrib.auth.models import User
        if request.path.startswith("/o/authorize"):
            request.user = User.objects.get(username="ada")
        if request.path == "/o/token/":
            uses.append(request.POST.get("grant_type", "").split(":")[-1])
        return get_response(request)
    return middleware


settings.configure(
    LOGGING={"version": 1, "handlers": {"console": {"class": "logging.StreamHandler"}},
             "loggers": {"django.request": {"handlers": ["console"], "level": "ERROR"}}},
    DEBUG=False, SECRET_KEY="a key of the test", ALLOWED_HOSTS=["127.0.0.1"], ROOT_URLCONF=__name__, USE_TZ=True,
    DATABASES={"default": {"ENGINE": "django.db.backends.sqlite3", "NAME": "database"}},
    DEFAULT_AUTO_FIELD="django.db.models.BigAutoField",
    INSTALLED_APPS=["django.contrib.auth", "django.contrib.contenttypes", "django.contrib.sessions", "oauth2_provider"],
    MIDDLEWARE=["django.contrib.sessions.middleware.SessionMiddleware",
                "django.contrib.auth.middleware.AuthenticationMiddleware", f"{__name__}.browser_login"],
    # Short, so that a request after it needs a new token.
    OAUTH2_PROVIDER={"ACCESS_TOKEN_EXPIRE_SECONDS": 5, "PKCE_REQUIRED": True, "ROTATE_REFRESH_TOKEN": True,
                     "ALLOWED_REDIRECT_URI_SCHEMES": ["http"], "DEVICE_FLOW_INTERVAL": 1,
                     "OAUTH_DEVICE_VERIFICATION_URI": f"http://127.0.0.1:{port}/approve"},
)
django.setup()


def private(request, rest):
    from oauth2_provider.oauth2_backends import get_oauthlib_core
    is_valid, _ = get_oauthlib_core().verify_request(request, scopes=[])
    if not is_valid:
        return HttpResponse(status=401, headers={"WWW-Authenticate": 'Bearer realm="private"'})
    if rest in ("redirect", "elsewhere"):
        return HttpResponseRedirect("/private/end" if rest == "redirect" else os.environ["ELSEWHERE"])
    return JsonResponse({"method": request.method, "target": request.get_full_path(), "length": len(request.body),
                         "sha256": hashlib.sha256(request.body).hexdigest(), "authorization": "Bearer"})


def approve(request):
    from django.contrib.auth.models import User
    from oauth2_provider.models import get_device_grant_model
    device = get_device_grant_model().objects.get(user_code=request.GET["user_code"])
    device.user, device.status = User.objects.get(username="ada"), device.AUTHORIZED
    device.save()
    return HttpResponse("approved")


urlpatterns = [path("o/", include("oauth2_provider.urls", namespace="oauth2_provider")), path("approve", approve),
               path("uses", lambda request: HttpResponse(json.dumps(uses))), path("private/<path:rest>", private)]


def fill():
    from django.contrib.auth.models import User
    from django.core.management import call_command
    from oauth2_provider.models import Application
    call_command("migrate", verbosity=0)
    user = User.objects.create_user("ada")
    for name, secret, grant in (("service", "geheim:9 %+", Application.GRANT_CLIENT_CREDENTIALS),
                                ("browser", "", Application.GRANT_AUTHORIZATION_CODE),
                                ("device", "", Application.GRANT_DEVICE_CODE)):
        Application.objects.create(
            client_id=name, client_secret=secret, user=user, authorization_grant_type=grant, skip_authorization=True,
            client_type=Application.CLIENT_CONFIDENTIAL if secret else Application.CLIENT_PUBLIC,
            redirect_uris="http://127.0.0.1/" if name == "browser" else "")


if __name__ == "__main__":
    from django.core.servers.basehttp import WSGIServer, run
    from django.core.wsgi import get_wsgi_application
    sys.modules[settings.ROOT_URLCONF] = sys.modules["__main__"]
    if not os.path.exists("database"):
        fill()
    run("127.0.0.1", int(port), get_wsgi_application(), server_cls=WSGIServer, threading=True)
