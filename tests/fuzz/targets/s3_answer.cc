// An answer of an S3 endpoint: a page of a listing, or an error.
#include <algorithm>
#include <string>
#include <string_view>

#include "server/client/objects/s3_answers.h"
#include "tests/fuzz/property.h"
#include "tests/fuzz/targets.h"

namespace magneto::fuzz {
namespace {

void append_text(std::string_view name, std::string_view text, std::string& xml) {
  xml.append("<").append(name).append(">");
  for (const char c : text) {
    if (c == '<') {
      xml += "&lt;";
    } else if (c == '&') {
      xml += "&#x26;";
    } else {
      xml += c;
    }
  }
  xml.append("</").append(name).append(">");
}

std::string written(const server::client::S3Page& page) {
  std::string xml = "<ListBucketResult>";
  append_text("IsTruncated", page.next.empty() ? "false" : "true", xml);
  append_text("NextContinuationToken", page.next, xml);
  for (const server::client::S3Listed& object : page.objects) {
    xml += "<Contents>";
    append_text("Key", object.key, xml);
    append_text("ETag", object.etag, xml);
    append_text("Size", std::to_string(object.size), xml);
    xml += "</Contents>";
  }
  return xml + "</ListBucketResult>";
}

}  // namespace

void fuzz_s3_answer(std::string_view input) {
  const server::client::S3Error error = server::client::read_s3_error(input);
  // An element without an end may contain the other one.
  require(std::max(error.code.size(), error.message.size()) <= input.size(),
          "an error is of the answer");
  const auto page = server::client::read_s3_page(input);
  if (!page) return;
  for (const server::client::S3Listed& object : page->objects) {
    require(object.size <= server::client::kLargestS3Object, "sizes can be added");
    require(object.etag.find_first_of("\r\n") == std::string::npos, "an ETag can be a header field",
            object.etag);
  }
  const std::string xml = written(*page);
  const auto again = server::client::read_s3_page(xml);
  require(again.has_value(), "what was read can be written", xml);
  require_equal(written(*again), xml, "what is written is read");
}

}  // namespace magneto::fuzz
