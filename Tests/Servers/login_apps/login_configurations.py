"""Configurations of the servers with logins; {port}, {backend}, {folder} and {user} are replaced."""

NGINX = """
daemon off;
pid nginx.pid;
events {{}}
http {{
    access_log off;
    client_max_body_size 10m;
    client_body_temp_path body;
    proxy_temp_path proxy;
    fastcgi_temp_path fastcgi;
    uwsgi_temp_path uwsgi;
    scgi_temp_path scgi;
    server {{
        listen 127.0.0.1:{port};
        auth_basic private;
        auth_basic_user_file {folder}/htpasswd;
        proxy_redirect off;
        location / {{ proxy_pass http://127.0.0.1:{backend}; }}
    }}
}}
"""

APACHE = """
ServerName localhost
Listen 127.0.0.1:{port}
PidFile apache.pid
ErrorLog error.log
LoadModule mpm_event_module /usr/lib/apache2/modules/mod_mpm_event.so
LoadModule authn_core_module /usr/lib/apache2/modules/mod_authn_core.so
LoadModule authn_file_module /usr/lib/apache2/modules/mod_authn_file.so
LoadModule authz_core_module /usr/lib/apache2/modules/mod_authz_core.so
LoadModule authz_user_module /usr/lib/apache2/modules/mod_authz_user.so
LoadModule auth_basic_module /usr/lib/apache2/modules/mod_auth_basic.so
LoadModule auth_digest_module /usr/lib/apache2/modules/mod_auth_digest.so
LoadModule proxy_module /usr/lib/apache2/modules/mod_proxy.so
LoadModule proxy_http_module /usr/lib/apache2/modules/mod_proxy_http.so
"""

APACHE_BASIC = APACHE + """
<Location />
    AuthType Basic
    AuthName private
    AuthUserFile {folder}/htpasswd
    Require valid-user
    ProxyPass http://127.0.0.1:{backend}/
</Location>
"""

APACHE_DIGEST = APACHE + """
<Location />
    AuthType Digest
    AuthName private
    AuthUserFile {folder}/htdigest
    Require valid-user
    ProxyPass http://127.0.0.1:{backend}/
</Location>
"""

APACHE_KERBEROS = APACHE + """
LoadModule auth_gssapi_module /usr/lib/apache2/modules/mod_auth_gssapi.so
<Location />
    AuthType GSSAPI
    AuthName private
    GssapiCredStore keytab:{folder}/http.keytab
    GssapiBasicAuth Off
    GssapiAllowedMech krb5
    Require valid-user
    ProxyPass http://127.0.0.1:{backend}/
</Location>
"""

LIGHTTPD = """
server.document-root = "{folder}/root"
server.bind = "127.0.0.1"
server.port = {port}
server.errorlog = "{folder}/error.log"
server.modules = ("mod_auth", "mod_authn_file", "mod_proxy")
auth.backend = "htdigest"
auth.backend.htdigest.userfile = "{folder}/htdigest"
auth.require = ("/" => ("method" => "digest", "realm" => "private", "algorithm" => "%s", "require" => "valid-user"))
proxy.server = ("" => (("host" => "127.0.0.1", "port" => {backend})))
"""

SQUID = """
http_port 127.0.0.1:{port}
visible_hostname localhost
pid_filename none
access_log none
cache_log {folder}/squid/cache.log
cache deny all
coredump_dir {folder}/squid
shutdown_lifetime 0 seconds
pinger_enable off
%s
acl known proxy_auth REQUIRED
http_access allow known
http_access deny all
"""

SQUID_BASIC = SQUID % """
auth_param basic program /usr/lib/squid/basic_ncsa_auth {folder}/htpasswd
auth_param basic children 2
auth_param basic realm private
"""

SQUID_DIGEST = SQUID % """
auth_param digest program /usr/lib/squid/digest_file_auth -c {folder}/htdigest
auth_param digest children 2
auth_param digest realm private
"""

SQUID_NEGOTIATE = SQUID % """
auth_param negotiate program /usr/lib/squid/negotiate_kerberos_auth -k {folder}/http.keytab -s HTTP/localhost
auth_param negotiate children 2
"""

# Names are not looked up: the host of the URL is the host of the principal.
KERBEROS = """
[libdefaults]
    default_realm = SERVERS.TEST
    dns_lookup_kdc = false
    dns_lookup_realm = false
    dns_canonicalize_hostname = false
    rdns = false
    udp_preference_limit = 1
[realms]
    SERVERS.TEST = {{
        kdc = 127.0.0.1:{port}
    }}
[domain_realm]
    localhost = SERVERS.TEST
"""

KDC = """
[kdcdefaults]
    kdc_listen = 127.0.0.1:{port}
    kdc_tcp_listen = 127.0.0.1:{port}
[realms]
    SERVERS.TEST = {{
        database_name = {folder}/principal
        key_stash_file = {folder}/stash
        acl_file = {folder}/acl
        max_life = 1h
    }}
[logging]
    kdc = FILE:{folder}/kdc.log
"""
