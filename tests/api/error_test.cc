#include "api/error.h"

#include <gtest/gtest.h>

#include "api/service.h"

namespace magneto::api {
namespace {

// Captured facts, "Error wire format".
TEST(Error, HasTheProtocolsForm) {
  std::string body = "what was there before";
  EXPECT_EQ(Service::write_error(ErrorType::kMissingAuthenticationToken,
                                 "Request is missing Authentication Token", body),
            400);
  EXPECT_EQ(body, R"({"__type":"com.amazon.coral.service#MissingAuthenticationTokenException",)"
                  R"("message":"Request is missing Authentication Token"})");
  EXPECT_EQ(Service::write_error(ErrorType::kSerialization, "a\"b", body), 400);
  EXPECT_EQ(body,
            R"({"__type":"com.amazon.coral.service#SerializationException","Message":"a\"b"})");
  EXPECT_EQ(Service::write_error(ErrorType::kUnknownOperation, "", body), 400);
  EXPECT_EQ(body, R"({"__type":"com.amazon.coral.service#UnknownOperationException"})");
  EXPECT_EQ(error_info(ErrorType::kInternalServerError).status, 500);
}

TEST(Error, NamesEveryTypeOnce) {
  for (int a = 0; a <= static_cast<int>(ErrorType::kInternalServerError); ++a) {
    for (int b = 0; b < a; ++b) {
      EXPECT_NE(error_info(static_cast<ErrorType>(a)).name,
                error_info(static_cast<ErrorType>(b)).name);
    }
  }
}

TEST(Error, PutsTheEnvelopeInFront) {
  try {
    fail_one_validation_error("text");
  } catch (const ApiError& error) {
    EXPECT_EQ(error.type(), ErrorType::kValidation);
    EXPECT_EQ(error.message(), "1 validation error detected: text");
  }
}

}  // namespace
}  // namespace magneto::api
