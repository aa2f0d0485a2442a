#pragma once

#include <string_view>

namespace magneto::api {

// Whether UTF-8 text holds nothing but what keys and values of tags may: letters, digits and spaces
// of any script, and + - = . _ : / @ (captured facts 2, "Tags").
bool is_tag_text(std::string_view text);

}  // namespace magneto::api
