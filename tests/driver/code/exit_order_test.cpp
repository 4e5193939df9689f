// SPDX-License-Identifier: MIT
//
// Tests src/lgc/codegen/exit_order.h: once there is a program, no compile makes an object that the exit of the process
// destroys. Libraries register such objects through this program's __cxa_atexit.
#include "tests/driver/own_shaders.h"
#include "variants/bind/binder.h"
#include "variants/bind/device.h"
#include "variants/state/default_state.h"
#include <atomic>
#include <dlfcn.h>
#include <doctest/doctest.h>
#include <fmt/format.h>
#include <mutex>
#include <string>
#include <vector>

using namespace dovetail;

namespace {

std::atomic<bool> isWatching = false;
std::mutex madeMutex;
std::vector<const void *> made; // guarded by it

std::string describe(const void *caller) {
  Dl_info info;
  if (!dladdr(caller, &info))
    return "?";
  const auto offset = reinterpret_cast<uintptr_t>(caller) - reinterpret_cast<uintptr_t>(info.dli_fbase);
  return fmt::format("{}+{:#x} ({})", info.dli_fname, offset, info.dli_sname ? info.dli_sname : "no name");
}

} // namespace

extern "C" int __cxa_atexit(void (*destroy)(void *), void *object, void *library) {
  using Function = int (*)(void (*)(void *), void *, void *);
  static const auto next = reinterpret_cast<Function>(dlsym(RTLD_NEXT, "__cxa_atexit"));
  if (isWatching) {
    std::lock_guard lock(madeMutex);
    made.push_back(__builtin_return_address(0));
  }
  return next(destroy, object, library);
}

TEST_CASE("what compiles use and the exit of the process destroys is made beforehand") {
  const std::vector<OwnProgram> programs = readOwnPrograms();
  DeviceOptions options;
  options.gpuName = "gfx900";
  options.policy = OptimizationPolicy::Always;
  Result<std::unique_ptr<Device>> device = Device::create(options);
  REQUIRE_MESSAGE(device, device.error().text);
  Binder binder(**device);
  std::vector<ProgramRef> bound; // keeps the programs that the background works for

  constexpr size_t Step = 8; // every stage is among them
  for (size_t i = 0; i < programs.size(); i += Step) {
    const ShaderSet &shaders = programs[i].shaders;
    CAPTURE(programs[i].name);
    Result<ProgramRef> program = (*device)->createProgramOf(shaders);
    REQUIRE_MESSAGE(program, program.error().text);
    bound.push_back(std::move(*program));
    isWatching = true;
    Result<const Variant *> variant = binder.bind(bound.back(), defaultState(shaders));
    CHECK_MESSAGE(variant, variant.error().text);
  }
  (*device)->drain();
  isWatching = false;

  CHECK((*device)->statistics().optimizedVariants > 0);
  for (const void *caller : made)
    FAIL_CHECK(describe(caller));
}
