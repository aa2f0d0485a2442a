"""Each gate passes a good tree and fails a bad one."""

import textwrap
import unittest

import compatibility
import cpp_functions
import layering
import libraries
import narrowing
import readmes
import sentences
import sizes
from tree_of_files import Tree


class LayeringTest(Tree):
    def include(self, path, included, brackets='""'):
        self.write(path, f"#pragma once\n#include {brackets[0]}{included}{brackets[1]}\n")

    def setUp(self):
        super().setUp()
        for path in ("storage/clock.h", "storage/model/item.h", "storage/engine/engine.h",
                     "storage/index/entry.h", "storage/stream/log.h", "storage/database.h",
                     "expressions/update.h", "api/service.h", "api/error.h", "api/operation.h",
                     "api/json/writer.h", "api/request/arn.h", "api/reads/page.h",
                     "api/writes/response.h", "server/http/session.h"):
            self.write(path)

    def test_allowed_includes_pass(self):
        self.include("server/main/main.cc", "api/service.h")
        self.include("server/main/main.cc", "storage/database.h")
        self.include("api/operations/put.cc", "storage/database.h")
        self.include("api/operations/update.cc", "expressions/update.h")
        self.include("api/operations/query.cc", "api/reads/page.h")
        self.include("api/reads/page.cc", "api/request/arn.h")
        self.include("api/request/arn.cc", "api/operation.h")
        self.include("api/operation.cc", "api/json/writer.h")
        self.include("api/json/writer.cc", "api/error.h")
        self.include("expressions/lexer.cc", "storage/model/item.h")
        self.include("storage/engine/memory/memory_tree.cc", "storage/model/item.h")
        self.include("storage/table/writer.cc", "storage/stream/log.h")
        self.include("storage/database_tables.cc", "storage/database.h")
        self.include("storage/model/time.cc", "storage/clock.h")
        self.include("storage/model/set.cc", "absl/container/btree_set.h")
        self.include("tests/server/http/session_test.cc", "storage/database.h")
        self.assert_faults(layering)

    def test_layers(self):
        self.include("api/operations/a.cc", "server/http/session.h")
        self.include("expressions/b.cc", "storage/engine/engine.h")
        self.include("expressions/c.cc", "api/service.h")
        self.include("server/d.cc", "expressions/update.h")
        self.include("server/e.cc", "storage/database.h")
        self.include("storage/table/f.cc", "expressions/update.h")
        self.assert_faults(layering, "api/operations/a.cc:2: api may not", "expressions/b.cc:2: expressions may",
                           "expressions/c.cc:2:", "server/d.cc:2:", "server/e.cc:2:",
                           "storage/table/f.cc:2: storage may not")

    def test_facade_of_storage(self):
        self.write("storage/encoding/digest.h")
        self.write("storage/encoding/key_encoding.h")
        self.include("api/transactions/request_digest.h", "storage/encoding/digest.h")
        self.include("api/transactions/transaction.cc", "storage/encoding/digest.h")
        self.include("api/operations/put_item.cc", "storage/encoding/key_encoding.h")
        self.include("api/reads/read_target.h", "storage/encoding/key_encoding.h")
        self.include("api/reads/page.cc", "storage/engine/engine.h")
        self.include("api/operations/scan.cc", "storage/index/entry.h")
        self.assert_faults(layering, "api/operations/scan.cc:2: storage/index/entry.h lies below",
                           "api/reads/page.cc:2:", "api/reads/read_target.h:2:",
                           "api/transactions/transaction.cc:2:")

    def test_order_inside_storage(self):
        self.include("storage/engine/a.cc", "storage/index/entry.h")
        self.include("storage/index/b.cc", "storage/stream/log.h")
        self.include("storage/model/c.cc", "storage/database.h")
        self.include("storage/attic/d.cc", "storage/model/item.h")
        self.assert_faults(layering, "storage/attic/d.cc:2: storage/attic has no place",
                           "storage/engine/a.cc:2: storage/engine may not",
                           "storage/index/b.cc:2: storage/index may not",
                           "storage/model/c.cc:2: storage/model may not")

    def test_order_inside_api(self):
        self.include("api/attic/a.cc", "api/error.h")
        self.include("api/error.cc", "api/json/writer.h")
        self.include("api/json/b.cc", "api/request/arn.h")
        self.include("api/operation.cc", "api/reads/page.h")
        self.include("api/operations/c.cc", "api/service.h")
        self.include("api/reads/d.cc", "api/writes/response.h")
        self.include("api/request/e.cc", "api/reads/page.h")
        self.assert_faults(layering, "api/attic/a.cc:2: api/attic has no place",
                           "api/error.cc:2: api/error may not", "api/json/b.cc:2: api/json may not",
                           "api/operation.cc:2: api/operation may not",
                           "api/operations/c.cc:2: api/operations may not",
                           "api/reads/d.cc:2: api/reads may not",
                           "api/request/e.cc:2: api/request may not")

    def test_rooms_of_server(self):
        for path in ("server/system/log.h", "server/client/endpoint/call.h", "server/bulk/scan.h", "server/feeds/lane.h",
                     "server/http/router.h", "server/browser/page.h", "server/main/config.h", "server/stray.h"):
            self.write(path)
        self.include("server/bulk/a.cc", "server/client/endpoint/call.h")
        self.include("server/main/a.cc", "server/browser/page.h")
        self.include("server/bulk/jobs/a.cc", "storage/database.h")
        self.write("storage/clock.h")
        self.include("server/admin/a.cc", "storage/clock.h")
        self.write("server/admin/c.cc", "storage::Clock clock;\n")
        self.assert_faults(layering)
        self.include("server/admin/b.cc", "storage/database.h")
        self.write("server/admin/d.cc", "storage::Database database;\n")
        self.include("server/system/b.cc", "server/main/config.h")
        self.include("server/bulk/b.cc", "server/feeds/lane.h")
        self.include("server/http/b.cc", "server/browser/page.h")
        self.include("server/main/b.cc", "server/stray.h")
        self.assert_faults(layering, "server/admin/b.cc:2: server may not include storage/database.h",
                           "server/admin/d.cc:1: storage:: may not be used here",
                           "server/bulk/b.cc:2: server/bulk may not include", "server/http/b.cc:2:",
                           "server/main/b.cc:2: server/stray has no place", "server/system/b.cc:2:")

    def test_folders_that_include_each_other(self):
        for path in ("server/http/router.h", "server/http/auth/caller.h", "server/http/tls/context.h"):
            self.write(path)
        self.include("server/http/a.cc", "server/http/auth/caller.h")
        self.include("server/http/auth/a.cc", "server/http/tls/context.h")
        self.assert_faults(layering)
        self.include("server/http/tls/a.cc", "server/http/router.h")
        self.assert_faults(layering, "server/http/a.cc:2: folders include each other: server/http -> server/http/auth -> "
                           "server/http/tls -> server/http")

    def test_names_that_headers_of_others_bring(self):
        self.write("server/main/main.cc", "storage::Clock clock;\napi::Service service;\n")
        self.write("server/a.cc", "// storage::Clock\nlog(\"storage::Clock\");\nboost::storage::Clock b;\n")
        self.write("api/operations/b.cc", "json::Value a;\nexpressions::Update b;\nstorage::Item c;\n")
        self.write("expressions/c.cc", "magneto::storage::Item item;\n")
        self.write("tests/server/d.cc", "storage::Clock clock;\n")
        self.assert_faults(layering)

        self.write("server/e.cc", "void f();\nvoid g(std::vector<storage::Item> items);\n")
        self.write("server/f.cc", "using magneto::expressions::Update;\n")
        self.write("api/error.cc", "json::Value value;\n")
        self.write("api/isolation.h", "magneto::api::json::Value value;\n")
        self.write("api/reads/g.cc", "server::Session a; server::Session b;\n")
        self.write("expressions/h.cc", "namespace magneto::api {\n")
        self.write("storage/model/i.cc", "return json::text();\n")
        self.assert_faults(layering, "api/error.cc:1: json:: may not", "api/isolation.h:1: json:: may not",
                           "api/reads/g.cc:1: server:: may not", "expressions/h.cc:1: api:: may not",
                           "server/e.cc:2: storage:: may not", "server/f.cc:1: expressions:: may not",
                           "storage/model/i.cc:1: json:: may not")

    def test_libraries_stay_in_their_files(self):
        for path, included in (
                ("server/http/listener.cc", "boost/asio.hpp"),
                ("tests/server/client.cc", "boost/beast/http.hpp"),
                ("server/main/command_line.cc", "CLI/CLI.hpp"),
                ("server/system/log.cc", "spdlog/spdlog.h"),
                ("server/main/main.cc", "fmt/format.h"),
                ("server/formats/body_encoding.cc", "zlib.h"),
                ("tests/server/formats/body_encoding_test.cc", "zlib.h"),
                ("server/formats/body_encoding.cc", "libdeflate.h"),
                ("storage/encoding/partition_hash.cc", "openssl/evp.h"),
                ("api/json/json_reader.cc", "simdjson.h"),
                ("storage/engine/rocksdb/rocksdb_engine.cc", "rocksdb/db.h"),
                ("storage/model/number.cc", "boost/multiprecision/cpp_int.hpp")):
            self.include(path, included, "<>")
        self.assert_faults(layering)

        for path, included in (
                ("api/error.cc", "boost/asio.hpp"),
                ("api/operation.cc", "boost/beast/http.hpp"),
                ("server/c.cc", "openssl/ssl.h"),
                ("server/d.cc", "CLI/CLI.hpp"),
                ("server/e.cc", "spdlog/spdlog.h"),
                ("server/f.cc", "fmt/format.h"),
                ("server/g.cc", "zlib.h"),
                ("server/h.cc", "libdeflate.h"),
                ("api/json/json_reader.h", "simdjson.h"),
                ("storage/engine/memory/memory_engine.cc", "rocksdb/db.h"),
                ("storage/engine/rocksdb/rocksdb_engine.h", "rocksdb/db.h"),
                ("storage/model/number.h", "boost/multiprecision/cpp_int.hpp")):
            self.include(path, included, "<>")
        self.assert_faults(layering, "api/error.cc:2:", "api/json/json_reader.h:2:",
                           "api/operation.cc:2:", "server/c.cc:2:", "server/d.cc:2:", "server/e.cc:2:",
                           "server/f.cc:2:", "server/g.cc:2:", "server/h.cc:2:", "storage/engine/memory/memory_engine.cc:2:",
                           "storage/engine/rocksdb/rocksdb_engine.h:2:", "storage/model/number.h:2:")

    def test_includes_are_written_from_the_root(self):
        self.include("api/service.cc", "service.h")
        self.include("api/operations/gone.cc", "api/error/no_such_file.h")
        self.assert_faults(layering, "api/operations/gone.cc:2: api/error/no_such_file.h is no",
                           "api/service.cc:2: service.h is no file")


