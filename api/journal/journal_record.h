#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "api/access/decision.h"
#include "api/call_report.h"
#include "api/subjects/reading.h"

namespace magneto::api {

// The stored facts about one request.
struct JournalRecord {
  // An item that the request names, or the part of its key that the request compares.
  struct Key {
    std::string table;
    std::string key;  // a JSON object of texts
    bool writes;
    std::uint32_t access = 0;  // its place in `accesses`
  };

  // How the request reads or writes one table or index. A batch, transaction or statement has one
  // for each form of access.
  struct Access {
    std::uint32_t table = 0;    // its place in `tables`
    std::uint32_t members = 0;  // parts of the request that have this form
    std::string index;
    std::string form;       // Subject::key_form()
    std::string_view verb;  // Subject::verb()
    Reading reading;
    bool scans = false;
    std::uint8_t partition_attributes = 0;  // of the keys

    bool is_like(const Access& other) const {
      return table == other.table && index == other.index && form == other.form &&
             verb == other.verb && reading == other.reading;
    }
  };

  // The use of one table.
  struct Use {
    double read_units = 0;
    double write_units = 0;
    std::int64_t items_read = 0;
    std::int64_t items_returned = 0;
  };

  std::uint64_t number = 0;  // from 1, in the order in which requests ended
  std::chrono::system_clock::time_point at;
  std::string_view operation;       // refers to a literal; empty: no such operation
  std::vector<std::string> tables;  // tables that it names, each once
  std::string index;
  std::vector<Key> keys;
  std::vector<Access> accesses;
  std::vector<Use> uses;  // of each of `tables`, if there are several
  bool is_scan = false;   // reads without a partition key
  std::string access_key;
  std::string region;
  std::string address;
  int status = 0;          // HTTP status; 0: no complete answer was sent
  std::string_view error;  // refers to a literal; without the part before the "#"; empty: none
  double milliseconds = 0;
  double read_units = 0;
  double write_units = 0;
  CallReport::Plan plan;
  std::size_t request_bytes = 0;  // size of the body
  std::size_t response_bytes = 0;
  std::string request_id;
  std::vector<std::string> faults;          // ids of the rules that hit
  std::vector<access::Decision> decisions;  // decisions of policies on the request
  bool was_kept = false;                    // a fault rule prevented the request from running
  std::string request;                      // the body, a JSON text; empty: not stored
  std::string response;

  // The memory that the record takes.
  std::size_t bytes() const;
};

}  // namespace magneto::api
