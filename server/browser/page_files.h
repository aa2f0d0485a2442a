#pragma once

#include <span>
#include <string_view>

namespace magneto::server::browser {

// A file of server/browser/page, compiled into the server.
struct PageFile {
  std::string_view path;  // relative to that folder
  std::string_view tag;   // identifies the content: 20 hexadecimal digits
  std::string_view gzip;  // the compressed file; no other form is stored
};

// All page files, in the order of their paths. The build generates them (embed.cmake).
std::span<const PageFile> page_files();

}  // namespace magneto::server::browser
