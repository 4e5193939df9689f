// SPDX-License-Identifier: MIT
//
// The dynamic loader lists the loaded objects. The object with an LLVM function in it is LLVM's library, or the program
// itself if LLVM is linked into it; then the program's build id identifies LLVM, too. The build id is a note of the
// name "GNU" and the type NT_GNU_BUILD_ID (elf.h; gABI, "Note Section").
#include "parts/compile/toolchain_version.h"
#include <cstring>
#include <elf.h>
#include <fmt/format.h>
#include <link.h>
#include <llvm-c/Core.h>
#include <llvm/Config/llvm-config.h>
#include <optional>
#include <span>

namespace dovetail {

namespace {

// make_build_id.py makes it from the sources of everything that makes code.
constexpr std::string_view BuildId =
#include "build_id.inc"
    ;

constexpr size_t alignNote(size_t size) {
  return (size + 3) & ~size_t(3);
}

std::optional<std::string> findBuildId(std::span<const uint8_t> notes) {
  while (notes.size() >= sizeof(ElfW(Nhdr))) {
    ElfW(Nhdr) header;
    std::memcpy(&header, notes.data(), sizeof(header));
    notes = notes.subspan(sizeof(header));
    size_t name = alignNote(header.n_namesz), content = alignNote(header.n_descsz);
    if (name > notes.size() || content > notes.size() - name)
      break;
    if (header.n_type == NT_GNU_BUILD_ID && header.n_namesz == 4 && std::memcmp(notes.data(), "GNU", 4) == 0) {
      std::string digits;
      for (uint8_t byte : notes.subspan(name, header.n_descsz))
        digits += fmt::format("{:02x}", byte);
      return digits;
    }
    notes = notes.subspan(name + content);
  }
  return std::nullopt;
}

struct Search {
  uintptr_t address;
  std::optional<std::string> buildId;
};

bool covers(const dl_phdr_info &object, uintptr_t address) {
  for (const ElfW(Phdr) & segment : std::span(object.dlpi_phdr, object.dlpi_phnum)) {
    uintptr_t start = object.dlpi_addr + segment.p_vaddr;
    if (segment.p_type == PT_LOAD && address >= start && address - start < segment.p_memsz)
      return true;
  }
  return false;
}

int visitObject(dl_phdr_info *object, size_t, void *data) {
  Search &search = *static_cast<Search *>(data);
  if (!covers(*object, search.address))
    return 0;
  for (const ElfW(Phdr) & segment : std::span(object->dlpi_phdr, object->dlpi_phnum)) {
    if (segment.p_type != PT_NOTE || search.buildId)
      continue;
    const auto *notes = reinterpret_cast<const uint8_t *>(object->dlpi_addr + segment.p_vaddr);
    search.buildId = findBuildId({notes, segment.p_memsz});
  }
  return 1;
}

Hash128 makeToolchainVersion() {
  Hasher hasher;
  hasher.add(std::string_view(DOVETAIL_VERSION)).add(BuildId);
  hasher.add(std::string_view(LLVM_VERSION_STRING)).add(llvmBuildId());
  return hasher.finish();
}

} // namespace

std::string llvmBuildId() {
  Search search = {reinterpret_cast<uintptr_t>(&LLVMContextCreate), std::nullopt};
  dl_iterate_phdr(visitObject, &search);
  return search.buildId.value_or(LLVM_VERSION_STRING);
}

std::string_view dovetailVersion() {
  return DOVETAIL_VERSION;
}

std::string_view llvmVersion() {
  return LLVM_VERSION_STRING;
}

const Hash128 &toolchainVersion() {
  static const Hash128 version = makeToolchainVersion();
  return version;
}

} // namespace dovetail
