#pragma once

#include <array>
#include <cstddef>
#include <string_view>

#include "storage/model/index_kind.h"

namespace magneto::api {

// The members that list the indexes of each kind, in requests and answers.
inline constexpr auto kIndexLists = std::to_array<std::string_view>(
    {"LocalSecondaryIndexes", "GlobalSecondaryIndexes", "VectorIndexes"});
static_assert(kIndexLists.size() == storage::kIndexKinds.size());

// The members with which CreateTable defines an index of any kind, besides its throughput.
inline constexpr auto kIndexMembers =
    std::to_array<std::string_view>({"IndexName", "KeySchema", "Projection", "VectorAttribute",
                                     "SearchSchema", "Dimensions", "DistanceFunction"});

constexpr std::string_view list_of(storage::IndexKind kind) {
  return kIndexLists[static_cast<std::size_t>(kind)];
}

}  // namespace magneto::api
