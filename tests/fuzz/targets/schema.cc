// A file of --schema, whichever of its forms it is.
#include <optional>
#include <string>

#include "api/json/json_reader.h"
#include "server/tools/schema/schema_file.h"
#include "tests/fuzz/property.h"
#include "tests/fuzz/targets.h"

namespace magneto::fuzz {
namespace {

namespace schema = server::tools::schema;

void check_json(const std::string& text) {
  std::string copy = text;
  api::json::Document document;
  require(document.parse(copy).has_value(), "a request is JSON", text);
}

}  // namespace

void fuzz_schema(std::string_view input) {
  schema::SchemaParameters parameters({{"Stage", "dev"}}, "000000000000", [](const std::string&) {
    return std::optional<std::string>("of the environment");
  });
  const auto names_file = [](std::string_view what) {
    require(what.starts_with("file:"), "what is said names the file", what);
  };
  try {
    const auto tables = schema::read_schema(std::string(input), "file", parameters, names_file);
    for (const schema::TableDefinition& table : tables) {
      require(!table.name.empty(), "a table has a name", table.create);
      check_json(table.create);
      if (!table.time_to_live.empty()) check_json(table.time_to_live);
      if (!table.recovery.empty()) check_json(table.recovery);
      for (const schema::SeedItem& item : table.items) check_json(item.json);
    }
  } catch (const schema::SchemaError& error) {
    names_file(error.what());
  }
}

}  // namespace magneto::fuzz
