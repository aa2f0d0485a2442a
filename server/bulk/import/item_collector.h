#pragma once

#include <cstddef>
#include <functional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "api/json/json_reader.h"
#include "server/bulk/import/item_block.h"
#include "server/formats/item_key.h"

namespace magneto::server::bulk {

// Collects the items of one block. The block's text may move while it grows, so finish() makes the
// views.
class ItemCollector {
 public:
  ItemCollector(const formats::KeyNames& keys, std::size_t senders, ItemBlock& block)
      : keys_(keys), block_(block) {
    block_.items.assign(senders, {});
  }

  // `item` is the parsed form of `json`. Returns whether the item has the key, with the right
  // types.
  bool add(std::string_view json, api::json::Value item, std::size_t line) {
    Place place{.start = block_.text.size(), .key = 0, .end = 0, .line = line};
    block_.text.append(json);
    place.key = place.end = block_.text.size();
    const bool has_key = formats::append_key(item, keys_, block_.text);
    if (has_key) {
      place.end = block_.text.size();
    } else {
      block_.text.resize(place.key);
    }
    places_.push_back(place);
    return has_key;
  }

  // Removes the item that was added last.
  void take_back() {
    block_.text.resize(places_.back().start);
    places_.pop_back();
  }

  void finish() {
    const std::string_view text = block_.text;
    for (const Place& place : places_) {
      const std::string_view key = text.substr(place.key, place.end - place.key);
      const std::size_t hash = std::hash<std::string_view>()(key);
      block_.items[hash % block_.items.size()].push_back(
          {.json = text.substr(place.start, place.key - place.start),
           .key = key,
           .hash = hash,
           .line = place.line});
    }
  }

 private:
  struct Place {
    std::size_t start;  // start of the JSON
    std::size_t key;    // start of the key, and end of the JSON
    std::size_t end;    // end of the key
    std::size_t line;
  };

  const formats::KeyNames& keys_;
  ItemBlock& block_;
  std::vector<Place> places_;
};

}  // namespace magneto::server::bulk
