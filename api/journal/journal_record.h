#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "api/access/decision.h"
#include "api/call_report.h"

namespace magneto::api {

// What is remembered of one request.
struct JournalRecord {
  // An item that the request names, or what of its key it compares.
  struct Key {
    std::string table;
    std::string key;  // a JSON object of texts
    bool writes;
  };

  std::uint64_t number = 0;  // from 1 upwards, in the order in which requests ended
  std::chrono::system_clock::time_point at;
  std::string_view operation;       // of a literal; empty: no such operation
  std::vector<std::string> tables;  // that it names, each once
  std::string index;
  std::vector<Key> keys;
  bool is_scan = false;  // reads without a partition key
  std::string access_key;
  std::string region;
  std::string address;
  int status = 0;          // of HTTP; 0: no whole answer was sent
  std::string_view error;  // of a literal, without what stands before the "#"; empty: none
  double milliseconds = 0;
  double read_units = 0;
  double write_units = 0;
  CallReport::Plan plan;
  std::size_t request_bytes = 0;  // of the body
  std::size_t response_bytes = 0;
  std::string request_id;
  std::vector<std::string> faults;          // the ids of the rules that hit
  std::vector<access::Decision> decisions;  // by policies, on what the request asks for
  bool was_kept = false;                    // by one of them: the request did not run
  std::string request;                      // the body, a JSON text; empty: not kept
  std::string response;

  // Memory that it takes.
  std::size_t bytes() const;
};

}  // namespace magneto::api
