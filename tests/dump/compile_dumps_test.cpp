// SPDX-License-Identifier: MIT
//
// Files of builds that fail or take long. The tests check which builds leave a file, and that the command line sees the
// same build in it.
#include "tests/tools/run_tool.h"
#include "tests/variants/background/background_device.h"
#include "tools/common/command/write_file.h"
#include "tools/common/pipelines/captured_pipeline.h"
#include "variants/bind/device_core.h"
#include <algorithm>
#include <doctest/doctest.h>
#include <mutex>

using namespace dovetail;
using lgc::ShaderStage;

namespace {

// A device that writes dumps, with its warnings and its files.
struct DumpingDevice {
  explicit DumpingDevice(double slowMilliseconds = 0, DeviceOptions options = {},
                         const std::string &folderName = "dumps")
      : path(folder / folderName) {
    options.dumps.folder = path;
    options.dumps.slowMilliseconds = slowMilliseconds;
    options.onLog = [this](LogLevel level, std::string_view text) {
      std::lock_guard lock(mutex);
      CHECK(level == LogLevel::Warning);
      warnings.emplace_back(text);
    };
    device = createDevice(std::move(options));
  }

  std::vector<std::string> files() const {
    std::vector<std::string> found;
    std::error_code none;
    for (const auto &entry : std::filesystem::directory_iterator(path, none))
      found.push_back(entry.path().string());
    std::ranges::sort(found);
    return found;
  }
  std::string onlyFile() const {
    const std::vector<std::string> found = files();
    REQUIRE(found.size() == 1);
    return found[0];
  }

  TemporaryFolder folder;
  std::string path;
  std::mutex mutex;
  std::vector<std::string> warnings; // under the mutex
  std::unique_ptr<Device> device;
};

// The pair has no tessellation shaders.
PipelineState wrongState() {
  PipelineState state = pairState()->fields;
  state.topology = VK_PRIMITIVE_TOPOLOGY_PATCH_LIST;
  return state;
}

std::string errorOf(Device &device, const ProgramRef &program, const PipelineState &state) {
  Binder binder(device);
  Result<const Variant *> variant = binder.bind(program, makeState(state));
  return variant ? "no error" : variant.error().text;
}

// GLSL as SPIR-V, not made into a shader yet.
ShaderDescription descriptionOf(ShaderStage stage, const std::string &text) {
  return compileGlsl(stage, text)->description;
}

std::vector<uint8_t> codeOf(const Variant &variant) {
  return {variant.image->code.begin(), variant.image->code.end()};
}

} // namespace

TEST_CASE("a bind that fails leaves a file with which compile fails in the same way") {
  DumpingDevice dumping;
  const std::string error = errorOf(*dumping.device, makeProgram(*dumping.device, pairOfShaders()), wrongState());
  CHECK(error != "no error");
  const std::string file = dumping.onlyFile();
  CHECK(file.find("/failed-") != std::string::npos);
  CHECK(file.ends_with(".pipe"));
  REQUIRE(dumping.warnings.size() == 1);
  CHECK(dumping.warnings[0].find(error) != std::string::npos);
  CHECK(dumping.warnings[0].find(file) != std::string::npos);
  checkError(runTool("compile " + file), error);
}

TEST_CASE("a shader that is refused when it is made leaves a file, alone") {
  DumpingDevice dumping;
  ShaderDescription description = descriptionOf(ShaderStage::Compute, "layout(local_size_x = 64) in; void main() {}");
  description.options.subgroupSize = 32;
  const Result<ShaderRef> shader = dumping.device->createShader(description);
  REQUIRE_FALSE(shader);
  checkError(runTool("compile " + dumping.onlyFile()), "a subgroup size of 32; waves have 64 lanes");
}

TEST_CASE("a bind that is good leaves no file") {
  DumpingDevice dumping;
  const ProgramRef program = makeProgram(*dumping.device, pairOfShaders());
  CHECK(errorOf(*dumping.device, program, pairState()->fields) == "no error");
  CHECK(dumping.files().empty());
}

