#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "server/client/signing/header_field.h"

namespace magneto::server::client {

// A request in the form that is signed (AWS, "Create a signed AWS API request", step 1). The
// members are views.
struct SignableRequest {
  std::string_view method = "POST";
  std::string_view uri;                 // path and query as sent, without_authority()
  std::span<const HeaderField> fields;  // in the order in which they are sent
  std::string_view body_hash;           // of the body as sent: 64 hexadecimal digits
  bool is_of_s3 = false;                // paths are signed as they are sent
};

// More header fields than any client signs. Each costs a search through all of them.
inline constexpr std::size_t kMaxSignedHeaders = 128;

// Returns the names of a list "host;x-amz-date" in lower case, ascending, each once. They are views
// into `list`, which is changed to lower case. Empty for an empty list, and for one of more than
// kMaxSignedHeaders.
std::vector<std::string_view> split_signed_headers(std::string& list);

// Appends the names as such a list.
void append_list(std::span<const std::string_view> signed_headers, std::string& text);

// Returns the text whose digest is signed. `signed_headers` is from split_signed_headers(). The
// query is written without X-Amz-Signature.
std::string canonical_request(const SignableRequest& request,
                              std::span<const std::string_view> signed_headers);

// Appends the bytes, with percent escapes for all but the unreserved characters of RFC 3986.
void append_escaped(std::string_view bytes, std::string& text);

}  // namespace magneto::server::client
