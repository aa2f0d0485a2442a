#pragma once

#include <array>
#include <string_view>

#include "api/validation/shape.h"

// Shapes of parameters that several operations share. Enum values are in the order in which
// DynamoDB prints them (captured facts, sections of the operations), which is not the order of the
// API model.
namespace magneto::api {

// Whether the text matches [a-zA-Z0-9_.-]+.
bool is_resource_name(std::string_view text);
inline constexpr Pattern kResourceNamePattern{"[a-zA-Z0-9_.-]+", &is_resource_name};

// Table and index names of 3 to 255 characters, and the shape for operations that accept the
// table's ARN instead of its name.
inline constexpr Shape kResourceNameShape{.kind = Kind::kString,
                                          .min = 3,
                                          .max = 255,
                                          .has_min = true,
                                          .has_max = true,
                                          .pattern = &kResourceNamePattern};
inline constexpr Shape kTableNameOrArnShape{.kind = Kind::kString,
                                            .min = 3,
                                            .max = 255,
                                            .has_min = true,
                                            .has_max = true,
                                            .pattern = &kResourceNamePattern,
                                            .accepts_arn = true};
// A TableName whose check accepts one character, although no table has so short a name.
inline constexpr Shape kItemTableNameShape = with_range(kTableNameOrArnShape, 1, 255);

// TableName of a staged request on items, of an operation on tables, and inside a transaction's
// action.
inline constexpr MemberShape kItemTableName{"TableName", &kTableNameOrArnShape, Required::kYes,
                                            Wording::kNotEmpty};
inline constexpr MemberShape kControlTableName{"TableName", &kTableNameOrArnShape,
                                               Required::kNamed};
inline constexpr MemberShape kActionTableName{"TableName", &kTableNameOrArnShape, Required::kYes};
// ResourceArn. api/request/arn checks whether it is an ARN.
inline constexpr Shape kResourceArnShape = with_range(kStringShape, 1, 1'283);
// ExpectedRevisionId of a resource policy.
inline constexpr Shape kPolicyRevisionShape = with_range(kStringShape, 1, 255);
inline constexpr MemberShape kIndexName{"IndexName", &kResourceNameShape};

// Item, Key, ExclusiveStartKey, ExpressionAttributeValues; ExpressionAttributeNames.
inline constexpr Shape kAttributeMapShape = map_shape(kAttributeValueShape);
inline constexpr Shape kNameMapShape = map_shape(kStringShape);
inline constexpr MemberShape kKey{"Key", &kAttributeMapShape, Required::kYes};
inline constexpr MemberShape kItem{"Item", &kAttributeMapShape, Required::kYes};
inline constexpr MemberShape kExclusiveStartKey{"ExclusiveStartKey", &kAttributeMapShape};
inline constexpr MemberShape kExpressionAttributeNames{"ExpressionAttributeNames", &kNameMapShape};
inline constexpr MemberShape kExpressionAttributeValues{"ExpressionAttributeValues",
                                                        &kAttributeMapShape};
inline constexpr MemberShape kConditionExpression{"ConditionExpression", &kStringShape};
inline constexpr MemberShape kUpdateExpression{"UpdateExpression", &kStringShape};
inline constexpr MemberShape kFilterExpression{"FilterExpression", &kStringShape};
inline constexpr MemberShape kProjectionExpression{"ProjectionExpression", &kStringShape};
inline constexpr MemberShape kKeyConditionExpression{"KeyConditionExpression", &kStringShape};
// A boolean of the operations on items, and Exists of Expected.
inline constexpr Shape kFlagShape{.kind = Kind::kBoolean, .silent_list = true};
inline constexpr Shape kExistsShape{
    .kind = Kind::kBoolean, .silent_list = true, .text_moves = true};
inline constexpr MemberShape kConsistentRead{"ConsistentRead", &kFlagShape};

inline constexpr std::array<std::string_view, 3> kConsumedCapacityValues{"INDEXES", "TOTAL",
                                                                         "NONE"};
inline constexpr Shape kConsumedCapacityShape = enum_shape(kConsumedCapacityValues);
inline constexpr MemberShape kReturnConsumedCapacity{"ReturnConsumedCapacity",
                                                     &kConsumedCapacityShape};

inline constexpr std::array<std::string_view, 2> kCollectionMetricsValues{"SIZE", "NONE"};
inline constexpr Shape kCollectionMetricsShape = enum_shape(kCollectionMetricsValues);
inline constexpr MemberShape kReturnItemCollectionMetrics{"ReturnItemCollectionMetrics",
                                                          &kCollectionMetricsShape};

// DynamoDB's current generation prints UPDATE_NEW for UPDATED_NEW.
inline constexpr std::array<std::string_view, 5> kReturnValuesValues{
    "ALL_NEW", "UPDATED_OLD", "ALL_OLD", "NONE", "UPDATED_NEW"};
inline constexpr Shape kReturnValuesShape =
    enum_shape(kReturnValuesValues, "ALL_OLD, UPDATED_OLD, ALL_NEW, UPDATE_NEW, NONE");
inline constexpr MemberShape kReturnValues{"ReturnValues", &kReturnValuesShape};

inline constexpr std::array<std::string_view, 2> kConditionFailureValues{"ALL_OLD", "NONE"};
inline constexpr Shape kConditionFailureShape = enum_shape(kConditionFailureValues);
inline constexpr MemberShape kReturnValuesOnConditionCheckFailure{
    "ReturnValuesOnConditionCheckFailure", &kConditionFailureShape};

inline constexpr std::array<std::string_view, 4> kSelectValues{
    "SPECIFIC_ATTRIBUTES", "COUNT", "ALL_ATTRIBUTES", "ALL_PROJECTED_ATTRIBUTES"};
inline constexpr Shape kSelectShape = enum_shape(kSelectValues);
inline constexpr MemberShape kSelect{"Select", &kSelectShape};

// The stages of the current layer that several operations have: an empty TableName alone, and
// another problem of the name with ReturnConsumedCapacity.
inline constexpr CurrentCheck kEmptyTableName[] = {{"TableName", Wording::kCurrentEmpty}};

// Limit of Query and Scan.
inline constexpr Shape kPageLimitShape = with_min(kIntegerShape, 1);
inline constexpr MemberShape kPageLimit{"Limit", &kPageLimitShape};

// ---- legacy parameters ------------------------------------------------------------------------

// Only the older layer checks these enums here; request/legacy_inputs checks them on the current
// one.
inline constexpr std::array<std::string_view, 2> kConditionalOperatorValues{"OR", "AND"};
inline constexpr Shape kConditionalOperatorShape = enum_shape(kConditionalOperatorValues);
inline constexpr MemberShape kConditionalOperator{"ConditionalOperator",
                                                  &kConditionalOperatorShape};

inline constexpr std::array<std::string_view, 13> kComparisonOperatorValues{
    "IN",       "NULL", "BETWEEN", "LT",          "NOT_CONTAINS", "EQ",      "GT",
    "NOT_NULL", "NE",   "LE",      "BEGINS_WITH", "GE",           "CONTAINS"};
inline constexpr Shape kComparisonOperatorShape = enum_shape(kComparisonOperatorValues);
inline constexpr Shape kAttributeValueListShape = list_shape(kAttributeValueShape);

inline constexpr std::array<MemberShape, 4> kExpectedMembers{{
    {"AttributeValueList", &kAttributeValueListShape},
    {"ComparisonOperator", &kStringShape},
    {"Exists", &kExistsShape},
    {"Value", &kAttributeValueShape},
}};
inline constexpr Shape kExpectedShape = structure_shape("ExpectedAttributeValue", kExpectedMembers);
inline constexpr Shape kExpectedMapShape = map_shape(kExpectedShape);
inline constexpr MemberShape kExpected{"Expected", &kExpectedMapShape};

inline constexpr std::array<MemberShape, 2> kConditionMembers{{
    {"AttributeValueList", &kAttributeValueListShape},
    {"ComparisonOperator", &kComparisonOperatorShape, Required::kYes},
}};
inline constexpr Shape kConditionShape = structure_shape("Condition", kConditionMembers);
inline constexpr Shape kConditionMapShape = map_shape(kConditionShape);
inline constexpr MemberShape kKeyConditions{"KeyConditions", &kConditionMapShape};
inline constexpr MemberShape kQueryFilter{"QueryFilter", &kConditionMapShape};
inline constexpr MemberShape kScanFilter{"ScanFilter", &kConditionMapShape};

inline constexpr Shape kAttributesToGetShape = with_min(list_shape(kStringShape), 1);
inline constexpr MemberShape kAttributesToGet{"AttributesToGet", &kAttributesToGetShape};

}  // namespace magneto::api
