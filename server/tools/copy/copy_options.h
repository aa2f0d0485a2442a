#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "server/bulk/export/table_scan.h"

namespace magneto::server::tools {

// The options of a copy, without its two endpoints.
struct CopyOptions {
  std::vector<std::string> only{};  // patterns of table names (fnmatch); none: all tables
  bulk::ScanFilter filter{};
  std::size_t segments = 8;  // of a table's Scan, each with its own thread
  double read_limit = 0;     // of the source, in capacity units a second; 0: no limit
  double target_read_limit = 0;
  double write_limit = 0;
  std::string state_file{};  // empty: the copy cannot be resumed
  bool dry_run = false;
  bool verify = false;
  bool follow = false;
  bool until_caught_up = false;
  bool enable_stream = false;
};

}  // namespace magneto::server::tools
