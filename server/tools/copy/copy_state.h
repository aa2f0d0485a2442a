#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "server/tools/copy/item_digest.h"

namespace magneto::server::tools {

// How far a segment of a table's Scan is.
struct SegmentState {
  bool is_done = false;
  std::string next_key;  // JSON of ExclusiveStartKey; empty: its beginning
  ItemDigest read;       // up to there
  ItemDigest written;    // acknowledged by the target
};

// From where a shard of the source's stream has to be applied.
struct ShardState {
  enum class Position : std::uint8_t {
    kStart,  // its oldest record
    kAt,     // that of `sequence`
    kAfter,  // the one behind it
    kEnded,  // no more: the shard is closed, and all of it is applied or older than the scan
  };
  Position position = Position::kStart;
  std::string sequence;
  // kStart: a time in seconds since 1970 when none of the records that are needed was lost.
  std::int64_t safe_at = 0;
};

// How far a table is.
struct TableState {
  std::string source_id;    // its TableId; empty where the endpoint tells none
  std::string target_id;    // likewise; empty too until the table is there
  bool is_made = false;     // the target has the table
  std::string stream_view;  // of the stream that the target gets; empty: none
  std::vector<SegmentState> segments;
  bool is_set_up = false;      // with all that follows the items: time to live, stream, protection
  std::string stream_arn;      // of the source, when it is followed
  std::int64_t listed_at = 0;  // when its shards were listed, in seconds since 1970
  std::map<std::string, ShardState> shards;

  bool is_scanned() const;
  ItemDigest read() const;
  ItemDigest written() const;
};

// What a state file holds.
struct CopyState {
  std::string from;  // names of the endpoints
  std::string to;
  std::string settings;  // what else must be the same when the copy goes on
  std::map<std::string, TableState> tables;
};

std::string write_copy_state(const CopyState& state);
// nullopt for a text that is none.
std::optional<CopyState> read_copy_state(std::string text);

}  // namespace magneto::server::tools
