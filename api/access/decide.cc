#include "api/access/decide.h"

namespace magneto::api::access {
namespace {

class Decider {
 public:
  Decider(const Attempt& attempt, const Applicable& policies, Meter& meter, Decision& decision)
      : attempt_(attempt), policies_(policies), meter_(meter), decision_(decision) {}

  void run() {
    look();
    if (meter_.is_over()) {
      settle(false, Source::kLimit, nullptr, nullptr);
    } else if (!is_denied_) {
      weigh();
    }
  }

 private:
  struct Allowing {
    const Policy* policy = nullptr;
    const std::string* statement = nullptr;
    Grant grant = Grant::kNone;
    explicit operator bool() const { return policy != nullptr; }
  };

  void look() {
    look_at_each(policies_.identity, Source::kIdentity, identity_);
    for (const auto& group : policies_.groups) {
      look_at_each(group->policies, Source::kIdentity, identity_);
    }
    look_at_one(policies_.boundary, Source::kBoundary, boundary_);
    if (policies_.session != nullptr) look_at_each(*policies_.session, Source::kSession, session_);
    look_at_one(policies_.resource, Source::kResource, resource_);
  }

  void look_at_each(std::span<const Policy> policies, Source source, Allowing& allowing) {
    for (const Policy& policy : policies) look_at_one(&policy, source, allowing);
  }
  void look_at_one(const Policy* policy, Source source, Allowing& allowing) {
    if (!is_denied_ && policy != nullptr) look_at(*policy, source, allowing);
  }

  void look_at(const Policy& policy, Source source, Allowing& allowing) {
    const Policy::Finding found = policy.find(attempt_, meter_);
    if (found.denied != nullptr) {
      is_denied_ = true;
      settle(false, source, &policy, found.denied);
    } else if (found.allowed != nullptr && !allowing) {
      allowing = {&policy, found.allowed, found.grant};
    }
  }

  void weigh() {
    if (policies_.is_administrator) return settle(true, Source::kAdministrator, nullptr, nullptr);
    const bool is_named = policies_.same_account && resource_.grant == Grant::kExact;
    if (is_named) return allow_by(Source::kResource, resource_);
    // A resource policy that names an account leaves the decision to that account's policies.
    const bool resource_is_enough = policies_.same_account && resource_.grant > Grant::kAccount;
    if (!identity_ && !resource_is_enough) return refuse(Source::kIdentity);
    if (policies_.boundary != nullptr && !boundary_) return refuse(Source::kBoundary);
    if (policies_.session != nullptr && !session_) return refuse(Source::kSession);
    if (!policies_.same_account && !resource_) return refuse(Source::kResource);
    if (identity_) {
      allow_by(Source::kIdentity, identity_);
    } else {
      allow_by(Source::kResource, resource_);
    }
  }

  void allow_by(Source source, const Allowing& allowing) {
    settle(true, source, allowing.policy, allowing.statement);
  }
  void refuse(Source source) { settle(false, source, nullptr, nullptr); }

  void settle(bool allowed, Source source, const Policy* policy, const std::string* statement) {
    decision_.allowed = allowed;
    decision_.source = source;
    decision_.by_statement = statement != nullptr;
    decision_.policy = policy != nullptr ? policy->name() : std::string();
    decision_.statement = statement != nullptr ? *statement : std::string();
  }

  const Attempt& attempt_;
  const Applicable& policies_;
  Meter& meter_;
  Decision& decision_;
  bool is_denied_ = false;
  Allowing identity_;
  Allowing boundary_;
  Allowing session_;
  Allowing resource_;
};

}  // namespace

void decide(const Attempt& attempt, const Applicable& policies, Meter& meter, Decision& decision) {
  Decider(attempt, policies, meter, decision).run();
}

std::string_view source_text(Source source) {
  switch (source) {
    case Source::kAdministrator:
      return "administrator";
    case Source::kIdentity:
      return "identity-based policy";
    case Source::kResource:
      return "resource-based policy";
    case Source::kBoundary:
      return "permissions boundary";
    case Source::kSession:
      return "session policy";
    case Source::kLimit:
      break;
  }
  return "limit";
}

}  // namespace magneto::api::access
