#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace magneto::server::formats {

// Converts names of tables to text with one line for each name, and back. The text leaves out names
// that a line cannot hold; CreateTable refuses those anyway.
std::string table_list_text(std::span<const std::string> names);
// nullopt for damaged text: a line that is empty, too long or not ended, or a control character.
std::optional<std::vector<std::string>> read_table_list(std::string_view text);

}  // namespace magneto::server::formats
