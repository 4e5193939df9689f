// SPDX-License-Identifier: MIT
#include "tests/farm/store_contents.h"
#include "parts/store/archive.h"
#include "tests/tools/run_tool.h"
#include <doctest/doctest.h>

namespace dovetail::test {

StoreContents contentsOf(const std::string &store) {
  const std::string file = store + ".archive";
  CHECK(runTool("archive make " + file + " --store " + store).status == 0);
  CHECK(runTool("archive verify " + file).status == 0);
  StoreContents contents;
  const Result<std::shared_ptr<Archive>> archive = Archive::open(file);
  REQUIRE(archive);
  const std::vector<ArchiveEntry> entries = *(*archive)->entries();
  for (const ArchiveEntry &entry : entries) {
    const std::vector<uint8_t> value = *(*archive)->value(entry.key);
    contents[fmt::format("{} {} {} {}", toString(entry.key.kind), entry.key.hash.toHex(), entry.gpu, entry.build)] =
        std::string(value.begin(), value.end());
  }
  return contents;
}

void checkSameContents(const std::string &store, const std::string &expected) {
  const StoreContents ours = contentsOf(store), theirs = contentsOf(expected);
  CHECK(!theirs.empty());
  std::string differences;
  size_t count = 0;
  const auto note = [&](const std::string &name, const char *what) {
    if (++count <= 5)
      differences += name + what;
  };
  for (const auto &[name, bytes] : theirs)
    if (const auto found = ours.find(name); found == ours.end())
      note(name, " is missing\n");
    else if (found->second != bytes)
      note(name, " has other bytes\n");
  for (const auto &[name, bytes] : ours)
    if (!theirs.contains(name))
      note(name, " is too many\n");
  CHECK_MESSAGE(count == 0, count, " differences: ", differences);
}

} // namespace dovetail::test
