#pragma once

#include <string_view>

namespace magneto::fuzz {

// One interface that takes bytes from outside. `run` accepts any input and returns, or ends the
// program if a property is broken (property.h). It leaves no state that changes the result of a
// later input.
struct Target {
  std::string_view name;  // of its file in targets/ and its corpus
  // Names of files in dictionaries/, separated by blanks.
  std::string_view dictionaries;
  void (*run)(std::string_view input);
};

void fuzz_agent(std::string_view input);
void fuzz_attribute_value(std::string_view input);
void fuzz_authorization(std::string_view input);
void fuzz_body_encoding(std::string_view input);
void fuzz_condition(std::string_view input);
void fuzz_credentials(std::string_view input);
void fuzz_csv(std::string_view input);
void fuzz_settings(std::string_view input);
void fuzz_filter_pattern(std::string_view input);
void fuzz_function_answer(std::string_view input);
void fuzz_http(std::string_view input);
void fuzz_ion(std::string_view input);
void fuzz_key_condition(std::string_view input);
void fuzz_mapping_file(std::string_view input);
void fuzz_number(std::string_view input);
void fuzz_policy(std::string_view input);
void fuzz_projection(std::string_view input);
void fuzz_request(std::string_view input);
void fuzz_s3_answer(std::string_view input);
void fuzz_schema(std::string_view input);
void fuzz_service(std::string_view input);
void fuzz_statement(std::string_view input);
void fuzz_stored_record(std::string_view input);
void fuzz_token(std::string_view input);
void fuzz_update(std::string_view input);

inline constexpr Target kTargets[] = {
    {"agent", "json members", &fuzz_agent},
    {"attribute_value", "json", &fuzz_attribute_value},
    {"authorization", "json members", &fuzz_authorization},
    {"body_encoding", {}, &fuzz_body_encoding},
    {"condition", "expressions", &fuzz_condition},
    {"credentials", {}, &fuzz_credentials},
    {"csv", "json", &fuzz_csv},
    {"settings", "json members", &fuzz_settings},
    {"filter_pattern", "json", &fuzz_filter_pattern},
    {"function_answer", "json", &fuzz_function_answer},
    {"http", "http", &fuzz_http},
    {"ion", {}, &fuzz_ion},
    {"key_condition", "expressions", &fuzz_key_condition},
    {"mapping_file", "json", &fuzz_mapping_file},
    {"number", {}, &fuzz_number},
    {"policy", "json policies", &fuzz_policy},
    {"projection", "expressions", &fuzz_projection},
    {"request", "json members", &fuzz_request},
    {"s3_answer", {}, &fuzz_s3_answer},
    {"schema", "json members", &fuzz_schema},
    {"service", "json members", &fuzz_service},
    {"statement", "partiql", &fuzz_statement},
    {"stored_record", {}, &fuzz_stored_record},
    {"token", "json", &fuzz_token},
    {"update", "expressions", &fuzz_update},
};

// Returns nullptr if there is none.
constexpr const Target* find_target(std::string_view name) {
  for (const Target& target : kTargets) {
    if (target.name == name) return &target;
  }
  return nullptr;
}

}  // namespace magneto::fuzz