class LibrariesTest(Tree):
    def write_cmake(self, *lines, path="CMakeLists.txt"):
        self.write(path, "\n".join(lines) + "\n")

    def test_what_is_used_passes(self):
        self.write("api/json/reader.cc", "#include <simdjson.h>\n")
        self.write("storage/engine/disk.cc", "#include <mutex>\n#include <rocksdb/db.h>\n")
        self.write("storage/set.h", '#include "absl/container/btree_set.h"\n')
        self.write("tests/a_test.cc", "#include <gtest/gtest.h>\n")
        self.write_cmake(
            "find_package(Threads REQUIRED)", "find_library(ROCKSDB_LIBRARY NAMES librocksdb.a REQUIRED)",
            "find_library(SNAPPY_LIBRARY NAMES libsnappy.a REQUIRED)", "set(DEFERRED_ROCKSDB x.a)",
            "add_custom_command(OUTPUT ${DEFERRED_ROCKSDB} DEPENDS ${ROCKSDB_LIBRARY})",
            "magneto_layer(magneto_storage storage", "  ${DEFERRED_ROCKSDB} ${SNAPPY_LIBRARY}  # its needs",
            "  ${ABSL_LIBRARIES} Threads::Threads)", "magneto_layer(magneto_api api magneto_storage ${SIMDJSON_LIBRARY})",
            "target_link_libraries(magneto PRIVATE magneto_api)")
        self.write_cmake("magneto_layer(tests tests ${ARGN} GTest::gtest GTest::gtest_main)",
                         "target_link_libraries(${name} PUBLIC ${ARGN})", path="tests/CMakeLists.txt")
        self.assert_faults(libraries)

    def test_what_is_linked_for_nothing(self):
        self.write("server/door.cc", '#include "openssl/evp.h"\n// #include <openssl/ssl.h>\n')
        self.write("storage/disk.cc", "#include <rocksdb/db.h>\n")
        self.write("tests/server/door_test.cc", "#include <zlib.h>\n")
        self.write_cmake("magneto_layer(magneto_server server ${SSL_LIBRARY} ${CRYPTO_LIBRARY}",
                         "  ${Z_LIBRARY} ${SNAPPY_LIBRARY})")
        self.assert_faults(libraries, "CMakeLists.txt:1: nothing in server includes openssl/ssl",
                           "CMakeLists.txt:2: nothing in server includes zlib.h or rocksdb/",
                           "CMakeLists.txt:2: nothing in server includes rocksdb/")

    def test_what_is_found_for_nothing(self):
        self.write_cmake("find_package(OpenSSL REQUIRED)", "find_library(BZIP2_LIBRARY NAMES libbz2.a)")
        self.assert_faults(libraries, "CMakeLists.txt:1: nothing uses OpenSSL::",
                           "CMakeLists.txt:2: nothing uses ${BZIP2_LIBRARY}")

    def test_a_library_without_a_row(self):
        self.write_cmake("magneto_layer(magneto_api api ${HNSW_LIBRARY})")
        self.assert_faults(libraries, "CMakeLists.txt:1: ${HNSW_LIBRARY} has no row")


