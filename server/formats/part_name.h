#pragma once

#include <string>
#include <string_view>

namespace magneto::server::formats {

// Files and folders that are written under one name, "<path>.part", and get their own when they are
// whole. What goes wrong is thrown as TransferFileError.

bool is_there(const std::string& path);

// Another name for that meanwhile, where files lie beside it that anybody may have named:
// "<folder>/.<name>.magneto-unfinished".
std::string hidden_part(const std::string& path);
// Of a name without folders.
bool is_hidden_part(std::string_view name);

// Opens `part` with `flags` of open(2), making it when it is missing (a folder with O_DIRECTORY), and
// locks it for as long as the descriptor is open. One that another process has locked is refused.
int open_part(const std::string& part, int flags);

// Gives `part` its name, replacing a file of that name or refusing to, and brings that to the disk.
void name_part(const std::string& part, const std::string& path, bool replace);

// What lasts of a file or folder is the entry of the folder above.
void sync_folder_above(const std::string& path);

}  // namespace magneto::server::formats
