// SPDX-License-Identifier: MIT
//
// A device tells about its compiles, and logs as much about itself as it is asked to.
#include "parts/kinds/main_part.h"
#include "tests/variants/background/background_device.h"
#include "variants/bind/device_core.h"
#include <algorithm>
#include <mutex>
#include <set>

using namespace dovetail;
using lgc::ShaderStage;

namespace {

// A copy of an event, without references.
struct Told {
  PartKind kind;
  CompilePurpose purpose;
  std::string shaders, error;
  Hash128 words;
  uint32_t instructions, spilledVgprs;
  double microseconds, cpuMicroseconds;
};

struct Listener {
  DeviceOptions options(DeviceOptions given = {}) {
    given.onCompile = [this](const CompileEvent &event) {
      std::lock_guard lock(mutex);
      told.push_back({event.key.kind, event.purpose, std::string(event.shaders), event.error ? event.error->text : "",
                      event.words, event.part ? event.part->instructionCount : 0,
                      event.part ? event.part->usage.spilledVgprs : 0, event.microseconds,
                      event.frontMicroseconds + event.optimizeMicroseconds + event.codegenMicroseconds});
      CHECK((event.part == nullptr) == (event.error != nullptr));
    };
    given.onLog = [this](LogLevel level, std::string_view text) {
      std::lock_guard lock(mutex);
      logged.emplace_back(level, text);
    };
    return given;
  }
  std::set<LogLevel> levels() const {
    std::set<LogLevel> found;
    for (const auto &[level, text] : logged)
      found.insert(level);
    return found;
  }

  std::mutex mutex;
  std::vector<Told> told;
  std::vector<std::pair<LogLevel, std::string>> logged;
};

// A shader with many sums that are alive at the same time, and with few VGPRs.
ShaderDescription spillingShader() {
  ShaderDescription description =
      compileGlsl(ShaderStage::Compute,
                  "layout(local_size_x = 64) in;"
                  "layout(set = 0, binding = 0) buffer Data { float data[]; };"
                  "void main() { uint lane = gl_GlobalInvocationID.x; float a[40];"
                  "  for (int i = 0; i < 40; ++i) a[i] = data[lane + uint(i * 64)];"
                  "  barrier(); memoryBarrierBuffer();"
                  "  for (int i = 0; i < 40; ++i) data[lane + uint(i * 128)] = a[i] * a[39 - i]; }")
          ->description;
  description.options.vgprLimit = 24;
  return description;
}

} // namespace

TEST_CASE("the first bind of a program tells of its main parts, a later one of nothing") {
  Listener listener;
  // First code would be changed over by the background, which tells of its compiles at any time.
  const auto device = createDevice(listener.options({.firstTier = CodeTier::Llvm}));
  const std::vector<ShaderRef> shaders = pairOfShaders();
  const ProgramRef program = makeProgram(*device, shaders);
  Binder binder(*device);
  bindNow(binder, program, pairState());
  REQUIRE(listener.told.size() == 2);
  std::ranges::sort(listener.told, {}, &Told::kind);
  CHECK((listener.told[0].kind == PartKind::VertexMain));
  CHECK((listener.told[1].kind == PartKind::FragmentMain));
  CHECK(listener.told[0].words == shaders[0]->wordsHash);
  for (const Told &each : listener.told) {
    CHECK((each.purpose == CompilePurpose::Caller));
    CHECK(each.shaders == "test shader");
    CHECK(each.error.empty());
    CHECK(each.instructions > 0);
    CHECK(each.microseconds > 0);
    CHECK(each.cpuMicroseconds > 0);
  }
  bindNow(binder, program, pairState(VK_FORMAT_R16G16B16A16_SFLOAT));
  CHECK(listener.told.size() == 2);
}

TEST_CASE("an event says whether the background or an optimised variant wanted the compile") {
  Listener listener;
  const auto device = createDevice(listener.options({.policy = OptimizationPolicy::Always}));
  const ShaderDescription description = pairOfShaders()[1]->description;
  const Result<ShaderRef> early = device->createShader(description, CompileTime::Background);
  REQUIRE(early);
  device->drain();
  REQUIRE(listener.told.size() == 1);
  CHECK((listener.told[0].purpose == CompilePurpose::Background));
  const ProgramRef program = makeProgram(*device, pairOfShaders(1));
  Binder binder(*device);
  bindNow(binder, program, pairState());
  device->drain();
  CHECK(std::ranges::any_of(listener.told, [](const Told &each) {
    return each.kind == PartKind::Monolithic && each.purpose == CompilePurpose::Optimized;
  }));
}

