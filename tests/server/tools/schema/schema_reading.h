#pragma once

#include <map>
#include <string>
#include <utility>
#include <vector>

#include "server/tools/schema/schema_file.h"

namespace magneto::server::tools::schema {

// The result of a text: its tables or the error, and the warnings.
struct Reading {
  std::vector<TableDefinition> tables;
  std::string error;
  std::vector<std::string> warnings;

  // The request of the only table; else what is wrong.
  std::string create() const {
    if (!error.empty()) return error;
    return tables.size() == 1 ? tables[0].create : std::to_string(tables.size()) + " tables";
  }
  std::vector<std::string> names() const {
    std::vector<std::string> found;
    for (const TableDefinition& table : tables) found.push_back(table.name);
    return found;
  }
};

inline Reading read_text(const std::string& text, std::map<std::string, std::string> given = {}) {
  SchemaParameters parameters(
      std::move(given), "000000000000", [](const std::string& name) -> std::optional<std::string> {
        return name == "HOME_TABLE" ? std::optional<std::string>("at-home") : std::nullopt;
      });
  Reading reading;
  try {
    reading.tables = read_schema(text, "f", parameters, [&reading](std::string_view what) {
      reading.warnings.emplace_back(what);
    });
  } catch (const SchemaError& error) {
    reading.error = error.what();
  }
  return reading;
}

}  // namespace magneto::server::tools::schema
