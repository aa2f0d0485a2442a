#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace magneto::server::formats {

// How a body is coded (RFC 9110, 8.4.1): gzip, where several members in a row are one body, or
// deflate, which is zlib's form.
enum class Coding : std::uint8_t { kIdentity, kGzip, kDeflate };

// As it stands in Content-Encoding.
std::string_view name_of(Coding coding);

// What a Content-Encoding value says; nullopt for an unknown coding or more than one.
std::optional<Coding> read_coding(std::string_view content_encoding);

enum class Inflated : std::uint8_t { kDone, kMalformed, kTooLarge };

// Replaces `out` with what `in` holds, at most `limit` bytes; memory grows with what comes out,
// never beyond the limit and 16 KB. Trailing bytes are malformed. Not for kIdentity.
Inflated inflate_body(Coding coding, std::string_view in, std::size_t limit, std::string& out);

// Replaces `out` with `in` in that coding, compressed for speed. False when there is no memory. Not
// for kIdentity.
bool deflate_body(Coding coding, std::string_view in, std::string& out);

// The CRC-32 of RFC 1952, as X-Amz-Crc32 has it of a body's bytes as sent. `before`: that of the bytes
// in front of these.
std::uint32_t body_checksum(std::string_view body, std::uint32_t before = 0);

// The coding that an Accept-Encoding value asks for (captured facts 2, HTTP): the highest q wins,
// among equals the one listed first. "*" stands for the codings that are not named, gzip before
// deflate, and loses to a named one of its weight. A q above 1 is 1, below 0 is 0, an unreadable
// one is 1. kIdentity when nothing has a weight above 0.
Coding choose_coding(std::string_view accept_encoding);

}  // namespace magneto::server::formats
