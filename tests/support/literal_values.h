#pragma once

#include <initializer_list>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "storage/model/attribute_value.h"

// Literals for values in tests, and functions that show values.
namespace magneto::testing {

storage::AttributeValue s(std::string_view text);
storage::AttributeValue n(std::string_view decimal);
storage::AttributeValue b(std::string_view bytes);
storage::AttributeValue boolean(bool value);
storage::AttributeValue null();
storage::AttributeValue ss(std::vector<std::string_view> members);
storage::AttributeValue ns(std::initializer_list<std::string_view> decimals);
storage::AttributeValue bs(std::vector<std::string_view> members);
storage::AttributeValue list(std::initializer_list<storage::AttributeValue> elements);

using Member = std::pair<std::string_view, storage::AttributeValue>;
storage::AttributeValue map(std::initializer_list<Member> members);
storage::Item item(std::initializer_list<Member> attributes);

// "a", 1.5, b"a", true, null, SS{"a", "b"}, NS{1}, BS{b"a"}, [1, "a"], {x: 1, y: "a"}; absent.
std::string show(storage::AttributeView value);
std::string show(storage::ItemView item);

}  // namespace magneto::testing
