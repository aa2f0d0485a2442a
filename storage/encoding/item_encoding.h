#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "storage/model/attribute_value.h"

namespace magneto::storage {

// A stored item or index entry:  size:4 (little-endian, item_size) item (see attribute_value.h).
std::string encode_item(ItemView item);
std::string encode_item(ItemView item, std::size_t size);
ItemView decode_item(std::string_view stored);
std::size_t decode_item_size(std::string_view stored);

// Whether `item` is exactly one canonical item, and `stored` such a stored item with its true size.
// For bytes that may be damaged: never reads outside the given bytes. The other functions trust
// their bytes.
bool is_valid_item(std::string_view item);
bool is_valid_stored_item(std::string_view stored);

}  // namespace magneto::storage
