#pragma once

#include <mutex>
#include <string>

#include "api/json/json_reader.h"
#include "api/json/json_writer.h"
#include "api/namespaces/namespace.h"

namespace magneto::server::admin {

// The control settings of new namespaces, if they differ from the usual ones. Thread-safe.
class DefaultSettings {
 public:
  // `wanted` has the members of each setting, as for its own path. Throws api::ControlError, and
  // then changes nothing.
  void set(api::json::Object wanted);
  void clear();
  // Sets the control settings of a new namespace.
  void apply(api::Namespace& made) const;
  void write(api::json::Writer& answer) const;

 private:
  std::string text() const;

  mutable std::mutex mutex_;  // guards text_
  std::string text_;          // the JSON as it was set; empty: no setting
};

}  // namespace magneto::server::admin