class SizesTest(Tree):
    def test_files(self):
        self.write("api/fits.cc", "\n" * sizes.MAX_FILE_LINES)
        self.write("api/long.cc", "\n" * (sizes.MAX_FILE_LINES + 1))
        self.write("build/generated.cc", "\n" * (sizes.MAX_FILE_LINES + 1))
        self.assert_faults(sizes, "api/long.cc: 451 lines")

    def test_functions(self):
        body = "  step();\n" * (sizes.MAX_FUNCTION_LINES - 2)
        self.write("api/fits.cc", "void fits() {\n" + body + "}\n")
        self.write("api/long.cc", "namespace a {\n\nvoid Place::long_one(int a = 1) {\n" + body +
                   "  step();\n}\n}\n")
        self.write("api/table.cc", "const int kTable[] = {\n" + "  1,\n" * 100 + "};\n")
        self.assert_faults(sizes, "api/long.cc:3: Place::long_one has 61 lines")


class NarrowingTest(Tree):
    def test_what_loses_nothing(self):
        self.write("storage/model/narrow.h", "return static_cast<int>(size);\n")
        self.write("api/a.cc", """
            auto a = narrow<std::uint32_t>(text.size());
            auto b = static_cast<std::size_t>(count);
            auto c = static_cast<char>(size >> 8);
            auto d = static_cast<std::uint8_t>(bytes[position++]);
            auto e = static_cast<unsigned char>(letter);  // static_cast<int>(size)
            int size(int count);
            """)
        self.write("tests/a.cc", "auto a = static_cast<int>(text.size());\n")
        self.assert_faults(narrowing)

    def test_what_may_lose_bits(self):
        self.write("api/a.cc", "\n".join((
            "auto a = static_cast<std::uint32_t>(text.size());",
            "auto b = static_cast<unsigned char>(f(key_size_, 1));",
            "auto c = std::uint16_t(offset);",
            "auto d = static_cast<int>(end.position());",
            "auto e = static_cast<int>(",
            "    list.begin()->Length());")))
        self.assert_faults(narrowing, "api/a.cc:1", "api/a.cc:2", "api/a.cc:3", "api/a.cc:4",
                           "api/a.cc:5")


