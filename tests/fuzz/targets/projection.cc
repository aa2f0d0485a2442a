// A ProjectionExpression over the sample placeholders and items.
#include "expressions/projection.h"

#include <algorithm>
#include <optional>

#include "expressions/placeholders.h"
#include "tests/fuzz/property.h"
#include "tests/fuzz/sample_values.h"
#include "tests/fuzz/targets.h"

namespace magneto::fuzz {
namespace {

using expressions::Projection;

void check_projection(const Projection& projection, storage::ItemView item, bool has_indexes) {
  const auto attributes = projection.attributes();
  const storage::Item chosen = projection.apply(item);
  require_valid_item(chosen, "the outcome of a projection");
  for (const storage::NamedAttribute& attribute : chosen.view()) {
    require(std::ranges::find(attributes, attribute.name) != attributes.end(),
            "only attributes that are named are chosen", attribute.name);
    require(static_cast<bool>(item.find(attribute.name)), "only what is there is chosen",
            attribute.name);
  }
  // List elements move together, so their indexes choose others the second time.
  if (has_indexes) return;
  require_equal(projection.apply(chosen).bytes(), chosen.bytes(),
                "projecting what was projected changes nothing");
}

}  // namespace

void fuzz_projection(std::string_view input) {
  expressions::Placeholders placeholders;
  add_sample_placeholders(placeholders);
  std::optional<Projection> projection;
  try {
    projection = Projection::parse(input, placeholders);
  } catch (const expressions::ExpressionError&) {
    return;
  }
  projection->nested_attributes();
  const bool has_indexes = input.find('[') != std::string_view::npos;
  for (const storage::Item& item : sample_items()) check_projection(*projection, item, has_indexes);
}

}  // namespace magneto::fuzz
