#pragma once

#include <span>

#include "expressions/placeholders.h"
#include "storage/model/attribute_value.h"

// The fixed values for the expressions and statements of the targets. They are few, so that a
// fuzzer can guess them.
namespace magneto::fuzz {

// Defines names (#s, #n, #m, #l, #dot, #pk, #new ...) and values (:s, :n, :b, :t, :nul, :ss, :ns,
// :bs, :l, :m, :empty, :big ...) of every type.
void add_sample_placeholders(expressions::Placeholders& placeholders);

// One value of each type and some more, for the '?' of statements.
std::span<const storage::AttributeValue> sample_values();

// Items with every type of attribute, nested documents, none but a key, and nothing at all.
std::span<const storage::Item> sample_items();

// Aborts unless the bytes are one canonical item.
void require_valid_item(storage::ItemView item, const char* what);

}  // namespace magneto::fuzz
