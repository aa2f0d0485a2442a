#include "server/body_encoding.h"

#include <libdeflate.h>
#include <zlib.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <memory>
#include <utility>

#include "server/ascii_case.h"

namespace magneto::server {
namespace {

constexpr int kLargestWindow = 15;
constexpr int kGzipWrapper = 16;
// libdeflate's quickest.
constexpr int kCompressionLevel = 1;

std::string_view trim(std::string_view text) {
  const std::size_t first = text.find_first_not_of(" \t");
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(" \t") - first + 1);
}

// Cuts off what stands before the first `mark`, and the mark.
std::string_view take_until(char mark, std::string_view& text) {
  const std::string_view part = text.substr(0, text.find(mark));
  text.remove_prefix(std::min(text.size(), part.size() + 1));
  return trim(part);
}

// Of the parameters after a coding: "q=0.5".
double read_weight(std::string_view parameters) {
  while (!parameters.empty()) {
    const std::string_view parameter = take_until(';', parameters);
    if (parameter.size() < 2 || !equals_ignoring_case(parameter.substr(0, 2), "q=")) continue;
    const char* const end = parameter.data() + parameter.size();
    double weight = 1;
    const auto [stop, error] = std::from_chars(parameter.data() + 2, end, weight);
    if (error != std::errc() || stop != end || std::isnan(weight)) return 1;
    return std::clamp(weight, 0.0, 1.0);
  }
  return 1;
}

// A stream of one body.
class Inflater {
 public:
  explicit Inflater(Coding coding) : coding_(coding) {
    const int wrapper = coding == Coding::kGzip ? kGzipWrapper : 0;
    ready_ = inflateInit2(&stream_, kLargestWindow + wrapper) == Z_OK;
  }
  ~Inflater() {
    if (ready_) inflateEnd(&stream_);
  }
  Inflater(const Inflater&) = delete;
  Inflater& operator=(const Inflater&) = delete;

  bool ready() const { return ready_; }
  Inflated run(std::string_view in, std::size_t limit, std::string& out);

 private:
  // Fills `room` bytes at `to`; the number that came is taken off. Z_STREAM_END: the body is whole.
  int fill(char* to, std::size_t& room);

  const Coding coding_;
  z_stream stream_{};
  bool ready_ = false;
};

int Inflater::fill(char* to, std::size_t& room) {
  stream_.next_out = reinterpret_cast<unsigned char*>(to);
  stream_.avail_out = static_cast<unsigned>(room);
  int status = inflate(&stream_, Z_NO_FLUSH);
  // RFC 1952, 2.2: a gzip file is a series of members.
  while (status == Z_STREAM_END && coding_ == Coding::kGzip && stream_.avail_in > 0) {
    status = inflateReset(&stream_);
    if (status == Z_OK) status = inflate(&stream_, Z_NO_FLUSH);
  }
  room = stream_.avail_out;
  return status;
}

Inflated Inflater::run(std::string_view in, std::size_t limit, std::string& out) {
  stream_.next_in = reinterpret_cast<unsigned char*>(const_cast<char*>(in.data()));
  stream_.avail_in = static_cast<unsigned>(in.size());
  // One byte of room beyond the limit tells a body that ends at the limit from a longer one.
  const std::size_t most = limit + 1;
  out.resize(std::min(most, std::max<std::size_t>(4096, in.size() * 4)));
  std::size_t size = 0;
  for (;;) {
    std::size_t room = out.size() - size;
    const int status = fill(out.data() + size, room);
    size = out.size() - room;
    const bool whole = status == Z_STREAM_END && stream_.avail_in == 0;
    const bool failed = status != Z_STREAM_END && status != Z_OK && status != Z_BUF_ERROR;
    if (size > limit) return Inflated::kTooLarge;
    if (whole) break;
    // Or something follows a whole body, or the input ended early.
    if (failed || status == Z_STREAM_END || room != 0) return Inflated::kMalformed;
    out.resize(std::min(most, out.size() * 2));
  }
  out.resize(size);
  return Inflated::kDone;
}

struct CompressorDeleter {
  void operator()(libdeflate_compressor* compressor) const {
    libdeflate_free_compressor(compressor);
  }
};

}  // namespace

std::string_view name_of(Coding coding) {
  switch (coding) {
    case Coding::kGzip:
      return "gzip";
    case Coding::kDeflate:
      return "deflate";
    case Coding::kIdentity:
      break;
  }
  return "identity";
}

std::optional<Coding> read_coding(std::string_view content_encoding) {
  const std::string_view name = trim(content_encoding);
  if (name.empty()) return Coding::kIdentity;
  for (const Coding coding : {Coding::kIdentity, Coding::kGzip, Coding::kDeflate}) {
    if (equals_ignoring_case(name, name_of(coding))) return coding;
  }
  return std::nullopt;
}

Inflated inflate_body(Coding coding, std::string_view in, std::size_t limit, std::string& out) {
  Inflater inflater(coding);
  return inflater.ready() ? inflater.run(in, limit, out) : Inflated::kTooLarge;
}

bool deflate_body(Coding coding, std::string_view in, std::string& out) {
  const std::unique_ptr<libdeflate_compressor, CompressorDeleter> compressor(
      libdeflate_alloc_compressor(kCompressionLevel));
  if (!compressor) return false;
  const bool gzip = coding == Coding::kGzip;
  const auto bound = gzip ? libdeflate_gzip_compress_bound : libdeflate_zlib_compress_bound;
  const auto compress = gzip ? libdeflate_gzip_compress : libdeflate_zlib_compress;
  out.resize(bound(compressor.get(), in.size()));
  out.resize(compress(compressor.get(), in.data(), in.size(), out.data(), out.size()));
  return !out.empty();
}

Coding choose_coding(std::string_view accept_encoding) {
  Coding best = Coding::kIdentity;
  double best_weight = 0;
  double others_weight = 0;
  bool gzip_named = false;
  bool deflate_named = false;
  while (!accept_encoding.empty()) {
    std::string_view parameters = take_until(',', accept_encoding);
    const std::string_view name = take_until(';', parameters);
    const double weight = read_weight(parameters);
    if (name == "*") others_weight = std::max(others_weight, weight);
    const std::optional<Coding> coding = read_coding(name);
    if (!coding || *coding == Coding::kIdentity) continue;
    (*coding == Coding::kGzip ? gzip_named : deflate_named) = true;
    if (weight > best_weight) {
      best = *coding;
      best_weight = weight;
    }
  }
  if (others_weight <= best_weight || (gzip_named && deflate_named)) return best;
  return gzip_named ? Coding::kDeflate : Coding::kGzip;
}

}  // namespace magneto::server
