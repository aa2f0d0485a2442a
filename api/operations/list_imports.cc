#include "api/jobs/job_json.h"
#include "api/jobs/job_page.h"
#include "api/jobs/job_request.h"
#include "api/operation.h"

// AWS API reference, ListImports. The newest jobs come first.
namespace magneto::api {

extern const Operation kListImports;
namespace {

// Whether the text matches ([0-9a-f]{16})+.
bool is_import_token(std::string_view text) {
  return !text.empty() && text.size() % 16 == 0 &&
         text.find_first_not_of("0123456789abcdef") == std::string_view::npos;
}
constexpr Pattern kListImportsTokenPattern{"([0-9a-f]{16})+", &is_import_token};
constexpr Shape kListImportsNextTokenShape{.kind = Kind::kString,
                                           .min = 112,
                                           .max = 1'024,
                                           .has_min = true,
                                           .has_max = true,
                                           .pattern = &kListImportsTokenPattern};
constexpr MemberShape kListImportsMembers[] = {
    {"TableArn", &kJobTableArnShape},
    {"PageSize", &kJobPageShape},
    {"NextToken", &kListImportsNextTokenShape},
};
constexpr Shape kListImportsInput = older_request(kListImportsMembers);

void list_imports(Request& request) {
  write_job_page(
      request, JobKind::kImport,
      {.limit = "PageSize", .list = "ImportSummaryList", .write = &write_import_summary});
}

}  // namespace

constinit const Operation kListImports{.name = "ListImports",
                                       .input = kListImportsInput,
                                       .handle = &list_imports,
                                       .resource = "TableArn",
                                       .lists = true};

}  // namespace magneto::api
