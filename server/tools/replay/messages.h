#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "server/system/sentence.h"

// Messages to the user about `magneto replay`.
namespace magneto::server::tools::messages {

inline constexpr const char* kNoJournalRecord = "it is not a journal record";
inline constexpr const char* kNoReplayEndpoint = "give an endpoint with --to";

// "200", "400 ValidationException (...)", or the reason why there was no answer. `message` may be
// empty.
std::string outcome_text(std::int64_t status, std::string_view error, std::string_view message);
inline constexpr system::Sentence<4> kOtherOutcome{
    "#{number} {operation}: {found} instead of {expected}"};
// `expected`, `found`: empty if there is none.
std::string other_value(std::int64_t number, std::string_view operation, std::string_view path,
                        std::string_view expected, std::string_view found);
std::string replayed(std::uint64_t sent, std::uint64_t different);
std::string without_body(std::uint64_t count);
std::string kept_from_running(std::uint64_t count);

}  // namespace magneto::server::tools::messages
