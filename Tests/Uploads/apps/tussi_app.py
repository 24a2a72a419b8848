"""tussi: PORT DIRECTORY."""

import pathlib
import sys

import tussi
import uvicorn

directory = pathlib.Path(sys.argv[2])
# Its default refuses a PATCH of more than 10 MB with 413, and no response mentions that limit.
app = tussi.TUSApp(tussi.FilesystemStorage(directory / "incomplete"), directory / "complete", max_chunk_size=None)
uvicorn.run(app, host="127.0.0.1", port=int(sys.argv[1]), log_level="warning", lifespan="off")
