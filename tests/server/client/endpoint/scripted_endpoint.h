#pragma once

#include <functional>
#include <memory>
#include <string>
#include <utility>

#include "server/client/endpoint/endpoint.h"

namespace magneto::server::client {

// An endpoint whose answers a test makes; nothing is called again.
class ScriptedEndpoint : public Endpoint {
 public:
  using Script = std::function<Outcome(std::string_view operation, const std::string& body)>;

  explicit ScriptedEndpoint(Script script)
      : script_(std::make_shared<const Script>(std::move(script))) {}
  ScriptedEndpoint(std::shared_ptr<const Script> script, std::shared_ptr<ThrottlePatience> patience)
      : Endpoint(std::move(patience)), script_(std::move(script)) {}

  Outcome call(std::string_view operation, std::string& body) override {
    return (*script_)(operation, body);
  }
  std::unique_ptr<Endpoint> another() const override {
    return std::make_unique<ScriptedEndpoint>(script_, patience());
  }
  const std::string& name() const override { return name_; }

 private:
  const std::shared_ptr<const Script> script_;
  const std::string name_ = "there";
};

}  // namespace magneto::server::client
