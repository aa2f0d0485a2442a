#pragma once

#include <string_view>

namespace magneto::server::bulk {

// The message for text with bytes of another encoding, or of no encoding; empty for valid text.
std::string_view binary_look(std::string_view text);

// The message for a file that begins like JSON, or like binary data, although CSV was requested. It
// names the right format. Empty if the file does not begin like that.
std::string_view json_look(std::string_view start);

}  // namespace magneto::server::bulk
