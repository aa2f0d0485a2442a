#pragma once

#include <string>

// Functions for small files that survive a crash of the process or the machine: the work of a
// function is on the disk when it returns. They throw std::filesystem::filesystem_error; path1()
// and code() identify the failure.
namespace magneto::server::system {

// Creates the file, or atomically replaces its content. Uses `<path>.new` as a temporary file.
void write_synced(const std::string& path, const std::string& text);
void rename_synced(const std::string& from, const std::string& to);
// Does nothing if the file does not exist.
void remove_synced(const std::string& path);
// Waits until all data written to the folder's disk has reached it.
void sync_disk(const std::string& folder);

}  // namespace magneto::server::system
