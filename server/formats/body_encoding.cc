#include "server/formats/body_encoding.h"

#include <libdeflate.h>

#include <algorithm>
#include <boost/algorithm/string/classification.hpp>
#include <boost/algorithm/string/trim.hpp>
#include <charconv>
#include <cmath>
#include <memory>
#include <utility>

#include "server/system/ignoring_case.h"

namespace magneto::server::formats {
namespace {

// The fastest level of libdeflate.
constexpr int kCompressionLevel = 1;

std::string_view trim(std::string_view text) {
  return boost::algorithm::trim_copy_if(text, boost::algorithm::is_any_of(" \t"));
}

// Removes the text up to and including the first `mark`, and returns the part before it.
std::string_view take_until(char mark, std::string_view& text) {
  const std::string_view part = text.substr(0, text.find(mark));
  text.remove_prefix(std::min(text.size(), part.size() + 1));
  return trim(part);
}

// Reads the weight from the parameters after a coding: "q=0.5".
double read_weight(std::string_view parameters) {
  while (!parameters.empty()) {
    const std::string_view parameter = take_until(';', parameters);
    if (parameter.size() < 2 || !system::equals_ignoring_case(parameter.substr(0, 2), "q="))
      continue;
    const char* const end = parameter.data() + parameter.size();
    double weight = 1;
    const auto [stop, error] = std::from_chars(parameter.data() + 2, end, weight);
    if (error != std::errc() || stop != end || std::isnan(weight)) return 1;
    return std::clamp(weight, 0.0, 1.0);
  }
  return 1;
}

struct DecompressorDeleter {
  void operator()(libdeflate_decompressor* decompressor) const {
    libdeflate_free_decompressor(decompressor);
  }
};
using Decompressor = std::unique_ptr<libdeflate_decompressor, DecompressorDeleter>;

// The state of a decompression: the remaining input and the output so far.
struct Inflation {
  std::string_view in;
  std::string& out;
  std::size_t size = 0;  // bytes used of `out`
};

// Decompresses one zlib stream, or one member of a gzip file, into the available room.
libdeflate_result inflate_part(libdeflate_decompressor* decompressor, Coding coding,
                               Inflation& inflation) {
  const auto decompress =
      coding == Coding::kGzip ? libdeflate_gzip_decompress_ex : libdeflate_zlib_decompress_ex;
  std::size_t taken = 0;
  std::size_t came = 0;
  const libdeflate_result result = decompress(
      decompressor, inflation.in.data(), inflation.in.size(), inflation.out.data() + inflation.size,
      inflation.out.size() - inflation.size, &taken, &came);
  if (result == LIBDEFLATE_SUCCESS) {
    inflation.in.remove_prefix(taken);
    inflation.size += came;
  }
  return result;
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
    if (system::equals_ignoring_case(name, name_of(coding))) return coding;
  }
  return std::nullopt;
}

// libdeflate needs room for the whole output, whose size is unknown. So a part that does not fit is
// decompressed again with twice the room; all attempts together write less than twice the maximum
// of the last one. At the end of a truncated body, libdeflate reads up to 8 zero bytes before it
// reports the error; the room beyond the limit holds their output.
Inflated inflate_body(Coding coding, std::string_view in, std::size_t limit, std::string& out) {
  constexpr std::size_t kAfterTheEnd = 16 << 10;
  const std::size_t most = limit + kAfterTheEnd;
  const Decompressor decompressor(libdeflate_alloc_decompressor());
  if (!decompressor) return Inflated::kTooLarge;
  out.resize(std::min(most, std::max<std::size_t>(4096, in.size() * 4)));
  Inflation inflation{in, out};
  for (;;) {
    const libdeflate_result result = inflate_part(decompressor.get(), coding, inflation);
    if (result == LIBDEFLATE_INSUFFICIENT_SPACE) {
      if (out.size() == most) return Inflated::kTooLarge;
      out.resize(std::min(most, out.size() * 2));
      continue;
    }
    if (result != LIBDEFLATE_SUCCESS) return Inflated::kMalformed;
    if (inflation.size > limit) return Inflated::kTooLarge;
    if (inflation.in.empty()) break;
    // RFC 1952, 2.2: a gzip file is a series of members.
    if (coding != Coding::kGzip) return Inflated::kMalformed;
  }
  out.resize(inflation.size);
  return Inflated::kDone;
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

std::uint32_t body_checksum(std::string_view body, std::uint32_t before) {
  return ::libdeflate_crc32(before, body.data(), body.size());
}

}  // namespace magneto::server::formats
