#include "storage/model/document_path.h"

namespace magneto::storage {

AttributeView find(ItemView item, const DocumentPath& path) {
  AttributeView value = item.find(path.attribute());
  for (std::size_t i = 1; value && i < path.steps.size(); ++i) {
    const PathStep& step = path.steps[i];
    if (value.type() != (step.is_index ? AttributeType::kList : AttributeType::kMap)) return {};
    value = step.is_index ? value.list().at(step.index) : value.map().find(step.name);
  }
  return value;
}

}  // namespace magneto::storage
