#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "server/tools/copy/item_digest.h"

namespace magneto::server::tools {

// The progress of a segment of a table's Scan.
struct SegmentState {
  bool is_done = false;
  std::string next_key;  // JSON of ExclusiveStartKey; empty: the segment's start
  ItemDigest read;       // items read so far
  ItemDigest written;    // items that the target has acknowledged
};

// The position from which a shard of the source's stream must be applied.
struct ShardState {
  enum class Position : std::uint8_t {
    kStart,  // the shard's oldest record
    kAt,     // the record with number `sequence`
    kAfter,  // the record after `sequence`
    kEnded,  // none: the shard is closed, and its records are applied or older than the scan
  };
  Position position = Position::kStart;
  std::string sequence;
  // kStart: a time, in seconds since 1970, at which no necessary record was lost yet.
  std::int64_t safe_at = 0;
};

// The progress of a table.
struct TableState {
  std::string source_id;    // its TableId; empty if the endpoint has none
  std::string target_id;    // likewise; also empty until the table exists
  bool is_made = false;     // the target has the table
  std::string stream_view;  // of the stream that the target gets; empty: none
  std::vector<SegmentState> segments;
  // including everything after the items: time to live, stream, protection
  bool is_set_up = false;
  std::string stream_arn;      // of the source, if it is followed
  std::int64_t listed_at = 0;  // when its shards were listed, seconds since 1970
  std::map<std::string, ShardState> shards;

  bool is_scanned() const;
  ItemDigest read() const;
  ItemDigest written() const;
};

// The content of a state file.
struct CopyState {
  std::string from;  // names of the endpoints
  std::string to;
  std::string settings;  // other settings that must be unchanged when the copy continues
  std::map<std::string, TableState> tables;
};

std::string write_copy_state(const CopyState& state);
// nullopt if the text is not a state.
std::optional<CopyState> read_copy_state(std::string text);

}  // namespace magneto::server::tools
