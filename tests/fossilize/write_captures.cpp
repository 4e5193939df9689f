// SPDX-License-Identifier: MIT
//
// Writes a database of many pipelines, from shaders under random states:
//
//   build/tests/fossilize/write-captures FILE PIPELINES SHADERS...
//
// For measurements with large databases, and as input for Fossilize's own tools, which must be able to read it.
#include "tests/fossilize/capture_program.h"
#include "tools/common/inputs/read_shaders.h"
#include "tools/common/pipelines/corpus_units.h"
#include "tools/proof/scene/maker/make_scene.h"
#include <cstdio>
#include <cstdlib>

using namespace dovetail;

namespace {

// Whether a pipeline of Vulkan's can have these shaders and no others.
bool isWhole(const ShaderSet &shaders) {
  using enum lgc::ShaderStage;
  return shaders.shader(Compute) ||
         (shaders.shader(Vertex) && !shaders.shader(TessControl) == !shaders.shader(TessEval));
}

Result<void> writeCaptures(const std::string &path, size_t count, const std::vector<std::string> &folders) {
  std::vector<CapturedProgram> programs;
  for (const CorpusUnit &unit : DOVETAIL_TRY(findCorpusUnits(folders)))
    if (Result<std::vector<ShaderRef>> shaders = readShaders(unit.files); shaders && makeShaderSet(*shaders))
      if (CapturedProgram program(*shaders); isWhole(program.shaders))
        programs.push_back(std::move(program));
  auto capture = DOVETAIL_TRY(fossilize::Capture::create(path));
  for (uint64_t seed = 1; capture->pipelineCount() < count; ++seed) {
    const size_t before = capture->pipelineCount();
    for (const CapturedProgram &program : programs)
      if (capture->pipelineCount() < count)
        DOVETAIL_CHECK(capture->add(program.capture(randomState(program.shaders, seed))));
    if (capture->pipelineCount() == before)
      return makeError(ErrorCode::InvalidInput, "these shaders have no more than {} pipelines", before);
  }
  fmt::print("{} pipelines of {} programs\n", capture->pipelineCount(), programs.size());
  return {};
}

} // namespace

int main(int argc, char **argv) {
  if (argc < 4) {
    std::fprintf(stderr, "usage: write-captures FILE PIPELINES SHADERS...\n");
    return 2;
  }
  Result<void> written = writeCaptures(argv[1], std::strtoull(argv[2], nullptr, 10), {argv + 3, argv + argc});
  if (!written)
    std::fprintf(stderr, "write-captures: %s\n", written.error().text.c_str());
  return written ? 0 : 1;
}
