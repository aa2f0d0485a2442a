#pragma once

#include <cstddef>
#include <stdexcept>
#include <string>
#include <vector>

// Reads the case files of tests/cases; tests/cases/README.md describes the format.

#include "api/isolation.h"

namespace magneto::api {

// One line with an action, and its expected result.
struct CaseStep {
  enum class Kind {
    kCall,     // an operation and its request
    kAdvance,  // the clock moves on by `seconds`
    kFreeze,   // the clock stands, until it is moved on
    kSettle,   // background work is waited for
    kReopen,   // the database is closed and opened again, when it is durable
    kCaller,   // later calls are made by this `account` from this `region`
  };
  Kind kind = Kind::kCall;
  std::size_t line = 0;  // of the file, from 1

  std::string operation;
  std::string request;     // JSON text; with $i when it is repeated
  std::int64_t first = 0;  // values of $i
  std::int64_t last = 0;
  bool repeated = false;
  double seconds = 0;
  std::string region;
  std::string account;
  std::string access_key;

  std::size_t expected_line = 0;
  int status = 200;
  bool contains = false;      // the expected JSON, or the message, may leave things out
  std::string expected_json;  // when not empty
  std::string error;    // the error's name, "ValidationException"; empty when JSON is expected
  std::string message;  // of the error
};

struct CaseFile {
  std::string path;
  bool enforces_throughput = false;        // "with enforce-throughput"
  Isolation isolation = Isolation::kNone;  // "with isolate-credentials", "with isolate-region"
  std::vector<CaseStep> steps;
};

// A fault in a case file: "tests/cases/x.case:12: ...".
class CaseFileError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

CaseFile read_case_file(const std::string& path);
// The same for a text; `path` is for messages.
CaseFile parse_case_file(const std::string& path, const std::string& text);

}  // namespace magneto::api
