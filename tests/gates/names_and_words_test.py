"""The gates on names of types and on plain English pass a good tree and fail a bad one."""

import unittest

import plain_english
import type_names
from tree_of_files import Tree


class TypeNamesTest(Tree):
    def test_types_of_other_names_or_private_ones_pass(self):
        self.write("api/a.h", "namespace a {\nclass Row;\nstruct Row {\n  struct Part {};\n};\nclass Row::Look {};\n}\n")
        self.write("api/b.h", "namespace b {\nstruct Row {};\nenum class Kind : int { kOne };\n}\n")
        self.write("api/a.cc", "namespace a {\nnamespace {\nclass Row final : public Base<int> {};\n}\n"
                               "void f() { struct Row {}; }\nstruct Other { struct Part {}; };\n}\n")
        self.write("tests/a.cc", "namespace a {\nstruct Row {};\n}\n")
        self.write("server/twice.h", "#ifdef A\nstruct One {};\n#else\nstruct One {};\n#endif\n")
        self.assert_faults(type_names)

    def test_one_name_in_two_files(self):
        self.write("api/a.h", "namespace a {\nclass Row final : public Base<int> {\n  struct Part {};\n};\n}\n")
        self.write("api/b.h", "namespace a {\nenum class [[nodiscard]] Row : std::uint8_t { kOne };\n}\n")
        self.write("server/c.cc", "namespace a {\nclass Row::Part {};\n}\n")
        self.assert_faults(type_names, "api/b.h:2: the type a::Row is also in api/a.h:2",
                           "server/c.cc:2: the type a::Row::Part is also in api/a.h:3")


class PlainEnglishTest(Tree):
    def setUp(self):
        super().setUp()
        self.addCleanup(setattr, plain_english, "MAX_FAULTS", plain_english.MAX_FAULTS)
        plain_english.MAX_FAULTS = 0

    def test_short_sentences_with_named_subjects_pass(self):
        self.write("README.md", "# Title\n\n" + "A word of the text. " * 20 + "\nSee [what differs](a.md#what).\n\n"
                                "```\n" + "word " * 50 + "\n```\n\n| " + " | ".join(["ten words in a cell"] * 20) + " |\n")
        self.write("a.md", "The page says which files it reads, and how.\n\n    what stands in code, who writes it\n")
        self.assert_faults(plain_english, "README.md:3: name the thing")

    def test_long_sentences_and_bare_clauses(self):
        self.write("a.md", "Short.\n\n" + "word " * 36 + "end.\n")
        self.write("b.md", "A table of what it has.\n\n- Whoever reads it, what it says.\n")
        self.assert_faults(plain_english, "a.md:3: a sentence of 37 words", "b.md:1: name the thing",
                           "b.md:3: name the thing", "b.md:3: name the thing")

    def test_some_are_allowed(self):
        plain_english.MAX_FAULTS = 2
        self.write("a.md", "A list of what it has.\n\nWho reads it?\n")
        self.assert_faults(plain_english)
        self.write("b.md", "Whatever it is.\n")
        self.assert_faults(plain_english, "a.md:1:", "a.md:3:", "b.md:1:")


if __name__ == "__main__":
    unittest.main()
