#include "tests/fuzz/property.h"

#include <cstdio>
#include <cstdlib>
#include <string>

#include "tests/fuzz/corpus.h"

namespace magneto::fuzz {
namespace {

[[noreturn]] void fail(std::string_view property, const std::string& detail) {
  std::fprintf(stderr, "broken property: %.*s\n%s\n", static_cast<int>(property.size()),
               property.data(), detail.c_str());
  std::abort();
}

}  // namespace

void require(bool holds, std::string_view property, std::string_view detail) {
  if (!holds) fail(property, std::string(detail));
}

void require_equal(std::string_view actual, std::string_view expected, std::string_view property) {
  if (actual == expected) return;
  fail(property, "  actual:   " + escape(actual) + "\n  expected: " + escape(expected));
}

}  // namespace magneto::fuzz
