#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "storage/model/attribute_value.h"

namespace magneto::storage {

// An item or index entry at rest:  size:4 (little-endian, item_size) item (see attribute_value.h).
std::string encode_item(ItemView item);
std::string encode_item(ItemView item, std::size_t size);
ItemView decode_item(std::string_view stored);
std::size_t decode_item_size(std::string_view stored);

// Whether `item` is one canonical item to the last byte, and `stored` such an item at rest with its
// true size. Never reads outside the bytes given, whatever they are: for bytes that may be damaged.
// The other functions trust theirs.
bool is_valid_item(std::string_view item);
bool is_valid_stored_item(std::string_view stored);

}  // namespace magneto::storage
