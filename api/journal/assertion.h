#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "api/journal/journal.h"
#include "api/json/strict_object.h"

namespace magneto::api {

struct AssertionFailure {
  std::string sentence;
  std::vector<std::uint64_t> records;  // their numbers
};

// Checks records, in their order, against one assertion (assertions.h). Returns its failures; empty
// if it holds. Throws ControlError.
std::vector<AssertionFailure> check_assertion(const json::StrictObject& assertion,
                                              std::span<const Journal::Record> records);

// The members that an assertion may have.
std::span<const std::string_view> assertion_members();

}  // namespace magneto::api
