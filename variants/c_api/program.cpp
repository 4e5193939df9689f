// SPDX-License-Identifier: MIT
#include "src/state/ycbcr_conversion.h"
#include "variants/c_api/convert/arguments.h"
#include "variants/c_api/convert/handles.h"
#include "variants/c_api/convert/sized_struct.h"
#include "variants/state/default_state.h"

using namespace dovetail;
using namespace dovetail::c_api;

namespace {

Outcome<std::vector<ShaderRef>> readShaders(dovetail_shader *const *shaders, size_t count,
                                            const dovetail_device &device) {
  if (count == 0)
    return badArgument("shader_count is 0");
  std::vector<ShaderRef> read;
  for (const dovetail_shader *shader : DOVETAIL_C_TRY(readArray(shaders, count, "shaders"))) {
    DOVETAIL_C_CHECK(checkNotNull(shader, fmt::format("shaders[{}]", read.size())));
    if (&shader->owner.get() != &device)
      return badArgument("shaders[{}] was made from another device", read.size());
    read.push_back(shader->shader);
  }
  return read;
}

Outcome<void> checkImmutableSamplers(const UserDataNodes &layout, std::span<const uint32_t> dwords) {
  for (size_t i = 0; i < layout.size(); ++i) {
    const UserDataNode &node = layout[i];
    if (!isInLayout(node.type))
      continue;
    if (uint64_t(node.offsetInDwords) + node.sizeInDwords > dwords.size())
      return badArgument("options->layout[{}] ends beyond the {} dwords of options->immutable_samplers", i,
                         dwords.size());
    if (node.type != UserDataNodeType::YcbcrConversion)
      continue;
    if (node.sizeInDwords == 0 || elementsOf(node) == 0)
      return badArgument("options->layout[{}] is a YCbCr conversion without a whole element", i);
    for (uint64_t element = 0; element < elementsOf(node); ++element)
      if (Result<YcbcrConversion> conversion =
              ycbcrConversionOf(dwords[node.offsetInDwords + element * strideOf(node)]);
          !conversion)
        return badArgument("options->layout[{}]: {}", i, conversion.error().text);
  }
  return {};
}

} // namespace

dovetail_status dovetail_program_create(dovetail_device *device, dovetail_shader *const *shaders, size_t shader_count,
                                        const dovetail_program_options *options, dovetail_program **program,
                                        dovetail_message *message) {
  return guarded(message, [&]() -> Outcome<void> {
    DOVETAIL_C_CHECK(checkNotNull(program, "program"));
    *program = nullptr;
    DOVETAIL_C_CHECK(checkNotNull(device, "device"));
    const auto given = DOVETAIL_C_TRY(readSizedOr(options, dovetail_program_options{}, "options"));
    const std::vector<ShaderRef> refs = DOVETAIL_C_TRY(readShaders(shaders, shader_count, *device));
    const AutomaticLayout automatic =
        DOVETAIL_C_TRY(readDynamicBuffers(given.dynamic_buffers, "options->dynamic_buffers"));
    const bool hasLayout = DOVETAIL_C_TRY(readBool(given.has_layout, "options->has_layout"));
    const auto samplers = DOVETAIL_C_TRY(
        readArray(given.immutable_samplers, given.immutable_sampler_dwords, "options->immutable_samplers"));
    ShaderSet set;
    if (hasLayout) {
      UserDataNodes layout = DOVETAIL_C_TRY(readLayout(given.layout, given.layout_count, "options->layout"));
      DOVETAIL_C_CHECK(checkImmutableSamplers(layout, samplers));
      set = DOVETAIL_C_TRY(makeShaderSet(refs, std::move(layout), {samplers.begin(), samplers.end()}));
    } else {
      set = DOVETAIL_C_TRY(makeShaderSet(refs, automatic));
    }
    ProgramRef made = DOVETAIL_C_TRY(device->device->createProgramOf(std::move(set), given.user));
    StateRef state = makeState(defaultState(made->set));
    *program = makeHandle<dovetail_program>(*device, std::move(made), std::move(state));
    return {};
  });
}

void dovetail_program_destroy(dovetail_program *program) {
  destroyHandle(program);
}

dovetail_status dovetail_program_get_layout(const dovetail_program *program, dovetail_layout_node *nodes, size_t *count,
                                            dovetail_message *message) {
  return guarded(message, [&]() -> Outcome<void> {
    DOVETAIL_C_CHECK(checkNotNull(program, "program"));
    DOVETAIL_C_CHECK(checkNotNull(count, "count"));
    std::vector<dovetail_layout_node> layout;
    for (const UserDataNode &node : program->program->set.userDataNodes())
      layout.push_back({static_cast<uint32_t>(node.type), node.set, node.binding, node.offsetInDwords,
                        node.sizeInDwords, node.strideInDwords});
    return handOut(std::span<const dovetail_layout_node>(layout), nodes, count, "nodes");
  });
}
