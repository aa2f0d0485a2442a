#pragma once

#include <cstdint>

namespace magneto::api {

// Whose tables live apart from those of others, so that a name may be taken in each.
enum class Isolation : std::uint8_t {
  kNone,         // all callers share the tables
  kRegion,       // those of each region
  kCredentials,  // those of each access key in each region, as in DynamoDB Local without -sharedDb
};

}  // namespace magneto::api
