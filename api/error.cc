#include "api/error.h"

namespace magneto::api {

void fail_validation(std::string message) {
  throw ApiError(ErrorType::kValidation, std::move(message));
}

void fail_enveloped(std::string_view message) {
  fail_validation("1 validation error detected: " + std::string(message));
}

}  // namespace magneto::api
