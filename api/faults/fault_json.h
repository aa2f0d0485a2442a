#pragma once

#include "api/faults/fault_rule.h"
#include "api/json/json_reader.h"

namespace magneto::api {

// Reads the member "fault" of a rule (fault_rule_json.h). Throws ControlError.
Fault read_fault(json::Value fault);

}  // namespace magneto::api
