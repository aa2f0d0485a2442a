#pragma once

#include <array>
#include <string_view>

#include "api/tables/index_form.h"
#include "api/tables/table_shapes.h"

// Vector indexes: shapes, checks and JSON (captured facts, "CreateTable vector errors" and "Index
// lifecycle"). Their form is kVectorIndexForm in index_form.h.
namespace magneto::api {

inline constexpr std::array<MemberShape, 1> kVectorAttributeMembers{{
    {"AttributeName", &kKeyAttributeNameShape, Required::kYes},
}};
inline constexpr Shape kVectorAttributeShape =
    structure_shape("VectorAttributeDefinition", kVectorAttributeMembers);
inline constexpr std::array<std::string_view, 2> kSearchElementValues{"HASH", "INLINE_FILTER"};
inline constexpr Shape kSearchElementTypeShape = enum_shape(kSearchElementValues);
inline constexpr std::array<MemberShape, 2> kSearchElementMembers{{
    {"AttributeName", &kKeyAttributeNameShape, Required::kYes},
    {"SearchSchemaElementType", &kSearchElementTypeShape, Required::kYes},
}};
inline constexpr Shape kSearchElementShape =
    structure_shape("SearchSchemaElement", kSearchElementMembers);
inline constexpr Shape kSearchSchemaShape = with_min(list_shape(kSearchElementShape), 1);
// In the order of storage::DistanceFunction.
inline constexpr std::array<std::string_view, 3> kDistanceValues{"COSINE", "DOT_PRODUCT",
                                                                 "EUCLIDEAN"};
inline constexpr Shape kDistanceFunctionShape = enum_shape(kDistanceValues);
inline constexpr Shape kDimensionsShape = with_min(kLongShape, 1);
inline constexpr std::array<MemberShape, 6> kVectorIndexMembers{{
    kRequiredIndexName,
    {"VectorAttribute", &kVectorAttributeShape, Required::kYes},
    {"SearchSchema", &kSearchSchemaShape},
    kProjection,
    {"Dimensions", &kDimensionsShape, Required::kYes},
    {"DistanceFunction", &kDistanceFunctionShape, Required::kYes},
}};
inline constexpr Shape kVectorIndexShape = structure_shape("VectorIndex", kVectorIndexMembers);
inline constexpr Shape kVectorIndexesShape = list_shape(kVectorIndexShape);

inline constexpr Shape kCreateVectorIndexShape =
    structure_shape("CreateVectorIndexAction", kVectorIndexMembers);
inline constexpr Shape kDeleteVectorIndexShape =
    structure_shape("DeleteVectorIndexAction", kDeleteIndexMembers);
inline constexpr std::array<MemberShape, 2> kVectorIndexUpdateMembers{{
    {"Create", &kCreateVectorIndexShape},
    {"Delete", &kDeleteVectorIndexShape},
}};
inline constexpr Shape kVectorIndexUpdateShape =
    structure_shape("VectorIndexUpdate", kVectorIndexUpdateMembers);
inline constexpr Shape kVectorIndexUpdatesShape = list_shape(kVectorIndexUpdateShape);

// Throws ValidationException if a key attribute of a new index is the vector of another index.
void check_key_is_no_vector(const storage::TableSchema& schema, const RequestedIndex& index);

}  // namespace magneto::api
