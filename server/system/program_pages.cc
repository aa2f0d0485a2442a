#include "server/system/program_pages.h"

#include <elf.h>
#include <link.h>
#include <sys/auxv.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cstddef>
#include <cstdint>
#include <span>

namespace magneto::server::system {
namespace {

// The loader gives places as numbers.
const void* place_at(std::uintptr_t address) {
  return reinterpret_cast<const void*>(address);  // NOLINT(performance-no-int-to-ptr)
}

std::span<const ElfW(Phdr)> segments_of(const dl_phdr_info& module) {
  return {module.dlpi_phdr, module.dlpi_phnum};
}

// Whether the loader wrote into segments that are read-only now. Then their pages are not in the
// file.
bool has_text_relocations(const dl_phdr_info& module) {
  for (const ElfW(Phdr) & segment : segments_of(module)) {
    if (segment.p_type != PT_DYNAMIC) continue;
    const auto* entry = static_cast<const ElfW(Dyn)*>(place_at(module.dlpi_addr + segment.p_vaddr));
    for (; entry->d_tag != DT_NULL; ++entry) {
      if (entry->d_tag == DT_TEXTREL) return true;
      if (entry->d_tag == DT_FLAGS && (entry->d_un.d_val & DF_TEXTREL) != 0) return true;
    }
  }
  return false;
}

// The kernel's own module is in no file.
bool is_of_kernel(const dl_phdr_info& module) {
  const std::uintptr_t kernel = ::getauxval(AT_SYSINFO_EHDR);
  for (const ElfW(Phdr) & segment : segments_of(module)) {
    const std::uintptr_t begin = module.dlpi_addr + segment.p_vaddr;
    if (segment.p_type == PT_LOAD && kernel >= begin && kernel < begin + segment.p_memsz) {
      return true;
    }
  }
  return false;
}

int release_module(dl_phdr_info* module, std::size_t, void*) {
  if (is_of_kernel(*module) || has_text_relocations(*module)) return 0;
  const auto page = static_cast<std::uintptr_t>(::sysconf(_SC_PAGESIZE));
  for (const ElfW(Phdr) & segment : segments_of(*module)) {
    // A segment that was writable at the start holds relocated addresses.
    if (segment.p_type != PT_LOAD || (segment.p_flags & PF_W) != 0) continue;
    const std::uintptr_t begin = (module->dlpi_addr + segment.p_vaddr) / page * page;
    const std::uintptr_t end = module->dlpi_addr + segment.p_vaddr + segment.p_memsz;
    // Where the system refuses, the pages stay.
    ::madvise(const_cast<void*>(place_at(begin)), end - begin, MADV_DONTNEED);
  }
  return 0;
}

}  // namespace

void release_program_pages() { ::dl_iterate_phdr(release_module, nullptr); }

}  // namespace magneto::server::system
