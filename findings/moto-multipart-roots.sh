#!/usr/bin/env bash
# moto names the documents of two multipart operations otherwise than S3.
#
# One would guess: the root elements are those of the service's reference, as for InitiateMultipartUploadResult, so that a
# client that checks them can be tested against moto.
# Seen: ListParts answers ListPartsResponse (S3: ListPartsResult), and CompleteMultipartUpload answers
# CompleteMultipartUploadResponse (S3: CompleteMultipartUploadResult). boto3 reads no name of a root element.
# Version: moto 5.2.1, boto3 1.43.11 (PyPI). Source: the templates of moto/s3/responses.py; S3's API reference, syntax of both responses.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/env"
"$folder/env/bin/pip" install -q --disable-pip-version-check --no-compile 'moto[s3]==5.2.1' boto3==1.43.11
timeout 100 "$folder/env/bin/python" - <<'PYTHON' || { echo "this has changed" >&2; exit 1; }
import sys
import xml.etree.ElementTree as tree
import boto3, moto

seen = []

def note(response_dict, **_):
    if response_dict["body"].startswith(b"<"):
        seen.append(tree.fromstring(response_dict["body"]).tag.rpartition("}")[2])

with moto.mock_aws():
    s3 = boto3.client("s3", "us-east-1", aws_access_key_id="key", aws_secret_access_key="secret")
    s3.create_bucket(Bucket="bucket")
    s3.meta.events.register("before-parse.s3.*", note)
    upload = {"Bucket": "bucket", "Key": "key"}
    upload["UploadId"] = s3.create_multipart_upload(**upload)["UploadId"]
    tag = s3.upload_part(PartNumber=1, Body=b"hello", **upload)["ETag"]
    s3.list_parts(**upload)
    s3.complete_multipart_upload(MultipartUpload={"Parts": [{"PartNumber": 1, "ETag": tag}]}, **upload)
print("\n".join(seen))
sys.exit(seen != ["InitiateMultipartUploadResult", "ListPartsResponse", "CompleteMultipartUploadResponse"])
PYTHON
