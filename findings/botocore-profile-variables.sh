#!/usr/bin/env bash
# With AWS_PROFILE and AWS_DEFAULT_PROFILE, botocore takes the one with the old name.
#
# One would guess: AWS_PROFILE, the documented name, wins over AWS_DEFAULT_PROFILE, which was kept for older scripts.
# Seen: AWS_DEFAULT_PROFILE wins, so that a session signs with the other profile's keys.
# Version: botocore 1.40.0. Source: the variables of "profile" in botocore/configprovider.py, in their order.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/env"
"$folder/env/bin/pip" install -q --disable-pip-version-check botocore==1.40.0
cat >"$folder/credentials" <<'FILE'
[new]
aws_access_key_id = KEYOFNEW
aws_secret_access_key = s
[old]
aws_access_key_id = KEYOFOLD
aws_secret_access_key = s
FILE
export AWS_SHARED_CREDENTIALS_FILE=$folder/credentials AWS_CONFIG_FILE=$folder/none AWS_EC2_METADATA_DISABLED=true
key=$(AWS_PROFILE=new AWS_DEFAULT_PROFILE=old "$folder/env/bin/python" -c '
import botocore.session
print(botocore.session.Session().get_credentials().access_key)')
echo "AWS_PROFILE=new AWS_DEFAULT_PROFILE=old: $key"
[[ $key = KEYOFOLD ]] || { echo "this has changed" >&2; exit 1; }