class FindFunctionsTest(unittest.TestCase):
    def test_finds_every_kind_of_function(self):
        text = textwrap.dedent("""\
            #define MACRO(x) \\
              if (x) {
            namespace a::b {
            class Place final : public Base {
             public:
              Place(int size, std::string name = "}")
                  : size_{size}, name_{std::move(name)} {
                grow();
              }
              bool operator==(const Place& other) const {
                return true;
              }
              int count() const { return 1'000; }
              int size_ = 0;
            };
            // a brace in a comment {
            template <typename T>
              requires Shape<T>
            auto walk(T&& value) -> std::vector<int> {
              auto inner = [&](int x) { return x; };
              if (value) {
                return {1, 2};
              }
              return R"({{{)";
            }
            constexpr Shape kShape = make({1, 2});
            constexpr std::array kNames = {name('{'), name('"')};
            TEST(Place, Holds) {
              EXPECT_EQ(1, 1);
            }
            }  // namespace a::b
            """)
        self.assertEqual(cpp_functions.find_functions(text),
                         [("Place", 6, 9), ("operator", 10, 12), ("count", 13, 13),
                          ("walk", 17, 25), ("TEST", 28, 30)])


class SentencesTest(Tree):
    def test_cut_sentences(self):
        self.write("api/a.cc", 'const char* kText =\n    "The table "\n    "is gone";\n')
        self.write("expressions/b.cc", 'f("It has one, "  // why\n  "and two");\n')
        self.write("api/c.cc", 'f("It is gone. "\n  "Try again.\\n"\n  "Later");\nf("Two words", "apart");\n')
        self.write("api/d.cc", 'constexpr const char* kWords = "ADD ALL "\n "AND";\nf(R"({"a": "b c" "d"})");\n')
        self.write("storage/e.cc", 'f("The disk "\n  "is full");\n')
        self.write("server/f.cc", 'f("Connection: close\\r\\n"\n  "Content-Length: 21\\r\\n");\nf("The port "\n  "is busy");\n')
        self.write("tests/g.cc", 'f("The test "\n  "may do so");\n')
        self.assert_faults(sentences, "api/a.cc:2: a literal is cut", "expressions/b.cc:1: a literal is cut",
                           "server/f.cc:3: a literal is cut", "storage/e.cc:1: a literal is cut")

    def test_sentences_outside_their_home(self):
        self.write("api/a.cc", 'fail_validation("Not so");\nfail_validation(messages::null_at("tags"));\n')
        self.write("api/b.cc", 'throw ApiError(ErrorType::kValidation,\n  is_new ? kOne : "Not so");\n')
        self.write("expressions/c.cc", 'fail("No " + name + " here");\nthrow_type(node, "{NS,SS}");\nthrow_malformed("No FROM");\n')
        self.write("api/messages/d.cc", 'return fmt::format("No {} here", name);\n')
        self.assert_faults(sentences, "api/a.cc:1: what fail_validation says", "api/b.cc:1: what ApiError says",
                           "expressions/c.cc:1: what fail says", "expressions/c.cc:3: what throw_malformed")

    def test_sentences_of_storage(self):
        self.write("storage/d.cc", 'throw EngineError("cannot read " + path);\nreport_(messages::closing(why));\n'
                   'throw std::length_error("a bug made it so long");\nlog(LogLevel::kDebug,\n  "it is gone");\n'
                   'refuse(kBusy);\nrefuse("Too many at a time");\nreport_->warning("table " + name);\n'
                   'return incomplete("No " + name);\n')
        self.write("storage/messages/disk_messages.cc", 'return fmt::format("The {} is gone", name);\n')
        self.assert_faults(sentences, "storage/d.cc:1: what EngineError says", "storage/d.cc:4: what log says",
                           "storage/d.cc:7: what refuse says", "storage/d.cc:8: what warning says",
                           "storage/d.cc:9: what incomplete says")

    def test_sentences_of_the_server_stand_in_one_place(self):
        self.write("server/a.cc", 'throw StartError("the port is busy");\nrefuse(log("It is gone"));\n')
        self.write("server/auth/b.cc", '// the port is busy\nlog(LogLevel::kDebug,\n  "the port is busy");\n')
        self.write("server/c.cc", 'compare(text, "the port is busy");\nrefuse("No table {} in {}");\n')
        self.write("server/messages.h", 'constexpr Sentence<2> kNoTable{"No table {table} in {place}"};\n')
        self.assert_faults(sentences, "server/auth/b.cc:3: server/a.cc has this sentence",
                           "server/messages.h:1: server/c.cc has this sentence")

    def test_sentences_written_twice(self):
        self.write("api/messages/a.h", 'constexpr std::string_view kGone = "It is gone";\n')
        self.write("expressions/messages.h", '\nconstexpr std::string_view kLost = "It is gone";\n')
        self.write("server/messages.h", '\n\nconstexpr std::string_view kGone = "It is gone";\n')
        self.write("storage/messages/b.h", 'constexpr const char* kGone = "It is gone";\n')
        self.assert_faults(sentences, "expressions/messages.h:2: api/messages/a.h has this sentence",
                           "server/messages.h:3: api/messages/a.h has this sentence",
                           "storage/messages/b.h:1: api/messages/a.h has this sentence")


