// SPDX-License-Identifier: MIT
#include "tests/variants/background/background_device.h"
#include "merge/check/check_image.h"
#include "tools/common/inputs/glsl.h"
#include "variants/bind/device_core.h"
#include <fmt/format.h>
#include <thread>

namespace dovetail {

using lgc::ShaderStage;

std::unique_ptr<Device> createDevice(DeviceOptions options) {
  if (options.gpuName.empty())
    options.gpuName = "gfx900";
  Result<std::unique_ptr<Device>> device = Device::create(std::move(options));
  if (!device)
    FAIL(device.error().text);
  return std::move(*device);
}

HeldDevice::HeldDevice(DeviceOptions options) : m_device(createDevice(std::move(options))) {
  OptimizationQueue::Job blocker;
  blocker.run = [this](const std::function<bool()> &) -> Result<void> {
    m_entered.open();
    m_release.wait();
    return {};
  };
  REQUIRE(m_device->core().background().queue().enqueue(std::move(blocker)));
  m_entered.wait();
}

void HeldDevice::destroy() {
  OptimizationQueue &queue = m_device->core().background().queue();
  // This job is cancelled when the device cancels its waiting jobs. Then it lets the background go.
  OptimizationQueue::Job last;
  last.run = [](const std::function<bool()> &) -> Result<void> { return {}; };
  last.onCancelled = [this] { m_release.open(); };
  REQUIRE(queue.enqueue(std::move(last)));
  m_device.reset();
}

ShaderRef compileGlsl(ShaderStage stage, const std::string &text) {
  auto modules = translateGlsl({{stage, "test shader", "#version 450\n" + text}});
  if (!modules)
    FAIL(modules.error().text);
  Result<ShaderRef> shader = createShader({"test shader", modules->front(), "main", stage, {}});
  if (!shader)
    FAIL(shader.error().text);
  return *shader;
}

ProgramRef makeProgram(Device &device, const std::vector<ShaderRef> &shaders) {
  Result<ProgramRef> program = device.createProgram(shaders);
  if (!program)
    FAIL(program.error().text);
  return *program;
}

std::vector<ShaderRef> pairOfShaders(int number) {
  return {compileGlsl(ShaderStage::Vertex, "layout(location = 0) in vec4 position;"
                                           "layout(location = 0) out vec4 seen;"
                                           "layout(location = 1) out vec4 unseen;"
                                           "void main() { gl_Position = position; seen = position * 2.0;"
                                           "  unseen = sqrt(position) / (position + 3.0); }"),
          compileGlsl(
              ShaderStage::Fragment,
              fmt::format("layout(location = 0) in vec4 seen;"
                          "layout(location = 0) out vec4 target;"
                          "layout(push_constant) uniform Constants {{ float factor; }};"
                          "void main() {{ target = vec4({}.0); if (factor != 0.0) target += sqrt(seen) * factor; }}",
                          number))};
}

namespace {

PipelineState fieldsOf(VkFormat format) {
  PipelineState state;
  state.vertexBindings = {{0, 16}};
  state.vertexAttributes = {{0, 0, VK_FORMAT_R32G32B32A32_SFLOAT, 0}};
  state.colorTargets[0].format = format;
  return state;
}

} // namespace

StateRef pairState(VkFormat format) {
  return makeState(fieldsOf(format));
}

StateRef compiledState(VkFormat format) {
  PipelineState state = fieldsOf(format);
  state.rasterizationSamples = 4;
  state.smoothing = true;
  return makeState(std::move(state));
}

VariantRef bindNow(Binder &binder, const ProgramRef &program, const StateRef &state, const UniformValuesRef &uniforms,
                   const BindOptions &options) {
  Result<const Variant *> variant = binder.bind(program, state, uniforms, options);
  if (!variant)
    FAIL(variant.error().text);
  CHECK(findImageDefects(*(*variant)->image).empty());
  return (*variant)->shared_from_this();
}

} // namespace dovetail
