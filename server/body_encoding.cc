#include "server/body_encoding.h"

#include <zlib.h>

#include <algorithm>
#include <cctype>

namespace magneto::server {
namespace {

constexpr int kGzipWindow = 15 + 16;  // the largest window, in a gzip wrapper

unsigned char* writable_bytes(std::string& text, std::size_t offset) {
  return reinterpret_cast<unsigned char*>(text.data() + offset);
}

unsigned char* readable_bytes(std::string_view text) {
  return reinterpret_cast<unsigned char*>(const_cast<char*>(text.data()));
}

std::string_view trim(std::string_view text) {
  const std::size_t first = text.find_first_not_of(" \t");
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(" \t") - first + 1);
}

bool equals_ignoring_case(std::string_view a, std::string_view b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(), [](unsigned char x, unsigned char y) {
    return std::tolower(x) == std::tolower(y);
  });
}

// Whether a parameter text such as "q=0.000" gives the weight zero.
bool is_zero_weight(std::string_view parameter) {
  if (parameter.size() < 3 || !equals_ignoring_case(parameter.substr(0, 2), "q=")) return false;
  return parameter.substr(2).find_first_not_of("0.") == std::string_view::npos;
}

}  // namespace

Inflated inflate_gzip(std::string_view in, std::size_t limit, std::string& out) {
  z_stream stream{};
  if (inflateInit2(&stream, kGzipWindow) != Z_OK) return Inflated::kTooLarge;
  stream.next_in = readable_bytes(in);
  stream.avail_in = static_cast<unsigned>(in.size());
  // One byte of room beyond the limit tells a stream that ends at the limit from a longer one.
  const std::size_t room = limit + 1;
  out.resize(std::min(room, std::max<std::size_t>(4096, in.size() * 4)));
  Inflated result = Inflated::kMalformed;
  for (;;) {
    stream.next_out = writable_bytes(out, stream.total_out);
    stream.avail_out = static_cast<unsigned>(out.size() - stream.total_out);
    const int status = inflate(&stream, Z_NO_FLUSH);
    if (status == Z_STREAM_END) {
      if (stream.total_out > limit) {
        result = Inflated::kTooLarge;
      } else if (stream.avail_in == 0) {
        result = Inflated::kDone;
      }
      break;
    }
    if (status != Z_OK && status != Z_BUF_ERROR) break;
    if (stream.avail_out != 0) break;  // the input ended early
    if (out.size() == room) {
      result = Inflated::kTooLarge;
      break;
    }
    out.resize(std::min(room, out.size() * 2));
  }
  out.resize(stream.total_out);
  inflateEnd(&stream);
  return result;
}

bool deflate_gzip(std::string_view in, std::string& out) {
  z_stream stream{};
  constexpr int kMemoryLevel = 8;
  if (deflateInit2(&stream, Z_BEST_SPEED, Z_DEFLATED, kGzipWindow, kMemoryLevel,
                   Z_DEFAULT_STRATEGY) != Z_OK) {
    return false;
  }
  out.resize(deflateBound(&stream, in.size()));
  stream.next_in = readable_bytes(in);
  stream.avail_in = static_cast<unsigned>(in.size());
  stream.next_out = writable_bytes(out, 0);
  stream.avail_out = static_cast<unsigned>(out.size());
  const int status = deflate(&stream, Z_FINISH);
  out.resize(stream.total_out);
  deflateEnd(&stream);
  return status == Z_STREAM_END;
}

bool accepts_gzip(std::string_view accept_encoding) {
  bool any = false;
  while (!accept_encoding.empty()) {
    const std::size_t comma = accept_encoding.find(',');
    const std::string_view member = accept_encoding.substr(0, comma);
    accept_encoding =
        comma == std::string_view::npos ? std::string_view() : accept_encoding.substr(comma + 1);
    const std::size_t semicolon = member.find(';');
    const std::string_view coding = trim(member.substr(0, semicolon));
    const bool refused =
        semicolon != std::string_view::npos && is_zero_weight(trim(member.substr(semicolon + 1)));
    if (equals_ignoring_case(coding, "gzip")) return !refused;
    if (coding == "*") any = !refused;
  }
  return any;
}

}  // namespace magneto::server
