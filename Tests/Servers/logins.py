"""Logins at servers, at proxies and with tokens. The parts of the table are in login_apps."""

import sys

from harness import HERE

sys.path.insert(0, str(HERE / "login_apps"))

from login_amazon import AMAZON  # noqa: E402
from login_base import row  # noqa: E402
from login_oauth import OAUTH  # noqa: E402
from login_web import WEB  # noqa: E402

title = "Logins"
introduction = """
The server behind each of these reports the requests that it receives. The results:

- *right*, *wrong*, *none*: the exit status for such credentials, and the scheme or error that the message names.
- *netrc*: the exit status with credentials from a netrc file.
- *POST*: a body of 2 MB arrives complete. *query*: so does a query with quotes, blanks and umlauts.
- *redirect*, *other origin*: whether the credentials are sent to the same and to another origin.
- *tunnel*: an https URL through a proxy.
- *session*: the grant that a later run with `--session` uses, without another login.
- *temporary*: keys of AssumeRole with a session token; another token is refused.

The password is in no output of these runs, not even with `--debug`. `-v` shows the `Authorization` field unchanged.
"""
situations = ("right", "wrong", "none", "netrc", "POST", "query", "redirect", "other origin", "tunnel", "session",
              "temporary")

servers = {name: (lambda tool, name=name, start=start, asks=asks: row(name, tool, start, asks))
           for name, (start, asks) in (WEB | OAUTH | AMAZON).items()}
