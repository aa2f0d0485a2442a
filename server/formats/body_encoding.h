#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace magneto::server::formats {

// The content coding of a body (RFC 9110, 8.4.1). With gzip, several members in a row form one
// body. deflate is the zlib format.
enum class Coding : std::uint8_t { kIdentity, kGzip, kDeflate };

// The coding's name in Content-Encoding.
std::string_view name_of(Coding coding);

// Reads a Content-Encoding value; nullopt for an unknown coding or more than one coding.
std::optional<Coding> read_coding(std::string_view content_encoding);

enum class Inflated : std::uint8_t { kDone, kMalformed, kTooLarge };

// Replaces `out` with the decompressed content of `in`, at most `limit` bytes. Memory grows with
// the output, at most to the limit plus 16 KB. Trailing bytes are malformed. Not for kIdentity.
Inflated inflate_body(Coding coding, std::string_view in, std::size_t limit, std::string& out);

// Replaces `out` with `in` in that coding, compressed at the fastest level. False if memory is
// short. Not for kIdentity.
bool deflate_body(Coding coding, std::string_view in, std::string& out);

// The CRC-32 of RFC 1952 over the bytes of a body as sent, as in X-Amz-Crc32. `before`: the
// checksum of the preceding bytes.
std::uint32_t body_checksum(std::string_view body, std::uint32_t before = 0);

// Chooses the coding for an Accept-Encoding value (captured facts 2, HTTP). The highest q wins; of
// equal ones, the coding listed first. "*" means the codings that are not listed, gzip before
// deflate; it loses to a listed coding with the same weight. A q above 1 counts as 1, below 0 as 0,
// an unreadable one as 1. Returns kIdentity if no weight is above 0.
Coding choose_coding(std::string_view accept_encoding);

}  // namespace magneto::server::formats
