#include "server/http/namespace_choice.h"

#include <string_view>
#include <utility>

#include "server/http/answer_messages.h"
#include "server/system/own_port.h"
#include "server/system/utf8.h"

namespace magneto::server::http {

std::shared_ptr<api::Namespace> NamespaceChoice::find(std::string_view name) const {
  return namespaces_ == nullptr ? nullptr : namespaces_->find(name);
}

std::optional<std::string> NamespaceChoice::choose(const api::Caller& caller,
                                                   HttpRequest& request) const {
  if (request.chosen != nullptr) return std::nullopt;
  if (request.has(Field::kNamespace)) {
    const std::string_view name = request.get(Field::kNamespace);
    request.chosen = find(name);
    if (request.chosen != nullptr) return std::nullopt;
    return messages::kUnknownNamespace(
        system::to_valid_utf8(name.substr(0, api::kMaxNamespaceNameSize)));
  }
  if (by_access_key_) request.chosen = find(caller.access_key);
  if (request.chosen != nullptr) return std::nullopt;
  if (request.own_port == nullptr) {
    request.chosen = find(api::Namespaces::kMainName);
    return std::nullopt;
  }
  std::shared_ptr<api::Namespace> found = find(request.own_port->name);
  if (found == nullptr || found->about().number != request.own_port->number) {
    return messages::kNamespaceGone(request.own_port->name);
  }
  request.chosen = std::move(found);
  return std::nullopt;
}

}  // namespace magneto::server::http
