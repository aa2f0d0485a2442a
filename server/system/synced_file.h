#pragma once

#include <string>

// Small files that neither the end of the process nor that of the machine cuts or brings back: what
// a function did is on the disk when it returns. They throw std::filesystem::filesystem_error,
// whose path1() and code() say what failed.
namespace magneto::server::system {

// Makes the file, or replaces all of it at once. `<path>.new` is written on the way.
void write_synced(const std::string& path, const std::string& text);
void rename_synced(const std::string& from, const std::string& to);
// Nothing when there is no such file.
void remove_synced(const std::string& path);
// Waits until all that was written to the disk of this folder is on it.
void sync_disk(const std::string& folder);

}  // namespace magneto::server::system
