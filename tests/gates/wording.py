"""Names and words: a file is named after its concept, and nothing is left half done."""

import re

from tree import Fault, SCRIPT_SUFFIXES, SOURCE_SUFFIXES, list_files, read

_VAGUE = re.compile(r"(^|[/_])(helpers?|utils?|common|misc|managers?|impl|di" r"als?)(?=[./_]|$)", re.I)
_ALLOWED_NAMES = {"asio_impl"}  # Asio's own word

# Split so that the gate does not find itself.
_UNFINISHED = re.compile(
    r"\b(TO" r"DO|FIX" r"ME|XX" r"X|HA" r"CK)\b|not imple" r"mented|unimple" r"mented")
_SKIPPED_TEST = re.compile(
    r"GTEST_" r"SKIP|\bDIS" r"ABLED_|unittest\.sk" r"ip|skip" r"Test\(|\b(it|test|describe)\.sk" r"ip\(")
# DynamoDB says partition key and sort key; HASH and RANGE are words of its JSON only, and those
# in quotes Terraform's.
_OLD_KEY_WORDS = re.compile(r'(?<!")\b(hash|range)_key|\b(Hash|Range)Key\b')
# Private words, where the field has words: evict, yield, release, refuse, expensive, acceptor, queue, timer,
# throttle, control setting. Split as above. The page keeps an address with one of them.
_PRIVATE = re.compile(
    r"(?<![a-z])(gi" r"ve[sn]?|gi" r"ving|ga" r"ve)[ _](up|way)(?![a-z])"
    r"|(?<![a-z])le" r"t(s|ting)?[ _]((it|them|him|others|all|one)[ _])?go(?![a-z])"
    r"|(?<![a-z])tu" r"rn(s|ed|ing)?[ _]([a-z]+[ _]){0,2}away(?![a-z])"
    r"|(?<![a-z])sta" r"nd(s|ing)?[ _]in[ _](a[ _])?line(?![a-z])"
    r"|(?<![a-z])(wai" r"st|de" r"ar(er|est|ly)?|recep" r"tion|al" r"arms?|enve" r"loped)(?![a-z])"
    r"|(?<!#/)di" r"al(?!og|ect|s: 'controls')"
    r"|\bthe ho" r"use\b|\bShort" r"ages\b|\badmis" r"sion\.h\b"
    # Snapshot, fork, memory budget, table as of a moment, instrumented call, key usage.
    r"|(?<![a-z])tha" r"w(s|ed|ing)?(?![a-z])|Froz" r"en(Store|Catalog|Table|Stream|Token|Namespace|Index)"
    r"|(Data|Key)Ro" r"om|Past(Tab" r"le|Cur" r"sor)|see_pa" r"st|Watched" r"Call|KeyNo" r"tes", re.I)
# The lock names what is installed, not the registry it came from.
_REGISTRY = re.compile(r'"resolved"\s*:')

_RULES = (
    (SOURCE_SUFFIXES + SCRIPT_SUFFIXES, _UNFINISHED, "says that it is unfinished"),
    (SOURCE_SUFFIXES + SCRIPT_SUFFIXES, _SKIPPED_TEST, "is a test that does not run"),
    (SOURCE_SUFFIXES, _OLD_KEY_WORDS, "DynamoDB's words are partition key and sort key"),
    (SOURCE_SUFFIXES + SCRIPT_SUFFIXES + (".md",), _PRIVATE, "is a private word; the field has one"),
    (("package-lock.json",), _REGISTRY, "names a registry"),
)


def _name_faults(root):
    for path in list_files(root):
        kept = path
        for name in _ALLOWED_NAMES:
            kept = kept.replace(name, "")
        match = _VAGUE.search(kept)
        if match:
            yield Fault(path, None, f"'{match.group(2)}' names no concept")


def _word_faults(root):
    for suffixes, pattern, text in _RULES:
        for path in list_files(root, suffixes):
            for number, line in enumerate(read(root, path).splitlines(), 1):
                match = pattern.search(line)
                if match:
                    yield Fault(path, number, f"'{match.group()}' {text}")


def check(root):
    return [*_name_faults(root), *_word_faults(root)]
