#pragma once

#include <span>
#include <string_view>

#include "storage/engine/postgres/postgres_cursor.h"
#include "storage/engine/postgres/statements.h"

namespace magneto::storage {

// Engine::get() by statements that `run` executes: one for each family.
void get_with(const RunRead& run, const Statements& statements, std::span<const KeyRead> reads,
              std::span<PinnedValue> values);
PinnedValue get_with(const RunRead& run, const Statements& statements, const Tree& tree,
                     std::string_view key);

}  // namespace magneto::storage
