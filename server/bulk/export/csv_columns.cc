#include "server/bulk/export/csv_columns.h"

#include <algorithm>

#include "server/formats/byte_source.h"
#include "server/formats/messages.h"

namespace magneto::server::bulk {
namespace {

constexpr std::string_view kAny = "ANY";

}  // namespace

void CsvColumnTypes::see(api::json::Value item) {
  for (const auto [name, value] : item.object()) {
    for (const auto [type, content] : value.object()) see(name, type);
  }
}

void CsvColumnTypes::see(const CsvColumnTypes& others) {
  for (const auto& [name, type] : others.types_) see(name, type);
}

void CsvColumnTypes::see(std::string_view name, std::string_view type) {
  const auto found = types_.find(name);
  if (found != types_.end()) {
    if (found->second != type) found->second = kAny;
    return;
  }
  if (types_.size() == formats::kMaxCsvColumns) {
    throw formats::TransferFileError(formats::messages::kTooManyColumns(formats::kMaxCsvColumns));
  }
  types_.emplace(name, type);
}

formats::CsvColumns CsvColumnTypes::columns(const formats::KeyNames& keys) const {
  formats::CsvColumns columns;
  for (const std::string& key : keys) {
    const auto found = types_.find(key);
    if (found != types_.end()) columns.push_back({found->first, found->second});
  }
  for (const auto& [name, type] : types_) {
    if (std::ranges::find(keys, name) == keys.end()) columns.push_back({name, type});
  }
  return columns;
}

}  // namespace magneto::server::bulk
