// An UpdateExpression over the sample placeholders and items.
#include "expressions/update.h"

#include <algorithm>
#include <optional>
#include <string>

#include "expressions/placeholders.h"
#include "tests/fuzz/property.h"
#include "tests/fuzz/sample_values.h"
#include "tests/fuzz/targets.h"

namespace magneto::fuzz {
namespace {

using expressions::Update;
using storage::ItemView;

std::optional<storage::Item> apply(const Update& update, ItemView item, bool item_exists) {
  try {
    return update.apply(item, item_exists);
  } catch (const expressions::ExpressionError&) {
    return std::nullopt;
  }
}

void check_untouched(const Update& update, ItemView before, ItemView after) {
  const auto& targets = update.targets();
  const auto is_touched = [&](std::string_view name) {
    return std::ranges::any_of(targets,
                               [&](const auto& path) { return path.front().name == name; });
  };
  for (const ItemView item : {before, after}) {
    for (const storage::NamedAttribute& attribute : item) {
      if (is_touched(attribute.name)) continue;
      require(before.find(attribute.name) == after.find(attribute.name),
              "an update leaves other attributes alone", attribute.name);
    }
  }
}

// A value that is known before the item is read is in the item afterwards.
void check_literals(const Update& update, ItemView before, ItemView after) {
  const auto& targets = update.targets();
  for (std::size_t i = 0; i < targets.size(); ++i) {
    const storage::AttributeView literal = update.literal_value(i);
    if (!literal || targets[i].size() != 1 || before.find(targets[i].front().name)) continue;
    require(after.find(targets[i].front().name) == literal, "a literal value is stored",
            targets[i].front().name);
  }
}

}  // namespace

void fuzz_update(std::string_view input) {
  expressions::Placeholders placeholders;
  add_sample_placeholders(placeholders);
  std::optional<Update> update;
  try {
    update = Update::parse(input, placeholders);
  } catch (const expressions::ExpressionError&) {
    return;
  }
  update->statement_charge();
  update->nested_attributes();
  require(!update->targets().empty(), "an update has a target");
  for (const storage::Item& item : sample_items()) {
    for (const bool item_exists : {true, false}) {
      const std::optional<storage::Item> after = apply(*update, item, item_exists);
      const std::optional<storage::Item> again = apply(*update, item, item_exists);
      require(after.has_value() == again.has_value(), "an update can be repeated");
      if (!after) continue;
      require_equal(again->bytes(), after->bytes(), "an update comes to the same again");
      require_valid_item(*after, "the outcome of an update");
      check_untouched(*update, item, *after);
      check_literals(*update, item, *after);
    }
  }
}

}  // namespace magneto::fuzz
