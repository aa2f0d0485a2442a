#pragma once

namespace magneto::server::system {

// Gives back the pages of the program and its libraries that nothing writes. A start reads several
// megabytes of them once. They stay in the system's cache of files: a page that is needed again
// comes back within a microsecond. Thread-safe, at any time.
void release_program_pages();

}  // namespace magneto::server::system
