#pragma once

#include <cstdint>
#include <string>
#include <string_view>

// What the user is told of imports.
namespace magneto::server::bulk::messages {

std::string write_failed(std::string_view endpoint, std::string_view why);
// The file of --errors is one of those that are read.
std::string errors_into_source(std::string_view file);
std::string no_such_table(std::string_view table, std::string_view endpoint);
std::string table_not_made(std::string_view table, std::string_view why);
std::string unusable_description(std::string_view file);
std::string table_never_active(std::string_view table);

// ---- how it went, without an end of line -------------------------------------------------------

// `percent` of the files' bytes; below 0: their size is not known.
std::string import_progress(std::uint64_t put, double per_second, double percent);
// Before an export in AWS's format is imported.
std::string checking_export(std::size_t files, std::string_view folder);
std::string import_done(std::uint64_t put, std::string_view table, double seconds,
                        std::uint64_t passed_over);
std::string import_stopped(std::string_view why, std::uint64_t put, std::string_view table);
std::string passed_over(std::uint64_t count, std::string_view first);
std::string page_imported(std::string_view file);

}  // namespace magneto::server::bulk::messages
