#include "tests/fuzz/sample_values.h"

#include <string_view>
#include <utility>
#include <vector>

#include "storage/encoding/item_encoding.h"
#include "tests/fuzz/property.h"
#include "tests/support/literal_values.h"

namespace magneto::fuzz {

using storage::AttributeValue;
using storage::Item;
using testing::b;
using testing::boolean;
using testing::bs;
using testing::item;
using testing::list;
using testing::map;
using testing::n;
using testing::ns;
using testing::null;
using testing::s;
using testing::ss;

namespace {

const AttributeValue& document() {
  static const AttributeValue value = map({
      {"x", n("1")},
      {"y", list({s("a"), map({{"z", boolean(true)}}), list({n("2"), n("3")})})},
      {"tags", ss({"a", "b"})},
  });
  return value;
}

const std::vector<std::pair<std::string_view, AttributeValue>>& named_values() {
  static const std::vector<std::pair<std::string_view, AttributeValue>> values = {
      {":s", s("a")},
      {":s2", s("ab")},
      {":empty", s("")},
      {":n", n("1")},
      {":n2", n("10")},
      {":neg", n("-1.5")},
      {":big", n("9.9999999999999999999999999999999999999E125")},
      {":tiny", n("1E-130")},
      {":b", b("a")},
      {":b2", b(std::string_view("a\0", 2))},
      {":t", boolean(true)},
      {":nul", null()},
      {":ss", ss({"a", "c"})},
      {":ns", ns({"1", "-1.5"})},
      {":bs", bs({"a"})},
      {":l", list({n("1"), s("a")})},
      {":m", document()},
      {":type", s("S")},
  };
  return values;
}

}  // namespace

void add_sample_placeholders(expressions::Placeholders& placeholders) {
  static constexpr std::pair<std::string_view, std::string_view> kNames[] = {
      {"#s", "s"},   {"#n", "n"},   {"#b", "b"},     {"#m", "m"},
      {"#l", "l"},   {"#x", "x"},   {"#dot", "a.b"}, {"#new", "new"},
      {"#pk", "pk"}, {"#pn", "pn"}, {"#pb", "pb"},   {"#size", "size"},
  };
  for (const auto& [placeholder, name] : kNames) placeholders.add_name(placeholder, name);
  for (const auto& [placeholder, value] : named_values())
    placeholders.add_value(placeholder, value);
}

std::span<const AttributeValue> sample_values() {
  static const std::vector<AttributeValue> values = [] {
    std::vector<AttributeValue> all;
    for (const auto& [placeholder, value] : named_values()) all.push_back(value);
    return all;
  }();
  return values;
}

std::span<const Item> sample_items() {
  static const std::vector<Item> items = {
      item({{"pk", s("a")},
            {"sk", n("1")},
            {"s", s("ab")},
            {"n", n("10")},
            {"b", b("ab")},
            {"t", boolean(true)},
            {"nul", null()},
            {"ss", ss({"a", "b"})},
            {"ns", ns({"1", "2.5", "-1.5"})},
            {"bs", bs({"a", "b"})},
            {"l", list({n("1"), document(), s("a")})},
            {"m", document()},
            {"a.b", s("dotted")},
            {"size", n("0")}}),
      item({{"pk", s("a")},
            {"sk", n("-1.5")},
            {"s", n("1")},
            {"n", s("")},
            {"l", list({})},
            {"m", map({})},
            {"big", n("9.9999999999999999999999999999999999999E125")},
            {"tiny", n("-1E-130")}}),
      item({{"pk", s("b")}, {"sk", n("10")}}),
      Item(),
  };
  return items;
}

void require_valid_item(storage::ItemView view, const char* what) {
  require(view.bytes().empty() || storage::is_valid_item(view.bytes()), what, "not a valid item");
}

}  // namespace magneto::fuzz