class ReadmesTest(Tree):
    def test_every_folder_has_a_page(self):
        for path in ("dev", ".ci/run", "storage/clock.h", "storage/model/item.h", "tests/api/a.cc",
                     "docs/architecture.md"):
            self.write(path)
        self.write("docs/README.md", "# docs\n")
        self.write("storage/README.md", "# storage\n" * (readmes.MAX_LINES + 1))
        self.assert_faults(readmes, "storage/README.md: longer than a page",
                           "storage/model/README.md: missing", "tests/README.md: missing")

    def test_a_page_begins_with_the_folder(self):
        self.write("README.md", "# Project\n")
        self.write("tests/README.md", "# tests\n")
        self.write("tests/cases/README.md", "#tests / cases\n")
        self.assert_faults(readmes, "tests/cases/README.md:1: the first line is not '# tests/cases'")


class CompatibilityTest(Tree):
    def write_rows(self, *rows):
        self.write("docs/compatibility.md", "# Compatibility\n\n| operation | state | what differs |\n|---|---|---|\n" +
                   "".join(f"| `{operation}` | {state} | |\n" for operation, state in rows))

    def setUp(self):
        super().setUp()
        self.write("api/operation_table.h", "#define OPERATIONS(OPERATION) \\\n  OPERATION(GetItem) \\\n"
                   "  OPERATION(PutItem)\n")

    def test_the_truth_passes(self):
        self.write_rows(("GetItem", "supported"), ("PutItem", "supported"), ("Scan", "not supported"))
        self.assert_faults(compatibility)

    def test_what_is_not_true(self):
        self.write_rows(("GetItem", "not supported"), ("Scan", "supported"), ("Query", "planned"),
                        ("Scan", "not supported"))
        self.assert_faults(
            compatibility, "docs/compatibility.md:5: GetItem is in", "docs/compatibility.md:6: Scan is not in",
            "docs/compatibility.md:7: Query is neither", "docs/compatibility.md:8: Scan has a row already",
            "api/operation_table.h: PutItem has no row")

    def test_a_missing_page(self):
        self.assert_faults(compatibility, "docs/compatibility.md: missing")


if __name__ == "__main__":
    unittest.main()
