#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "storage/model/attribute_value.h"

namespace magneto::api {

// Where a SELECT goes on: in the read of that number behind `last`, an item or entry evaluated, or
// at its beginning when that is empty.
struct StatementStart {
  std::uint32_t read = 0;
  storage::Item last;
};

// NextToken of ExecuteStatement, opaque to clients. `fingerprint` stands for the statement, its
// parameters and the table or index it reads.
std::string encode_statement_token(std::uint64_t fingerprint, const StatementStart& start);

// Throws ValidationException: a text that is no token, or one of another statement.
StatementStart decode_statement_token(std::string_view token, std::uint64_t fingerprint);

}  // namespace magneto::api
