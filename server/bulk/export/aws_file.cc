#include "server/bulk/export/aws_file.h"

#include <utility>

#include "server/formats/part_name.h"

namespace magneto::server::bulk {

AwsFile::AwsFile(const std::string& path, formats::AwsFormat format, Done done)
    : path_(path),
      format_(format),
      done_(std::move(done)),
      file_(path, false, formats::hidden_part(path)),
      pieces_(file_, true, &md5_) {}

void AwsFile::finish() {
  pieces_.finish();
  file_.keep();
  done_({.path = path_, .format = format_, .items = lines_, .md5 = md5_.finish()});
}

}  // namespace magneto::server::bulk
