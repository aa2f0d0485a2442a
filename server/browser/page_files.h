#pragma once

#include <span>
#include <string_view>

namespace magneto::server::browser {

// A file of server/browser/page, compiled in.
struct PageFile {
  std::string_view path;  // below that folder
  std::string_view tag;   // of what is in it: 20 hexadecimal digits
  std::string_view gzip;  // the file, compressed: it is kept in this form alone
};

// All of them, in the order of their paths. The build writes them (embed.cmake).
std::span<const PageFile> page_files();

}  // namespace magneto::server::browser
