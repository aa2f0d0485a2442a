#pragma once

#include <string>
#include <string_view>

namespace magneto::server::formats {

// Functions for files and folders that are written as "<path>.part" and renamed to <path> when they
// are complete. They throw TransferFileError on failure.

bool is_there(const std::string& path);

// An alternative temporary name, "<folder>/.<name>.magneto-unfinished", for folders in which
// clients choose the names of other files.
std::string hidden_part(const std::string& path);
// Whether a name without folders has that form.
bool is_hidden_part(std::string_view name);

// Opens `part` with `flags` of open(2), and creates it if it is missing (a folder with
// O_DIRECTORY). Locks it while the descriptor is open. Refuses a part that another process has
// locked.
int open_part(const std::string& part, int flags);

// Renames `part` to `path` and syncs the new name to the disk. If `path` exists, replaces it or
// refuses, as `replace` says.
void name_part(const std::string& part, const std::string& path, bool replace);

// Syncs the folder that contains `path`, because it holds the entry of the file or folder.
void sync_folder_above(const std::string& path);

}  // namespace magneto::server::formats
