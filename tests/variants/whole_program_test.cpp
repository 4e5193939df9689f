// SPDX-License-Identifier: MIT
//
// Programs that state makes monolithic: the code that is compiled for them, and the code that is not.
#include "parts/cache/part_maker.h"
#include "src/lgc/pipeline.h"
#include "tests/tools/temporary_folder.h"
#include "tests/variants/background/background_device.h"
#include <algorithm>
#include <string>
#include <thread>
#include <vector>

using namespace dovetail;

namespace {

std::unique_ptr<Device> makeDevice(const std::string &store = {}) {
  DeviceOptions options;
  options.firstTier = CodeTier::Llvm;
  options.store.path = store;
  return createDevice(std::move(options));
}

std::ptrdiff_t partsOf(Device &device, PartKind kind) {
  return std::ranges::count_if(device.partMaker().cache().parts(),
                               [&](const PartRef &part) { return part->key.kind == kind; });
}

// Compares the counts of a device's compiles so far.
void checkCounts(Device &device, uint64_t lowered, uint64_t emitted) {
  const lgc::CompileCounts counts = device.partMaker().compileCounts();
  CHECK(counts.lowered == lowered);
  CHECK(counts.emitted == emitted);
}

} // namespace

TEST_CASE("the first use of a state that makes a program monolithic compiles its fragment shader once") {
  auto device = makeDevice();
  Binder binder(*device);
  bindNow(binder, makeProgram(*device, pairOfShaders()), compiledState());
  checkCounts(*device, 2, 2); // the vertex main part, the monolithic part; prologs are encoded
  CHECK(partsOf(*device, PartKind::Monolithic) == 1);
}

TEST_CASE("a state that makes no program monolithic compiles main parts only") {
  auto device = makeDevice();
  Binder binder(*device);
  bindNow(binder, makeProgram(*device, pairOfShaders()), pairState());
  checkCounts(*device, 2, 2); // prolog and epilog are encoded
  CHECK(partsOf(*device, PartKind::Monolithic) == 0);
}

TEST_CASE("a layered framebuffer makes a program monolithic that fetches from it, which is compiled once") {
  auto device = makeDevice();
  Binder binder(*device);
  ShaderRef fetch =
      compileGlsl(lgc::ShaderStage::Fragment,
                  "layout(input_attachment_index = 0, set = 0, binding = 0) uniform subpassInput attachment;"
                  "layout(location = 0) out vec4 target; void main() { target = subpassLoad(attachment); }");
  PipelineState state = pairState()->fields;
  state.layeredFramebuffer = true;
  bindNow(binder, makeProgram(*device, {pairOfShaders()[0], fetch}), makeState(state));
  checkCounts(*device, 2, 2);
  CHECK(partsOf(*device, PartKind::Monolithic) == 1);
}

TEST_CASE("another such state compiles the program again, and one that comes to the same code nothing") {
  auto device = makeDevice();
  Binder binder(*device);
  ProgramRef program = makeProgram(*device, pairOfShaders());
  VariantRef first = bindNow(binder, program, compiledState(VK_FORMAT_R8G8B8A8_UNORM));
  VariantRef same = bindNow(binder, program, compiledState(VK_FORMAT_B8G8R8A8_UNORM));
  CHECK(same != first);
  checkCounts(*device, 2, 2);
  bindNow(binder, program, compiledState(VK_FORMAT_R32G32B32A32_SFLOAT));
  checkCounts(*device, 3, 3);
}

TEST_CASE("a program is monolithic for its state, or because it is asked for, as the same part") {
  auto device = makeDevice();
  ProgramRef program = makeProgram(*device, pairOfShaders());
  Result<VariantRef> asked = device->bind(program->set, compiledState()->fields, {.monolithic = true});
  REQUIRE(asked.has_value());
  checkCounts(*device, 3, 3); // the vertex shader as a part and as a whole, the fragment shader as a whole
  Binder binder(*device);
  VariantRef variant = bindNow(binder, program, compiledState());
  checkCounts(*device, 3, 3); // the vertex prolog is encoded
  CHECK((*asked)->image->parts.back().part == variant->image->parts.back().part);
}

TEST_CASE("optimised variants of such a program compile its fragment shader once for each knowledge, too") {
  DeviceOptions options;
  options.firstTier = CodeTier::Llvm;
  options.policy = OptimizationPolicy::Always;
  HeldDevice device(std::move(options));
  Binder binder(*device);
  ProgramRef program = makeProgram(*device, pairOfShaders());
  bindNow(binder, program, compiledState(VK_FORMAT_R32_SFLOAT)); // of the colour, only red is exported
  checkCounts(*device, 2, 2);
  device.finish();
  REQUIRE(device->statistics().background.finished > 1);
  // A vertex shader is compiled as a part and as a whole; each needs a compile of its own.
  const std::ptrdiff_t wholes = partsOf(*device, PartKind::Monolithic);
  CHECK(device->partMaker().compileCounts().lowered == uint64_t(partsOf(*device, PartKind::VertexMain) + wholes));
  CHECK(partsOf(*device, PartKind::FragmentMain) > 1);
  CHECK(partsOf(*device, PartKind::FragmentEpilog) == 0);
}

TEST_CASE("programs that share a shader and come to the same state at the same time generate its code once") {
  auto device = makeDevice();
  constexpr int Count = 4;
  std::vector<ProgramRef> programs;
  ShaderRef fragment = pairOfShaders()[1];
  for (int number = 0; number < Count; ++number) {
    std::string text = "layout(location = 0) in vec4 position; layout(location = 0) out vec4 seen;"
                       "void main() { gl_Position = position; seen = position + " +
                       std::to_string(number) + ".5; }";
    programs.push_back(makeProgram(*device, {compileGlsl(lgc::ShaderStage::Vertex, text), fragment}));
  }
  {
    std::vector<std::jthread> threads;
    for (const ProgramRef &program : programs)
      threads.emplace_back([&device, program] {
        Binder binder(*device);
        CHECK(binder.bind(program, compiledState()).has_value());
      });
  }
  // Vertex main parts, the monolithic part.
  CHECK(device->partMaker().compileCounts().emitted == Count + 1);
}

TEST_CASE("another process finds such a program in the store and compiles nothing") {
  TemporaryFolder folder;
  for (bool isFirst : {true, false}) {
    auto device = makeDevice(folder.path());
    Binder binder(*device);
    bindNow(binder, makeProgram(*device, pairOfShaders()), compiledState());
    if (isFirst)
      checkCounts(*device, 2, 2);
    else
      checkCounts(*device, 0, 0);
  }
}

TEST_CASE(
    "a state that such a program cannot be compiled for is an Error each time, for which nothing is compiled twice") {
  auto device = makeDevice();
  ProgramRef program = makeProgram(*device, pairOfShaders());
  PipelineState fields = compiledState()->fields;
  fields.colorTargets[0].format = VK_FORMAT_R8G8B8A8_UINT; // the shader writes floats
  StateRef wrong = makeState(fields);
  Binder binder(*device);
  for (int i = 0; i < 2; ++i) {
    Result<const Variant *> variant = binder.bind(program, wrong);
    REQUIRE_FALSE(variant.has_value());
    CHECK((variant.error().code == ErrorCode::StateMismatch));
  }
  checkCounts(*device, 2, 1); // the vertex shader was compiled at the same time
  bindNow(binder, program, compiledState());
  checkCounts(*device, 3, 2);
}
