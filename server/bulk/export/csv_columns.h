#pragma once

#include <map>
#include <mutex>
#include <string>
#include <string_view>

#include "api/json/json_reader.h"
#include "server/formats/csv.h"
#include "server/formats/item_key.h"

namespace magneto::server::bulk {

// Collects the attributes of items and their types. An attribute with several types has the type
// ANY.
class CsvColumnTypes {
 public:
  // Throws TransferFileError if there are more than kMaxCsvColumns.
  void see(api::json::Value item);
  void see(const CsvColumnTypes& others);

  // The attributes of the key first, then the others, sorted by name.
  formats::CsvColumns columns(const formats::KeyNames& keys) const;

 private:
  void see(std::string_view name, std::string_view type);

  std::map<std::string, std::string, std::less<>> types_;
};

}  // namespace magneto::server::bulk
