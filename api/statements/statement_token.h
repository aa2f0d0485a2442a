#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "storage/model/attribute_value.h"

namespace magneto::api {

// The position at which a SELECT continues: in the read with that number, after `last`, an
// evaluated item or entry. An empty `last` means the beginning of the read.
struct StatementStart {
  std::uint32_t read = 0;
  storage::Item last;
};

// NextToken of ExecuteStatement, opaque to clients. `fingerprint` identifies the statement, its
// parameters and its table or index.
std::string encode_statement_token(std::uint64_t fingerprint, const StatementStart& start);

// Throws ValidationException if the text is not a token, or is a token of another statement.
StatementStart decode_statement_token(std::string_view token, std::uint64_t fingerprint);

}  // namespace magneto::api