TEST_CASE("a bind that takes long leaves a file that comes to the same code") {
  for (const char *gpu : {"gfx803", "gfx900"}) {
    DumpingDevice dumping(0.001, {.gpuName = gpu, .firstTier = CodeTier::Llvm});
    const ProgramRef program = makeProgram(*dumping.device, pairOfShaders());
    PipelineState state = pairState(VK_FORMAT_R16G16B16A16_SFLOAT)->fields;
    state.colorTargets[0].blendEnable = true;
    state.colorTargets[0].dstColorBlendFactor = VK_BLEND_FACTOR_ONE_MINUS_SRC_ALPHA;
    state.alphaTestFunc = VK_COMPARE_OP_GREATER;
    Binder binder(*dumping.device);
    const VariantRef variant = bindNow(binder, program, makeState(state));

    const std::string file = dumping.onlyFile();
    CHECK(file.find("/slow-") != std::string::npos);
    const Result<PipelineInput> read = readPipeline(file);
    REQUIRE_MESSAGE(read, read.error().text);
    CHECK(read->gpuName == gpu);
    CHECK(read->ignored.empty());
    const Result<VariantRef> again = createDevice({.gpuName = gpu})->bind(read->shaders, read->state);
    REQUIRE_MESSAGE(again, again.error().text);
    CHECK(codeOf(**again) == codeOf(*variant));
    const Run run = runTool("compile --stats=json " + file);
    CHECK_MESSAGE(run.status == 0, run.errors);
    CHECK(run.output.find(std::string("\"gpu\": \"") + gpu + '"') != std::string::npos);
  }
}

TEST_CASE("whoever compiles dumps of another GPU is told so, for each of them") {
  DumpingDevice dumping(0.001, {.gpuName = "gfx803"});
  Binder binder(*dumping.device);
  bindNow(binder, makeProgram(*dumping.device, pairOfShaders()), pairState());
  const std::string note = dumping.onlyFile() + ": dumped for gfx803, and compiled for gfx900\n";
  for (const std::string &command :
       {std::string("inspect"), std::string("corpus"), "warm --store " + (dumping.folder / "store")}) {
    CAPTURE(command);
    CHECK(runTool(command + " --jobs 1 " + dumping.path).errors.find(note) != std::string::npos);
    CHECK(runTool(command + " --jobs 1 --gpu polaris10 " + dumping.path).errors.find("dumped for") ==
          std::string::npos);
  }
}

TEST_CASE("a shader that takes long when it is made leaves a file of its own") {
  DumpingDevice dumping(0.001);
  const ShaderDescription description =
      descriptionOf(ShaderStage::Compute, "layout(local_size_x = 64) in; layout(set = 0, binding = 0) buffer Data {"
                                          "uint data[]; }; void main() { data[gl_LocalInvocationIndex] += 1u; }");
  REQUIRE(dumping.device->createShader(description, CompileTime::Now));
  CHECK(runTool("compile " + dumping.onlyFile()).status == 0);
}

TEST_CASE("what the background compiles is dumped, too") {
  DumpingDevice dumping(0.001);
  const ShaderDescription description =
      descriptionOf(ShaderStage::Fragment, "layout(location = 0) out vec4 color; void main() { color = vec4(1); }");
  const Result<ShaderRef> shader = dumping.device->createShader(description, CompileTime::Background);
  REQUIRE(shader);
  dumping.device->drain();
  CHECK(runTool("compile " + dumping.onlyFile()).status == 0);
}

TEST_CASE("the same build is dumped once, another one beside it") {
  DumpingDevice dumping;
  const ProgramRef program = makeProgram(*dumping.device, pairOfShaders());
  for (int bind = 0; bind < 3; ++bind)
    errorOf(*dumping.device, program, wrongState());
  CHECK(dumping.files().size() == 1);
  CHECK(dumping.warnings.size() == 1);
  errorOf(*dumping.device, makeProgram(*dumping.device, pairOfShaders(1)), wrongState());
  CHECK(dumping.files().size() == 2);
}

TEST_CASE("when a device has written as many files as it may, it says so once") {
  DeviceOptions options;
  options.dumps.maxFiles = 2;
  DumpingDevice dumping(0, options);
  for (int number = 0; number < 4; ++number)
    errorOf(*dumping.device, makeProgram(*dumping.device, pairOfShaders(number)), wrongState());
  CHECK(dumping.files().size() == 2);
  REQUIRE(dumping.warnings.size() == 3);
  CHECK(dumping.warnings[2].find("not dumped any more") != std::string::npos);
}

TEST_CASE("a folder that cannot be written to is one warning, and binds are as without it") {
  DumpingDevice dumping(0, {}, "/proc/no/folder");
  const std::string expected =
      errorOf(*createDevice({}), makeProgram(*createDevice({}), pairOfShaders()), wrongState());
  for (int number = 0; number < 3; ++number)
    CHECK(errorOf(*dumping.device, makeProgram(*dumping.device, pairOfShaders(number)), wrongState()) == expected);
  REQUIRE(dumping.warnings.size() == 1);
  CHECK(dumping.warnings[0].starts_with("builds are not dumped: "));
}

TEST_CASE("no dump is left half-written under another name") {
  DumpingDevice dumping;
  errorOf(*dumping.device, makeProgram(*dumping.device, pairOfShaders()), wrongState());
  for (const std::string &file : dumping.files())
    CHECK(file.ends_with(".pipe"));
}
