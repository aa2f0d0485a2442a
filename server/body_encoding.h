#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace magneto::server {

enum class Inflated : std::uint8_t { kDone, kMalformed, kTooLarge };

// Replaces `out` with what the gzip stream `in` holds, at most `limit` bytes; memory grows with
// what comes out, never beyond the limit. Trailing bytes are malformed.
Inflated inflate_gzip(std::string_view in, std::size_t limit, std::string& out);

// Replaces `out` with `in` as a gzip stream, compressed for speed. False when zlib has no memory.
bool deflate_gzip(std::string_view in, std::string& out);

// True when an Accept-Encoding value takes gzip: "gzip" or "*" without q=0.
bool accepts_gzip(std::string_view accept_encoding);

}  // namespace magneto::server
