"""Uploads with tuspy: URL FILE RETRIES. Its URL storage makes it continue."""

import sys

from tusclient import client
from tusclient.storage import filestorage

url, path, retries = sys.argv[1:]
uploader = client.TusClient(url).uploader(
    path, chunk_size=1 << 20, retries=int(retries), retry_delay=0.1, store_url=True,
    url_storage=filestorage.FileStorage("uploads.json"), metadata={"filename": "f", "filetype": "text/plain"})
uploader.upload()
