"""readme_walk.py <folder with node_modules> <page...>

Pastes the ```bash blocks of each page, of the README those of "A first walk", into one shell against the server at
MAGNETO_ENDPOINT. The ```text block after a block is its expected output.
"""

import os
import pathlib
import re
import subprocess
import sys
import tempfile

SECTION = "## A first walk\n"
ADDRESS = "http://127.0.0.1:8000"
END_OF_BLOCK = "=== end of block ==="


def find_blocks(text):
    """(command, expected output) of each block of the section."""
    section = text.split(SECTION, 1)[1].split("\n## ", 1)[0] if SECTION in text else text
    fences = re.findall(r"^```(\w+)\n(.*?)^```$", section, re.M | re.S)
    languages = [language for language, _ in fences]
    if not fences or languages != ["bash", "text"] * (len(fences) // 2):
        raise SystemExit(f"the walk is not made of bash and text blocks in turn: {languages}")
    return [(fences[i][1], fences[i + 1][1]) for i in range(0, len(fences), 2)]


def main(node_folder, *pages):
    return max(walk(page, node_folder) for page in pages)


def walk(page, node_folder):
    blocks = find_blocks(pathlib.Path(page).read_text(encoding="utf-8"))
    script = ["set -eu\n", "PATH=/usr/bin:$PATH\n"]
    for command, _ in blocks:
        if ADDRESS not in command:
            raise SystemExit(f"a block does not name the server, {ADDRESS}:\n{command}")
        script += [command.replace(ADDRESS, os.environ["MAGNETO_ENDPOINT"]), f"echo '{END_OF_BLOCK}'\n"]
    with tempfile.TemporaryDirectory() as folder:
        os.symlink(os.path.join(os.path.abspath(node_folder), "node_modules"), f"{folder}/node_modules")
        done = subprocess.run(["bash", "-s"], input="".join(script), text=True, cwd=folder,
                              stdout=subprocess.PIPE, check=False)
    expected = "".join(output + END_OF_BLOCK + "\n" for _, output in blocks)
    if done.returncode != 0 or done.stdout != expected:
        print(f"exit code {done.returncode}, printed:\n{done.stdout}\ninstead of:\n{expected}")
        return 1
    print(f"{len(blocks)} blocks of {page} do what they say")
    return 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
