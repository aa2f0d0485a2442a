"""The gates on names of types, modules of the page and plain English pass a good tree and fail a bad one."""

import unittest

import page_modules
import plain_english
import type_names
import wording
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


class PageModulesTest(Tree):
    def page(self, path, text):
        self.write("server/browser/page/" + path, text)

    def test_modules_in_order_pass(self):
        self.page("app.js", "import { go } from './router.js';\ntry {\n  const { room } = await import('./a/room.js');\n"
                            "  const { late } = await import('./late.js');\n} catch {}\n")
        self.page("router.js", "export function go() {}\nexport const kTested = 1;\n")
        self.page("a/room.js", "import { go as walk } from '../router.js';\nexport const room = {};\n")
        self.page("late.js", "export async function late() {}\n")
        self.write("conformance/browser/pure/a.test.mjs",
                   "import { kTested } from '../../../server/browser/page/router.js';\n")
        self.assert_faults(page_modules)

    def test_a_circle_by_a_module_that_is_loaded_late(self):
        self.page("a.js", "import { b } from './b.js';\n")
        self.page("b.js", "export const b = () => import('./c/c.js');\n")
        self.page("c/c.js", "import '../b.js';\n")
        self.assert_faults(page_modules, "server/browser/page/b.js:1: imports itself: b.js -> c/c.js -> b.js")

    def test_what_nobody_imports(self):
        self.page("a.js", "import { one } from './b.js';\nimport './none.js';\n")
        self.page("b.js", "export const one = 1;\nexport class Two {}\nexport async function three() {}\n")
        self.page("c/b.js", "export const one = 1;\nexport { one } from '../b.js';\n")
        self.write("conformance/browser/a.test.mjs", "three();\n")
        self.assert_faults(page_modules, "server/browser/page/a.js:1: imports server/browser/page/none.js, which is not",
                           "server/browser/page/b.js:2: exports Two", "server/browser/page/b.js:3: exports three",
                           "server/browser/page/c/b.js:2: exports apart from a declaration",
                           "server/browser/page/c/b.js:1: exports one")


class WordingTest(Tree):
    def test_names(self):
        for path in ("api/string_utils.cc", "api/common.h", "api/misc/a.cc", "server/helper.py",
                     "storage/engine_manager.cc", "api/impl/b.cc"):
            self.write(path)
        for path in ("server/system/asio_impl.cc", "api/simple.cc", "api/utility_table.cc"):
            self.write(path)
        self.assert_faults(wording, "api/common.h: 'common'", "api/impl/b.cc: 'impl'",
                           "api/misc/a.cc: 'misc'", "api/string_utils.cc: 'utils'",
                           "server/helper.py: 'helper'", "storage/engine_manager.cc: 'manager'")

    def test_unfinished_marks(self):
        self.write("api/a.cc", "int a;\n// TO" "DO: more\n")
        self.write("api/b.cc", 'throw Error("not imple' 'mented");\n')
        self.write("api/c.cc", "int todo_list;  // fixed\n")
        self.assert_faults(wording, "api/a.cc:2:", "api/b.cc:1:")

    def test_tests_that_do_not_run(self):
        self.write("tests/a_test.cc", "GTEST_" "SKIP();\n")
        self.write("tests/b_test.cc", "TEST(A, DIS" "ABLED_b) {}\n")
        self.write("conformance/c.mjs", "test.sk" "ip('d', () => {});\n")
        self.write("conformance/e.py", "@unittest.sk" "ip('later')\n")
        self.assert_faults(wording, "conformance/c.mjs:1:", "conformance/e.py:1:",
                           "tests/a_test.cc:1:", "tests/b_test.cc:1:")

    def test_old_words_for_keys(self):
        self.write("api/a.cc", "int hash_key;\nclass RangeKey;\nint key_range;\n// HASH and RANGE\n")
        self.assert_faults(wording, "api/a.cc:1: 'hash_key'", "api/a.cc:2: 'RangeKey'")

    def test_private_words(self):
        self.write("api/a.cc", "bool is_gi" "ven_up();\n// It was tu" "rned away.\nint gives; // given, upper\n")
        self.write("docs/b.md", "The Recep" "tion is a de" "ar thread.\nLet a dearth of outlets go on.\n")
        self.write("tests/c.py", "def le" "t_go(): ...\n# waits in line 3\n# a stranger's own way\n")
        self.write("storage/e.h", "class DataRo" "om;\nclass FrozenTime;\n// It tha" "ws.\n")
        self.write("server/d.js", "dialog(dialect);\nwithoutDi" "als();\nopen('#/di" "als');\n")
        self.assert_faults(wording, "api/a.cc:1: 'gi" "ven_up'", "api/a.cc:2: 'tu" "rned away'",
                           "docs/b.md:1: 'Recep" "tion'", "server/d.js:2: 'Di" "al'", "storage/e.h:1: 'DataRo" "om'",
                           "storage/e.h:3: 'tha" "ws'", "tests/c.py:1: 'le" "t_go'")

    def test_lock_without_registry(self):
        self.write("conformance/package-lock.json", '{\n"resolved": "https://registry/x.tgz"\n}\n')
        self.assert_faults(wording, "conformance/package-lock.json:2:")


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

    def test_comments_name_the_thing(self):
        self.write("storage/a.h", "// The thread that\n// calls this knows\n// what comes.\nint x;\n\nint y;  // Who asks\n")
        self.write("expressions/b.cc", '// Whatever\n//\n// The request is one.\nauto s = "what";\n')
        self.write("bench/c.h", "// What is not listed.\n")
        self.assert_faults(plain_english, "expressions/b.cc:1: name the thing: Whatever",
                           "storage/a.h:1: name the thing", "storage/a.h:6: name the thing: Who asks")


if __name__ == "__main__":
    unittest.main()
