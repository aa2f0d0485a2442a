#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

// What S3 answers in XML (Amazon S3 API reference, ListObjectsV2 and "REST error responses"), read by a
// scanner that takes any bytes: it knows elements by their names and nothing else of XML. What a server sends
// beside them, as what it leaves out, does not matter.
namespace magneto::server::client {

// The text of the first element of that name, without what stands for characters ("&lt;", "&#xE4;"); nullopt:
// there is none.
std::optional<std::string> xml_text(std::string_view xml, std::string_view name);

struct S3Error {
  std::string code;     // "NoSuchBucket"; empty: the answer is no error of S3
  std::string message;  // may be long
};
S3Error read_s3_error(std::string_view xml);

struct S3Listed {
  std::string key;
  std::string etag;  // with its quotes
  std::uint64_t size = 0;
};
// More than S3 keeps; the sizes of all objects of a job can be added.
inline constexpr std::uint64_t kLargestS3Object = std::uint64_t{1} << 47;
struct S3Page {
  std::vector<S3Listed> objects;
  std::string next;  // ContinuationToken of the next page; empty: this is the last
};
// nullopt: it is no page.
std::optional<S3Page> read_s3_page(std::string_view xml);

}  // namespace magneto::server::client
