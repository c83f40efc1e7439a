"""Keeps the fuzzer's corpus in one file, an input in base64 on each line.

Usage: corpus.py unpack FILE FOLDER | corpus.py pack FILE FOLDER | corpus.py hex FILE. Run it by `Scripts/fuzz`.
"""

import base64
import hashlib
import pathlib
import sys


def main():
    action, file = sys.argv[1], pathlib.Path(sys.argv[2])
    if action == "hex":
        for line in file.read_text().splitlines():
            print(base64.b64decode(line).hex())
        return
    folder = pathlib.Path(sys.argv[3])
    if action == "unpack":
        folder.mkdir(parents=True, exist_ok=True)
        for line in file.read_text().splitlines():
            data = base64.b64decode(line)
            (folder / hashlib.sha1(data).hexdigest()).write_bytes(data)
    else:
        inputs = sorted({path.read_bytes() for path in folder.iterdir()}, key=lambda data: (data[:1], len(data), data))
        file.write_text("".join(base64.b64encode(data).decode() + "\n" for data in inputs))
        print(f"Corpus: {len(inputs)} inputs, {file.stat().st_size} bytes")


main()
