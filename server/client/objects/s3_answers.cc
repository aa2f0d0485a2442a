#include "server/client/objects/s3_answers.h"

#include <algorithm>
#include <charconv>
#include <utility>

#include "server/client/signing/authorization.h"
#include "server/system/utf8.h"

namespace magneto::server::client {
namespace {

constexpr std::size_t kLongestReference = 10;  // "&#x10FFFF;"
// Limits above those of S3: a key has up to 1,024 bytes, an ETag 32 digits and the number of parts,
// a page 1,000 objects.
constexpr std::size_t kLongestListedKey = 1'024;
constexpr std::size_t kLongestEtag = 200;
constexpr std::size_t kLongestToken = 4'096;
constexpr std::size_t kMostOfPage = 10'000;

struct Element {
  std::string_view content;
  std::size_t end = 0;  // behind it, in the text
};

// The first element of that name from a place on: "<name>...</name>", with attributes or without.
std::optional<Element> find_element(std::string_view xml, std::string_view name,
                                    std::size_t from = 0) {
  const std::string opening = "<" + std::string(name);
  const std::string closing = "</" + std::string(name) + ">";
  for (std::size_t at = xml.find(opening, from); at != std::string_view::npos;
       at = xml.find(opening, at + 1)) {
    const std::size_t behind = at + opening.size();
    const char next = behind < xml.size() ? xml[behind] : '\0';
    if (next != '>' && next != ' ' && next != '/') continue;  // of a longer name
    const std::size_t begin = xml.find('>', behind);
    if (begin == std::string_view::npos) return std::nullopt;
    if (xml[begin - 1] == '/') return Element{{}, begin + 1};
    const std::size_t end = xml.find(closing, begin);
    if (end == std::string_view::npos) return std::nullopt;
    return Element{xml.substr(begin + 1, end - begin - 1), end + closing.size()};
  }
  return std::nullopt;
}

// `name`: the text between "&" and ";". Returns false if it is not known.
bool append_reference(std::string_view name, std::string& text) {
  constexpr std::pair<std::string_view, char> kNamed[] = {
      {"lt", '<'}, {"gt", '>'}, {"amp", '&'}, {"quot", '"'}, {"apos", '\''}};
  for (const auto& [known, c] : kNamed) {
    if (name != known) continue;
    text += c;
    return true;
  }
  if (!name.starts_with('#')) return false;
  name.remove_prefix(1);
  const bool is_hexadecimal = name.starts_with('x');
  if (is_hexadecimal) name.remove_prefix(1);
  std::uint32_t code = 0;
  const auto [end, error] =
      std::from_chars(name.data(), name.data() + name.size(), code, is_hexadecimal ? 16 : 10);
  if (error != std::errc() || end != name.data() + name.size()) return false;
  const bool is_surrogate = code >= 0xD800 && code <= 0xDFFF;
  if (code == 0 || is_surrogate || code > 0x10FFFF) return false;
  system::append_utf8(code, text);
  return true;
}

std::string plain(std::string_view content) {
  std::string text;
  while (!content.empty()) {
    const std::size_t at = content.find('&');
    text.append(content.substr(0, at));
    if (at == std::string_view::npos) break;
    content.remove_prefix(at + 1);
    const std::size_t end = content.substr(0, kLongestReference).find(';');
    if (end != std::string_view::npos && append_reference(content.substr(0, end), text)) {
      content.remove_prefix(end + 1);
    } else {
      text += '&';
    }
  }
  return text;
}

// Reads a value of encoding-type=url, in which a blank is "+".
std::string decode_listed(std::string value) {
  std::ranges::replace(value, '+', ' ');
  return unescape(value);
}

}  // namespace

std::optional<std::string> xml_text(std::string_view xml, std::string_view name) {
  const auto element = find_element(xml, name);
  if (!element) return std::nullopt;
  return plain(element->content);
}

S3Error read_s3_error(std::string_view xml) {
  const auto error = find_element(xml, "Error");
  if (!error) return {};
  return {xml_text(error->content, "Code").value_or(""),
          xml_text(error->content, "Message").value_or("")};
}

namespace {

// The client sends the ETag back in a header field.
bool is_etag(std::string_view text) {
  return text.size() <= kLongestEtag &&
         std::ranges::all_of(text, [](char c) { return c >= ' ' && c <= '~'; });
}

// Returns nullopt if the content is not a valid entry.
std::optional<S3Listed> read_entry(std::string_view content, bool is_escaped) {
  const auto key = xml_text(content, "Key");
  const auto size = xml_text(content, "Size");
  if (!key || !size) return std::nullopt;
  S3Listed object{.key = is_escaped ? decode_listed(*key) : *key,
                  .etag = xml_text(content, "ETag").value_or("")};
  if (object.key.size() > kLongestListedKey || !is_etag(object.etag)) return std::nullopt;
  const auto [end, error] = std::from_chars(size->data(), size->data() + size->size(), object.size);
  const bool is_number = error == std::errc() && end == size->data() + size->size();
  if (!is_number || object.size > kLargestS3Object) return std::nullopt;
  return object;
}

}  // namespace

std::optional<S3Page> read_s3_page(std::string_view xml) {
  const auto list = find_element(xml, "ListBucketResult");
  if (!list) return std::nullopt;
  S3Page page;
  const bool is_escaped = xml_text(list->content, "EncodingType") == "url";
  if (xml_text(list->content, "IsTruncated") == "true") {
    page.next = xml_text(list->content, "NextContinuationToken").value_or("");
    if (page.next.empty() || page.next.size() > kLongestToken) return std::nullopt;
  }
  std::size_t at = 0;
  while (const auto entry = find_element(list->content, "Contents", at)) {
    at = entry->end;
    auto object = read_entry(entry->content, is_escaped);
    if (!object || page.objects.size() == kMostOfPage) return std::nullopt;
    page.objects.push_back(*std::move(object));
  }
  return page;
}

}  // namespace magneto::server::client
