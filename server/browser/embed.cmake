# cmake -D FOLDER=<page> -D OUT=<file.cc> -P embed.cmake: writes the table of server/browser/page_files.h
# with every file of the folder, compressed by gzip.

file(GLOB_RECURSE paths RELATIVE ${FOLDER} ${FOLDER}/*)
list(SORT paths)
set(bytes "")
set(rows "")
foreach(path ${paths})
  execute_process(COMMAND gzip -9 -n -c ${FOLDER}/${path} OUTPUT_FILE ${OUT}.gz COMMAND_ERROR_IS_FATAL ANY)
  file(SHA256 ${OUT}.gz digest)
  string(SUBSTRING ${digest} 0 20 tag)
  file(READ ${OUT}.gz content HEX)
  file(REMOVE ${OUT}.gz)
  string(LENGTH "${content}" digits)
  math(EXPR size "${digits} / 2")
  string(REGEX REPLACE "(..)" "\\\\x\\1" content "${content}")
  string(MAKE_C_IDENTIFIER "${path}" name)
  string(APPEND bytes "constexpr char ${name}[] =\n    \"${content}\";\n")
  string(APPEND rows "    {\"${path}\", \"${tag}\", {${name}, ${size}}},\n")
endforeach()

file(WRITE ${OUT} "// Made by server/browser/embed.cmake.
#include \"server/browser/page_files.h\"

namespace magneto::server::browser {
namespace {

${bytes}
constexpr PageFile kFiles[] = {
${rows}};

}  // namespace

std::span<const PageFile> page_files() { return kFiles; }

}  // namespace magneto::server::browser
")
