#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "server/system/sentence.h"

// Messages to the user about imports.
namespace magneto::server::bulk::messages {

inline constexpr system::Sentence<2> kWriteFailed{"{endpoint} does not accept the items: {why}"};
// The file of --errors is one of the source files.
inline constexpr system::Sentence<1> kErrorsIntoSource{
    "--errors {file} would overwrite the items in that file"};
inline constexpr system::Sentence<2> kNoSuchTable{
    "{endpoint} has no table {table}; make it, or give its description with --create-from FILE"};
inline constexpr system::Sentence<2> kTableNotMade{"table {table} cannot be made: {why}"};
inline constexpr system::Sentence<1> kUnusableDescription{
    "{file} is neither an answer of DescribeTable nor a request of CreateTable"};
inline constexpr system::Sentence<1> kTableNeverActive{"table {table} does not become ACTIVE"};

// ---- progress and results, without a line feed -------------------------------------------------

// `percent`: of the bytes of all files; below 0 if their size is not known.
std::string import_progress(std::uint64_t put, double per_second, double percent);
// Shown before an export in AWS's format is imported.
std::string checking_export(std::size_t files, std::string_view folder);
std::string import_done(std::uint64_t put, std::string_view table, double seconds,
                        std::uint64_t passed_over);
std::string import_stopped(std::string_view why, std::uint64_t put, std::string_view table);
std::string passed_over(std::uint64_t count, std::string_view first);
inline constexpr system::Sentence<1> kPageImported{
    "{file} is one page of a scan: its LastEvaluatedKey or NextToken says that the table has more items"};

}  // namespace magneto::server::bulk::messages
