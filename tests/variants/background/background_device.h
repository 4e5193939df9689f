// SPDX-License-Identifier: MIT
//
// A device whose background does nothing until a test allows it, and small programs for it.
#pragma once

#include "tests/variants/background/job_gates.h"
#include "variants/bind/binder.h"
#include <doctest/doctest.h>
#include <memory>
#include <string>
#include <vector>

namespace dovetail {

std::unique_ptr<Device> createDevice(DeviceOptions options);

// A device with one background thread, which is busy until release().
class HeldDevice {
public:
  explicit HeldDevice(DeviceOptions options);
  ~HeldDevice() { m_release.open(); }

  Device &operator*() { return *m_device; }
  Device *operator->() { return m_device.get(); }
  void release() { m_release.open(); }
  // Lets the background do its jobs, and waits until it has finished them.
  void finish() {
    release();
    m_device->drain();
  }
  // Destroys the device. Lets the background go once the device waits for it.
  void destroy();

private:
  Gate m_entered, m_release;
  std::unique_ptr<Device> m_device;
};

// Compiles the GLSL of a shader. Errors fail the test.
ShaderRef compileGlsl(lgc::ShaderStage stage, const std::string &text);
ProgramRef makeProgram(Device &device, const std::vector<ShaderRef> &shaders);

// A vertex shader that writes two colours, and a fragment shader that reads one of them. `number` makes programs
// different.
std::vector<ShaderRef> pairOfShaders(int number = 0);

// A state for the pair, with a colour target of this format.
StateRef pairState(VkFormat format = VK_FORMAT_R8G8B8A8_UNORM);
// The same, but it changes the fragment shader's own code, so that it needs a compiler.
StateRef compiledState(VkFormat format = VK_FORMAT_R8G8B8A8_UNORM);

// Binds; Errors fail the test.
VariantRef bindNow(Binder &binder, const ProgramRef &program, const StateRef &state,
                   const UniformValuesRef &uniforms = {}, const BindOptions &options = {});

} // namespace dovetail
