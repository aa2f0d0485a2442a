"""gate_batches passes a good tree and fails a bad one."""

import unittest

import batches
from tree_of_files import Tree


class BatchesTest(Tree):
    def file(self, path, body):
        self.write(path, "namespace magneto::api {\nnamespace {\n" + body + "\n}  // namespace\n}  // namespace magneto::api\n")

    def test_different_names_pass(self):
        self.write("CMakeLists.txt", "set(COMPILED_ALONE api/x/alone.cc)\n")
        self.file("api/x/a.cc", "constexpr int kFirst = 1;\nvoid read(int value) { (void)value; }\nusing storage::Item;")
        self.file("api/x/b.cc", "constexpr int kSecond = 1;\nvoid write(int read) { (void)read; }\nusing storage::Item;")
        self.file("api/x/alone.cc", "constexpr int kFirst = 1;")
        self.file("api/y/a.cc", "constexpr int kFirst = 1;")
        self.write("api/x/c.cc", "void Class::read() {}\nint Other::kFirst = 2;\n#define A 1\n#undef A\n")
        self.assert_faults(batches)

    def test_folders_that_share_batches(self):
        self.write("CMakeLists.txt", 'set(COMPILED_TOGETHER\n  "api api/x"\n  "api/y api/z")\n')
        for folder in "api", "api/x", "api/y", "api/z", "api/w":
            self.file(f"{folder}/{folder[-1]}.cc", "constexpr int kName = 1;")
        self.assert_faults(batches, "api/x/x.cc:3: kName is a private name of api/i.cc too",
                           "api/z/z.cc:3: kName is a private name of api/y/y.cc too")

    def test_each_kind_of_private_name_is_found(self):
        self.write("CMakeLists.txt", "")
        kinds = {
            "constant": ("constexpr std::map<int, int> kName{{1, 2}};", "constexpr int kName[] = {1};"),
            "function": ("int name(int a) { return a; }", "template <typename T>\nvoid name() {}"),
            "type": ("struct Name {\n  int a;\n};", "class Name final : public Base {};"),
            "enumeration": ("enum class Kind : int { kOne };", "using Kind = int;"),
            "alias": ("using Value = json::Value;", "using Value = expressions::Value;"),
            "variable": ("std::atomic<int> name{0};", "int name = 1;"),
        }
        for kind, (first, second) in kinds.items():
            with self.subTest(kind):
                self.file("api/x/a.cc", first)
                self.file("api/x/b.cc", second)
                name = "Name" if kind == "type" else {"constant": "kName", "enumeration": "Kind", "alias": "Value"}.get(kind, "name")
                self.assert_faults(batches, f"api/x/b.cc:3: {name} is a private name of api/x/a.cc too")

    def test_static_names_count_too(self):
        self.write("CMakeLists.txt", "")
        self.write("api/a.cc", "namespace magneto::api {\nstatic int count() { return 1; }\n}\n")
        self.file("api/b.cc", "int count = 0;")
        self.assert_faults(batches, "api/b.cc:3: count is a private name of api/a.cc too")

    def test_what_leaks_is_refused(self):
        self.write("CMakeLists.txt", "")
        self.write("storage/a.cc", "#define LEFT 1\n")
        self.write("storage/b.cc", "using namespace storage;\nusing namespace std::string_literals;\n")
        self.assert_faults(batches, "storage/a.cc:1: LEFT stays defined", "storage/b.cc:1: a using-directive")


if __name__ == "__main__":
    unittest.main()
