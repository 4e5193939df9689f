// SPDX-License-Identifier: MIT
//
// compile_alone FOLDER GPU…: compiles all .pipe files there for these GPUs, as a farm's worker does, with neither queue
// nor store. A program of its own, because the test's own links another allocator than `dovetail`.
#include "merge/check/check_image.h"
#include "src/base/asking_thread.h"
#include "tools/common/command/write_file.h"
#include "tools/common/pipe-file/pipe_file.h"
#include "tools/common/pipelines/captured_pipeline.h"
#include "variants/bind/device.h"
#include <cstdio>
#include <filesystem>

using namespace dovetail;

namespace {

Result<void> compileAll(const std::string &folder, std::span<char *const> gpus) {
  std::vector<std::unique_ptr<Device>> devices;
  for (const char *gpu : gpus)
    devices.push_back(DOVETAIL_TRY(Device::create(gpu)));
  const OptimizingScope inTurn;
  for (const auto &entry : std::filesystem::directory_iterator(folder)) {
    PipeFile file = DOVETAIL_TRY(PipeFile::parse("item", DOVETAIL_TRY(readWholeFile(entry.path().string()))));
    const PipelineInput pipeline = DOVETAIL_TRY(readPipeFile(file, "item"));
    for (const std::unique_ptr<Device> &device : devices) {
      const VariantRef variant = DOVETAIL_TRY(device->bind(pipeline.shaders, pipeline.state));
      DOVETAIL_CHECK(checkImage(*variant->image));
    }
  }
  return {};
}

} // namespace

int main(int argc, char **argv) {
  const std::span<char *const> arguments(argv, size_t(argc));
  if (arguments.size() < 3)
    return 2;
  const Result<void> done = compileAll(arguments[1], arguments.subspan(2));
  if (!done)
    std::fprintf(stderr, "compile_alone: %s\n", done.error().text.c_str());
  return done ? 0 : 1;
}
