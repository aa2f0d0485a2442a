#pragma once

#include <cstdint>

namespace magneto::api {

// Which callers have separate tables, so that each may use the same table name.
enum class Isolation : std::uint8_t {
  kNone,         // all callers share the tables
  kRegion,       // each region has its own tables
  kCredentials,  // each access key in each region, as in DynamoDB Local without -sharedDb
};

}  // namespace magneto::api
