// SPDX-License-Identifier: MIT
//
// `dovetail archive`: from a store to a file that a device uses.
#include "parts/compile/toolchain_version.h"
#include "parts/store/archive.h"
#include "parts/store/entry.h"
#include "tests/tools/run_tool.h"
#include "tools/common/inputs/read_shaders.h"
#include "variants/bind/device.h"
#include "variants/state/default_state.h"
#include <doctest/doctest.h>
#include <filesystem>
#include <nlohmann/json.hpp>

using namespace dovetail;

namespace {

// A folder with a warm store of a pair of shaders, and its archive.
struct Archived : Shaders {
  Archived() : store(*this / "store"), archive(*this / "parts.archive") {
    CHECK(runTool("warm --jobs 1 --gpu gfx900,gfx803 --store " + store + " " + path().string()).status == 0);
    made = runTool("archive make " + archive + " --store " + store);
  }
  std::string store, archive;
  Run made;
};

// What a device of its own makes of the shaders, with these archives and no store.
DeviceStatistics draw(const Shaders &shaders, const std::string &gpu, std::vector<std::string> archives) {
  DeviceOptions options;
  options.gpuName = gpu;
  options.archives = std::move(archives);
  options.onLog = [](LogLevel, std::string_view text) { FAIL(text); };
  const std::unique_ptr<Device> device = *Device::create(std::move(options));
  const ShaderSet set = *makeShaderSet(*readShaders({shaders.vertex, shaders.fragment}));
  CHECK(device->bind(set, defaultState(set)));
  return device->statistics();
}

} // namespace

TEST_CASE("a device with an archive makes no part that the archive has") {
  Archived archived;
  CHECK(archived.made.status == 0);
  CHECK(archived.made.output.find("8 parts, 2 valid modules, GPUs gfx803 gfx900, builds " +
                                  toolchainVersion().toHex()) != std::string::npos);
  for (const char *gpu : {"gfx900", "gfx803"}) {
    const DeviceStatistics statistics = draw(archived, gpu, {archived.archive});
    CHECK(statistics.parts.made == 0);
    CHECK(statistics.store.archiveHits == 4);
    CHECK(draw(archived, gpu, {}).parts.made == 4);
  }
}

TEST_CASE("archive list and verify look into archives") {
  Archived archived;
  const nlohmann::json list = nlohmann::json::parse(runTool("archive list --parts --json " + archived.archive).output);
  CHECK(list[0]["parts"] == 8);
  CHECK(list[0]["entries"].size() == 8);
  CHECK(runTool("archive list --parts " + archived.archive).output.find("fragment epilog") != std::string::npos);
  CHECK(runTool("archive verify " + archived.archive).output.ends_with("8 parts are good\n"));
  std::string bytes = [&] {
    std::ifstream file(archived.archive, std::ios::binary);
    return std::string(std::istreambuf_iterator<char>(file), {});
  }();
  bytes[bytes.size() - 3000] ^= 1;
  bytes[bytes.size() - 9000] ^= 1;
  const Run bad = runTool("archive verify " + archived.write("bad", bytes));
  CHECK(bad.status == 1);
}

TEST_CASE("an archive for an update has the difference, and merged with the old one it is the new one") {
  Archived archived;
  const std::string old = archived / "old", diff = archived / "diff", merged = archived / "merged";
  CHECK(runTool("archive make --gpu gfx900 " + old + " --store " + archived.store).status == 0);
  const Run compared = runTool("archive diff " + old + " " + archived.archive);
  CHECK(compared.status == 1);
  CHECK(compared.output == "4 parts added, 0 changed, 0 gone, 4 the same\n");
  CHECK(runTool("archive diff " + old + " " + archived.archive + " -o " + diff).output.find("4 parts, 0 valid") !=
        std::string::npos);
  CHECK(runTool("archive merge " + old + " " + diff + " -o " + merged).status == 0);
  CHECK(runTool("archive diff " + merged + " " + archived.archive).status == 0);
  CHECK(draw(archived, "gfx803", {merged, diff}).parts.made == 0);
}

TEST_CASE("a part that has other bytes under its key is in the difference, and replaces the old one") {
  Archived archived;
  const std::string after = archived / "after", diff = archived / "diff", merged = archived / "merged";
  const std::shared_ptr<Archive> archive = *Archive::open(archived.archive);
  const std::vector<ArchiveEntry> entries = *archive->entries();
  const std::unique_ptr<ArchiveWriter> writer = *ArchiveWriter::create(after);
  for (const ArchiveEntry &entry : entries) {
    std::vector<uint8_t> value = *archive->value(entry.key);
    if (entry.key == entries[2].key) {
      Part part = *store::decodeEntry(entry.key, value);
      part.usage.numberedSgprs += 1;
      value = store::encodeEntry(part);
    }
    CHECK(writer->add(entry, value));
  }
  const std::vector<spirv::ModuleDigest> rows = *archive->validRows();
  for (const spirv::ModuleDigest &row : rows)
    CHECK(writer->addValid(row));
  CHECK(writer->finish());
  CHECK(runTool("archive diff " + archived.archive + " " + after).output ==
        "0 parts added, 1 changed, 0 gone, 7 the same\n");
  CHECK(runTool("archive diff " + archived.archive + " " + after + " -o " + diff).output.find("1 parts, 0 valid") !=
        std::string::npos);
  CHECK(runTool("archive merge " + archived.archive + " " + diff + " -o " + merged).status == 0);
  CHECK(runTool("archive diff " + merged + " " + after).status == 0);
}

TEST_CASE("more than eight archives are refused") {
  DeviceOptions options;
  options.gpuName = "gfx900";
  options.archives.assign(9, "x");
  CHECK(Device::create(std::move(options)).error().text.find("at most 8") != std::string::npos);
}
