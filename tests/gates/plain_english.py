"""Plain English: sentences of the documents are short, and their subjects have names.

Counts, over all Markdown files, sentences of more than 35 words, and clauses that begin with a bare "what", "who",
"whoever" or "whatever" in the place of the thing itself. A few of both are allowed in all. In the comments of some
folders only the clauses count, because tables and grammars there are long sentences.
"""

import re

from tree import Fault, list_files, read

MAX_WORDS = 35
MAX_FAULTS = 15
_COMMENTED = ("api/", "expressions/", "server/", "storage/", "tests/")

_CODE = re.compile(r"^( *)```.*?^\1```", re.S | re.M)
_COMMENT = re.compile(r"<!--.*?-->", re.S)
# The beginnings of paragraphs: an empty line, an element of a list, a row, a heading.
_BREAK = re.compile(r"\n\s*\n|\n(?=\s*[-*] |\s*\d+\. |\||#)")
_MARKER = re.compile(r"^(?:[-*]|\d+\.|#+) ")
_END = re.compile(r"(?<=[.!?:;])\s+(?=[A-Z`\"(*])")
_BARE = re.compile(
    r"(?:^|[,;:(]\s*|\b(?:of|to|by|with|from|than|and|or|is|are|see|says|knows|on|for|in|at|if|tells?|shows?)\s)"
    r"(?:what|who|whoever|whatever)\b", re.I)


def _sentences(text):
    """Each sentence with its offset, without code; a cell of a table is a paragraph."""
    text = _CODE.sub(lambda match: re.sub(r"[^\n]", " ", match.group()), text)
    text = _COMMENT.sub(lambda match: re.sub(r"[^\n]", " ", match.group()), text)
    starts = [0, *(match.end() for match in _BREAK.finditer(text)), len(text)]
    for start, end in zip(starts, starts[1:]):
        paragraph = text[start:end]
        if paragraph.startswith("    "):
            continue
        cells = paragraph.split("|") if paragraph.startswith("|") else [paragraph]
        for cell in cells:
            plain = _MARKER.sub("", re.sub(r"`[^`]*`", "X", " ".join(cell.split())))
            plain = re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", plain)
            for sentence in _END.split(plain):
                yield start, sentence


def _clauses_of_comments(root):
    for path in list_files(root, (".h", ".cc")):
        if not path.startswith(_COMMENTED):
            continue
        paragraph, first = [], 0
        for number, line in enumerate([*read(root, path).splitlines(), ""], 1):
            comment = re.search(r"(?:^|\s)//+ ?(.*)", line)
            if comment and comment.group(1):
                first = first if paragraph else number
                paragraph.append(comment.group(1))
                continue
            text = " ".join(" ".join(paragraph).split())
            yield from (Fault(path, first, f"name the thing: {text}") for _ in _BARE.finditer(text))
            paragraph = []


def check(root):
    comments = [*_clauses_of_comments(root)]
    return [*_faults_of_documents(root), *(comments if len(comments) > MAX_FAULTS else [])]


def _faults_of_documents(root):
    faults = []
    for path in list_files(root, (".md",)):
        text = read(root, path)
        for offset, sentence in _sentences(text):
            line = text.count("\n", 0, offset) + 1
            words = len(sentence.split())
            if words > MAX_WORDS:
                faults.append(Fault(path, line, f"a sentence of {words} words: {sentence}"))
            faults += [Fault(path, line, f"name the thing: {sentence}") for _ in _BARE.finditer(sentence)]
    return faults if len(faults) > MAX_FAULTS else []
