#pragma once

#include <string_view>

namespace magneto::api {

// Whether UTF-8 text has only characters that keys and values of tags may have: letters, digits and
// spaces of any script, and + - = . _ : / @ (captured facts 2, "Tags").
bool is_tag_text(std::string_view text);

}  // namespace magneto::api
