#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>

#include "absl/functional/function_ref.h"
#include "api/error.h"
#include "api/validation/problem.h"

// Why a transaction is cancelled, and what is checked of all its actions together.
namespace magneto::api {

// Why one action cancels its transaction, or that it does not (AWS API reference,
// "CancellationReason").
struct CancellationReason {
  std::string_view code = "None";
  std::string message;
  std::string item;  // JSON of the item the condition saw; empty: not returned
};

inline constexpr std::string_view kValidationReason = "ValidationError";

// Throws TransactionCanceledException with one reason for each action. Where actions are invalid
// only the first of them has its reason told, and nothing else (captured facts 2, "Transactions").
[[noreturn]] void fail_cancelled(std::span<const CancellationReason> reasons);

// An error of one action as the reason.
CancellationReason reason_of(const ApiError& error);

// What is wrong with one action's key as the reason; code "None" when nothing is.
CancellationReason reason_of(Problem problem);

// Throws ValidationException when two of `count` actions have one item. `key_of` gives storage's
// key of the item of an action; empty: it has none.
void check_distinct_items(std::size_t count,
                          absl::FunctionRef<std::string_view(std::size_t action)> key_of);

// Throws TransactionCanceledException when one of the actions has a reason other than "None".
void cancel_if_invalid(
    std::size_t count,
    absl::FunctionRef<const CancellationReason&(std::size_t action)> reason_of_action);

}  // namespace magneto::api
