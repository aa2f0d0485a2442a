#include "server/tools/copy/copy_state.h"

#include <algorithm>
#include <array>

#include "api/json/json_reader.h"
#include "api/json/json_writer.h"

namespace magneto::server::tools {
namespace {

using api::json::Value;
using api::json::Writer;
using Position = ShardState::Position;

constexpr std::string_view kFormat = "magneto-copy-1";
constexpr std::array<std::string_view, 4> kPositions = {"start", "at", "after", "ended"};

Value find(Value object, std::string_view name) { return object.object().find(name); }
std::string text(Value object, std::string_view name) {
  return std::string(find(object, name).string());
}

void write_digest(Writer& writer, std::string_view name, const ItemDigest& digest) {
  writer.key(name);
  writer.begin_object();
  writer.integer("count", static_cast<std::int64_t>(digest.count()));
  writer.text("sum", digest.text());
  writer.end_object();
}

ItemDigest read_digest(Value digest) {
  return {static_cast<std::uint64_t>(find(digest, "count").integer().value_or(0)),
          ItemDigest::read_sum(find(digest, "sum").string())};
}

void write_flag(Writer& writer, std::string_view name, bool value) {
  writer.key(name);
  writer.boolean(value);
}

void write_segment(Writer& writer, const SegmentState& segment) {
  writer.begin_object();
  write_flag(writer, "done", segment.is_done);
  writer.text("key", segment.next_key);
  write_digest(writer, "read", segment.read);
  write_digest(writer, "written", segment.written);
  writer.end_object();
}

void write_table(Writer& writer, const TableState& table) {
  writer.begin_object();
  writer.text("source_id", table.source_id);
  writer.text("target_id", table.target_id);
  write_flag(writer, "made", table.is_made);
  write_flag(writer, "set_up", table.is_set_up);
  writer.text("stream_view", table.stream_view);
  writer.text("stream_arn", table.stream_arn);
  writer.integer("listed_at", table.listed_at);
  writer.key("segments");
  writer.begin_array();
  for (const SegmentState& segment : table.segments) write_segment(writer, segment);
  writer.end_array();
  writer.key("shards");
  writer.begin_object();
  for (const auto& [id, shard] : table.shards) {
    writer.escaped_key(id);
    writer.begin_object();
    writer.text("position", kPositions.at(static_cast<std::size_t>(shard.position)));
    writer.text("sequence", shard.sequence);
    writer.integer("safe_at", shard.safe_at);
    writer.end_object();
  }
  writer.end_object();
  writer.end_object();
}

std::optional<TableState> read_table(Value value) {
  TableState table{.source_id = text(value, "source_id"),
                   .target_id = text(value, "target_id"),
                   .is_made = find(value, "made").boolean(),
                   .stream_view = text(value, "stream_view"),
                   .segments{},
                   .is_set_up = find(value, "set_up").boolean(),
                   .stream_arn = text(value, "stream_arn"),
                   .listed_at = find(value, "listed_at").integer().value_or(0),
                   .shards{}};
  for (const Value segment : find(value, "segments").array()) {
    table.segments.push_back({.is_done = find(segment, "done").boolean(),
                              .next_key = text(segment, "key"),
                              .read = read_digest(find(segment, "read")),
                              .written = read_digest(find(segment, "written"))});
  }
  for (const auto [id, shard] : find(value, "shards").object()) {
    const auto position = std::ranges::find(kPositions, find(shard, "position").string());
    if (position == kPositions.end()) return std::nullopt;
    table.shards[std::string(id)] = {
        .position = static_cast<Position>(position - kPositions.begin()),
        .sequence = text(shard, "sequence"),
        .safe_at = find(shard, "safe_at").integer().value_or(0)};
  }
  if (table.segments.empty()) return std::nullopt;
  return table;
}

}  // namespace

bool TableState::is_scanned() const {
  return std::ranges::all_of(segments, &SegmentState::is_done);
}

ItemDigest TableState::read() const {
  ItemDigest sum;
  for (const SegmentState& segment : segments) sum.add(segment.read);
  return sum;
}

ItemDigest TableState::written() const {
  ItemDigest sum;
  for (const SegmentState& segment : segments) sum.add(segment.written);
  return sum;
}

std::string write_copy_state(const CopyState& state) {
  std::string json;
  Writer writer(json);
  writer.begin_object();
  writer.text("format", kFormat);
  writer.text("from", state.from);
  writer.text("to", state.to);
  writer.text("settings", state.settings);
  writer.key("tables");
  writer.begin_object();
  for (const auto& [name, table] : state.tables) {
    writer.escaped_key(name);
    write_table(writer, table);
  }
  writer.end_object();
  writer.end_object();
  json += '\n';
  return json;
}

std::optional<CopyState> read_copy_state(std::string json) {
  api::json::Document document;
  const Value value = document.parse(json).value_or(Value());
  if (find(value, "format").string() != kFormat) return std::nullopt;
  CopyState state{.from = text(value, "from"),
                  .to = text(value, "to"),
                  .settings = text(value, "settings"),
                  .tables{}};
  for (const auto [name, content] : find(value, "tables").object()) {
    auto table = read_table(content);
    if (!table) return std::nullopt;
    state.tables[std::string(name)] = std::move(*table);
  }
  return state;
}

}  // namespace magneto::server::tools
