#pragma once

#include <mutex>
#include <string>

#include "api/json/json_reader.h"
#include "api/json/json_writer.h"
#include "api/namespaces/namespace.h"

namespace magneto::server::admin {

// How the dials of a namespace stand when it is made, if not as they always do. Thread-safe.
class DefaultDials {
 public:
  // `wanted`: for each dial what its own path takes. Throws ControlError and api::DialError; nothing
  // is changed then.
  void set(api::json::Object wanted);
  void clear();
  // Turns those of a namespace that was just made.
  void apply(api::Namespace& made) const;
  void write(api::json::Writer& answer) const;

 private:
  std::string text() const;

  mutable std::mutex mutex_;  // guards text_
  std::string text_;          // of JSON, as it was set; empty: none is turned
};

}  // namespace magneto::server::admin
