// SPDX-License-Identifier: MIT
//
// The C++ API, with an optimised variant that follows in the background. The first draws get a joined variant. The
// program also says which uniform keeps its value. After the publication, the same bind returns shorter code.
//
//   example [GPU]    any name of `dovetail gpus`; without one, gfx900
#include <array>
#include <atomic>
#include <cstdio>
#include <dovetail/merge/elf/pal_elf.h>
#include <dovetail/variants/bind/binder.h>
#include <iterator>
#include <string>

// SPIR-V as arrays of words, which the build makes of lit.vert and lit.frag.
#include "lit_frag.h"
#include "lit_vert.h"

using namespace dovetail;

namespace {

template <size_t Size>
Result<ShaderRef> createShader(Device &device, lgc::ShaderStage stage, const char *name,
                               const uint32_t (&words)[Size]) {
  ShaderDescription description;
  description.name = name;
  description.words.assign(std::begin(words), std::end(words));
  description.stage = stage;
  return device.createShader(std::move(description));
}

// A position and a normal for each vertex, one behind the other in one buffer; one colour target.
PipelineState describeState() {
  PipelineState state;
  state.vertexBindings = {{.binding = 0, .stride = 24}};
  state.vertexAttributes = {{.location = 0, .format = VK_FORMAT_R32G32B32_SFLOAT},
                            {.location = 1, .format = VK_FORMAT_R32G32B32_SFLOAT, .offset = 12}};
  state.colorTargets[0].format = VK_FORMAT_R8G8B8A8_UNORM;
  return state;
}

void printVariant(const char *when, const Variant &variant) {
  const Image &image = *variant.image;
  uint32_t instructions = 0;
  for (const ImagePart &part : image.parts)
    instructions += part.part->instructionCount;
  std::printf("%s: %s variant, %zu parts, %u instructions, %zu registers\n", when,
              variant.optimized ? "optimised" : "joined", image.parts.size(), instructions, image.registers.size());
}

Result<void> run(const char *gpu) {
  std::atomic<unsigned> published = 0;
  DeviceOptions options;
  options.gpuName = gpu;
  options.policy = OptimizationPolicy::Hot; // variants that were bound `hotBinds` times
  options.hotBinds = 8;
  options.onPublication = [&](const Publication &) { ++published; }; // on a thread of the background
  std::unique_ptr<Device> device = DOVETAIL_TRY(Device::create(options));

  // When the application makes shaders, and links them.
  const ShaderRef vertex = DOVETAIL_TRY(createShader(*device, lgc::ShaderStage::Vertex, "lit.vert", lit_vert));
  const ShaderRef fragment = DOVETAIL_TRY(createShader(*device, lgc::ShaderStage::Fragment, "lit.frag", lit_frag));
  const ProgramRef program = DOVETAIL_TRY(device->createProgram(std::array{vertex, fragment}));
  const StateRef state = makeState(describeState());

  // The scene has one light, draw after draw: push constant lightCount, the dword behind the matrix.
  InlinableUniform lightCount;
  lightCount.place = UniformPlace::Place::PushConstants;
  lightCount.offset = 64;
  lightCount.value = 1;
  const UniformValuesRef constants = DOVETAIL_TRY(makeUniformValues({lightCount}));

  // A context has a Binder. Each draw binds, and compares the pointer with that of the draw before.
  Binder binder(*device);
  const Variant *variant = DOVETAIL_TRY(binder.bind(program, state, constants));
  printVariant("first draw", *variant);
  for (unsigned draw = 1; draw < options.hotBinds; ++draw)
    variant = DOVETAIL_TRY(binder.bind(program, state, constants));
  device->drain(); // a driver goes on drawing instead
  variant = DOVETAIL_TRY(binder.bind(program, state, constants));
  printVariant("a later draw", *variant);
  std::printf("%u published in the background\n", published.load());

  // For tools, and for drivers that keep pipelines in PAL's format.
  const std::vector<uint8_t> elf = DOVETAIL_TRY(writePalElf(*variant->image));
  std::printf("%zu bytes as a PAL pipeline ELF\n", elf.size());
  return {};
}

} // namespace

int main(int argc, char **argv) {
  const Result<void> outcome = run(argc > 1 ? argv[1] : "gfx900");
  if (!outcome)
    std::fprintf(stderr, "%s\n", outcome.error().text.c_str());
  return outcome ? 0 : 1;
}
