#pragma once

#include <string>
#include <string_view>

// Base64 with the standard alphabet and padding (RFC 4648, section 4), the form of binary values.
namespace magneto::api::json {

// True when `text` is canonical base64: a multiple of four characters, padded, unused bits zero.
bool is_base64(std::string_view text);
// Appends the bytes of `text`, for which is_base64() holds.
void decode_base64(std::string_view text, std::string& out);
// Appends the base64 text of `bytes`.
void encode_base64(std::string_view bytes, std::string& out);

}  // namespace magneto::api::json