TEST_CASE("a bind that never compiles has the background compile") {
  Listener listener;
  const auto device = createDevice(listener.options());
  const ProgramRef program = makeProgram(*device, pairOfShaders());
  Binder binder(*device);
  CHECK_FALSE(binder.bind(program, pairState(), {}, {.neverCompiles = true}));
  device->drain();
  REQUIRE(listener.told.size() == 2);
  for (const Told &each : listener.told)
    CHECK((each.purpose == CompilePurpose::Background));
}

TEST_CASE("a compile that fails is told with its error") {
  Listener listener;
  const auto device = createDevice(listener.options());
  const ShaderRef shader = compileGlsl(
      ShaderStage::Compute, "layout(local_size_x = 64) in; layout(set = 0, binding = 0) buffer Data { uint data[]; };"
                            "void main() { data[0] = 1u; }");
  ShaderSource source;
  source.name = "bad words";
  source.words = shader->description.words;
  source.key.gpuName = "gfx900";
  source.key.stage = ShaderStage::Compute;
  source.key.hardwareStage = HardwareStage::Cs;
  CHECK_FALSE(device->partMaker().getMainPart(source)); // the key does not have the words' hash
  REQUIRE(listener.told.size() == 1);
  CHECK(listener.told[0].error.find("the SPIR-V is not the one that the key stands for") != std::string::npos);
  CHECK(listener.told[0].instructions == 0);
}

TEST_CASE("spills are counted, and a shader that has room for its values has none") {
  Listener listener;
  const auto device = createDevice(listener.options());
  ShaderDescription description = spillingShader();
  REQUIRE(device->createShader(description, CompileTime::Now));
  description.options.vgprLimit = 0;
  REQUIRE(device->createShader(description, CompileTime::Now));
  REQUIRE(listener.told.size() == 2);
  CHECK(listener.told[0].spilledVgprs > 0);
  CHECK(listener.told[1].spilledVgprs == 0);
}

TEST_CASE("unless more is asked for, nothing but warnings and errors is logged") {
  Listener listener;
  const auto device = createDevice(listener.options({.policy = OptimizationPolicy::Always}));
  Binder binder(*device);
  const ProgramRef program = makeProgram(*device, pairOfShaders());
  bindNow(binder, program, pairState());
  device->drain();
  CHECK(listener.logged.empty());
}

TEST_CASE("the log has the device and its optimised variants, and each compile, if they are asked for") {
  for (LogLevel wanted : {LogLevel::Info, LogLevel::Debug}) {
    Listener listener;
    const auto device = createDevice(listener.options({.policy = OptimizationPolicy::Always, .logLevel = wanted}));
    Binder binder(*device);
    const ProgramRef program = makeProgram(*device, pairOfShaders());
    bindNow(binder, program, pairState());
    device->drain();
    REQUIRE_FALSE(listener.logged.empty());
    CHECK(listener.logged[0].second.starts_with("a device for gfx900: Dovetail "));
    CHECK(std::ranges::any_of(listener.logged, [](const auto &line) {
      return line.second.find("optimised variant of test shader, test shader") != std::string::npos;
    }));
    const bool hasCompiles = std::ranges::any_of(listener.logged, [](const auto &line) {
      return line.second.starts_with("vertex main of test shader for a caller: ");
    });
    CHECK(hasCompiles == (wanted == LogLevel::Debug));
  }
}

TEST_CASE("a build in the background that leaves draws out is an error") {
  Listener listener;
  const auto device = createDevice(listener.options());
  PipelineState wrong = pairState()->fields;
  wrong.topology = VK_PRIMITIVE_TOPOLOGY_PATCH_LIST; // the program has no tessellation
  const ProgramRef program = makeProgram(*device, pairOfShaders());
  Binder binder(*device);
  CHECK_FALSE(binder.bind(program, makeState(wrong), {}, {.neverCompiles = true}));
  device->drain();
  CHECK((listener.levels() == std::set{LogLevel::Error}));
}

TEST_CASE("who wants warnings is told of errors, and who wants errors of no warnings") {
  CHECK(isTold(LogLevel::Error, LogLevel::Warning));
  CHECK(isTold(LogLevel::Warning, LogLevel::Warning));
  CHECK_FALSE(isTold(LogLevel::Info, LogLevel::Warning));
  CHECK_FALSE(isTold(LogLevel::Warning, LogLevel::Error));
  CHECK(isTold(LogLevel::Debug, LogLevel::Debug));
}
