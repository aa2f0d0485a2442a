#pragma once

#include <mutex>
#include <string>

#include "api/json/json_reader.h"
#include "api/json/json_writer.h"
#include "api/namespaces/namespace.h"

namespace magneto::server::admin {

// The control settings of new namespaces, where they are not the usual ones. Thread-safe.
class DefaultSettings {
 public:
  // `wanted`: the members of each setting, as its own path takes them. Throws
  // api::ControlError; nothing is changed then.
  void set(api::json::Object wanted);
  void clear();
  // Changes those of a namespace that was just made.
  void apply(api::Namespace& made) const;
  void write(api::json::Writer& answer) const;

 private:
  std::string text() const;

  mutable std::mutex mutex_;  // guards text_
  std::string text_;          // of JSON, as it was set; empty: none is changed
};

}  // namespace magneto::server::admin
