#pragma once

#include <cstdint>
#include <deque>
#include <string>
#include <vector>

#include "expressions/path_values.h"
#include "storage/model/effort.h"
#include "tests/support/random_values.h"

namespace magneto::testing {

using Elements = std::vector<expressions::PathElement>;

// A random path that mostly leads somewhere in the item.
class RandomPath {
 public:
  explicit RandomPath(RandomValues& random) : random_(random) {}

  Elements into(storage::ItemView item) {
    Elements path = {name_in(item)};
    storage::AttributeView value = item.find(path.front().name);
    while (value && storage::is_document(value.type()) && !random_.one_in(4)) {
      const bool is_list = (value.type() == storage::AttributeType::kList) != random_.one_in(10);
      if (is_list) {
        path.push_back(
            expressions::PathElement::element(static_cast<std::uint32_t>(random_.below(6))));
      } else {
        path.push_back(name_in(value.type() == storage::AttributeType::kMap ? value.map() : item));
      }
      storage::Effort effort;
      value = expressions::find(item, path, effort);
    }
    return path;
  }

 private:
  expressions::PathElement name_in(storage::MapView map) {
    if (map.size() == 0 || random_.one_in(5)) {
      return expressions::PathElement::member(names_.emplace_back(random_.text(2)));
    }
    auto member = map.begin();
    for (auto count = random_.below(map.size()); count > 0; --count) ++member;
    return expressions::PathElement::member((*member).name);
  }

  RandomValues& random_;
  std::deque<std::string> names_;
};

}  // namespace magneto::testing
