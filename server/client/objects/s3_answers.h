#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

// Reads S3's answers in XML (Amazon S3 API reference, ListObjectsV2 and "REST error responses").
// The scanner accepts any bytes. It finds elements by their names, and knows nothing else of XML.
// So additional and missing elements do not matter.
namespace magneto::server::client {

// Returns the text of the first element with that name, with its references ("&lt;", "&#xE4;")
// resolved; nullopt if there is none.
std::optional<std::string> xml_text(std::string_view xml, std::string_view name);

struct S3Error {
  std::string code;     // "NoSuchBucket"; empty: the answer is not S3's error
  std::string message;  // may be long
};
S3Error read_s3_error(std::string_view xml);

struct S3Listed {
  std::string key;
  std::string etag;  // with its quotes
  std::uint64_t size = 0;
};
// More than S3 allows; the sizes of all objects of a job can still be added.
inline constexpr std::uint64_t kLargestS3Object = std::uint64_t{1} << 47;
struct S3Page {
  std::vector<S3Listed> objects;
  std::string next;  // ContinuationToken of the next page; empty on the last page
};
// Returns nullopt if the answer is not a page.
std::optional<S3Page> read_s3_page(std::string_view xml);

}  // namespace magneto::server::client
