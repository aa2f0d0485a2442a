#pragma once

#include <string_view>

namespace magneto::server::bulk {

// The sentence for text that holds bytes of another encoding, or of none; empty for text.
std::string_view binary_look(std::string_view text);

// The sentence for a file that begins as JSON, or as no text, though it was said to be CSV, with the
// format that fits; empty when it does not begin so.
std::string_view json_look(std::string_view start);

}  // namespace magneto::server::bulk
