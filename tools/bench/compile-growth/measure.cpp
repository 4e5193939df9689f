// SPDX-License-Identifier: MIT
#include "tools/bench/compile-growth/measure.h"
#include "merge/check/check_image.h"
#include "src/base/compile_phases.h"
#include "tools/bench/instruction_counter.h"
#include "tools/common/command/open_device.h"
#include "tools/common/command/processor_time.h"
#include "tools/common/command/worker_pool.h"
#include "tools/common/inputs/earlier_stages.h"
#include "variants/state/default_state.h"
#include <fstream>
#include <malloc.h>
#include <nlohmann/json.hpp>

namespace dovetail {

namespace {

// A field of /proc/self/status in kilobytes: "VmHWM", "VmRSS".
double statusField(const std::string &name) {
  std::ifstream status("/proc/self/status");
  for (std::string word; status >> word;)
    if (word == name + ":") {
      double value = 0;
      status >> value;
      return value;
    }
  return 0;
}

// Resets the peak: VmHWM counts from now on.
void forgetPeak() {
  std::ofstream("/proc/self/clear_refs") << "5";
}

Result<VariantRef> compile(Device &device, ShaderBinary binary, CodeTier tier) {
  std::vector<ShaderRef> shaders;
  shaders.push_back(
      DOVETAIL_TRY(createShader({binary.name, std::move(binary.words), binary.entryPoint, binary.stage, {}})));
  DOVETAIL_CHECK(addEarlierStages(shaders));
  ShaderSet set = DOVETAIL_TRY(makeShaderSet(shaders));
  VariantRef variant = DOVETAIL_TRY(device.bind(set, defaultState(set), {.tier = tier}));
  DOVETAIL_CHECK(checkImage(*variant->image));
  return variant;
}

constexpr Family Trivial = {
    "warm-up", "", lgc::ShaderStage::Fragment, Family::Language::Glsl, {}, false, [](unsigned) {
      return std::string("#version 460\nlayout(location = 0) in vec4 a;\nlayout(location = 0) out vec4 color;\n"
                         "void main() { color = a * a; }\n");
    }};

// Runs in a process of its own.
Result<GrowthFigure> compileHere(const Family &family, unsigned size, const GrowthSubject &subject) {
  const InstructionCounter counter; // counts the device's threads, too
  std::unique_ptr<Device> device = DOVETAIL_TRY(openDevice(subject.gpu, {}));
  ShaderBinary binary = DOVETAIL_TRY(makeShader(family, size));
  DOVETAIL_TRY(compile(*device, DOVETAIL_TRY(makeShader(Trivial, 0)), subject.tier));
  const auto seconds = [&] { return toSeconds(subject.tier == CodeTier::Llvm ? userTime() : processorTime()); };

  const auto validatorSeconds = [] {
    constexpr double microseconds = 1e6;
    return compilePhaseTimes()[size_t(CompilePhase::Validate)] / microseconds;
  };

  // From here on, only the shader itself is new to the process.
  GrowthFigure figure;
  figure.words = binary.words.size();
  malloc_trim(0); // freed memory does not count as the compile's
  forgetPeak();
  const double bytesBefore = statusField("VmRSS");
  const double secondsBefore = seconds(), validatorBefore = validatorSeconds();
  const uint64_t instructionsBefore = counter.read();
  Result<VariantRef> variant = compile(*device, std::move(binary), subject.tier);
  figure.seconds = seconds() - secondsBefore;
  figure.validatorSeconds = validatorSeconds() - validatorBefore;
  figure.instructions = static_cast<double>(counter.read() - instructionsBefore);
  figure.megabytes = (statusField("VmHWM") - bytesBefore) / 1024;
  const FirstCodeCounts firstCode = device->statistics().firstCode;
  if (variant && firstCode.refused != 0) {
    figure.status = GrowthFigure::Status::LlvmMade;
    figure.reason = firstCode.reasons.begin()->first;
  } else if (variant) {
    figure.codeBytes = (*variant)->image->code.size();
  } else {
    figure.status = GrowthFigure::Status::Refused;
    figure.reason = variant.error().text;
  }
  return figure;
}

} // namespace

Result<GrowthFigure> measureGrowth(const Family &family, unsigned size, const GrowthSubject &subject,
                                   std::chrono::milliseconds timeout) {
  auto work = [&](size_t) -> std::string {
    const Result<GrowthFigure> figure = compileHere(family, size, subject);
    if (!figure)
      return nlohmann::json{{"error", figure.error().text}}.dump();
    return nlohmann::json{{"status", static_cast<int>(figure->status)},
                          {"reason", figure->reason},
                          {"seconds", figure->seconds},
                          {"validatorSeconds", figure->validatorSeconds},
                          {"instructions", figure->instructions},
                          {"megabytes", figure->megabytes},
                          {"words", figure->words},
                          {"codeBytes", figure->codeBytes}}
        .dump(-1, ' ', true, nlohmann::json::error_handler_t::replace);
  };
  Result<GrowthFigure> figure;
  const int signal = runInWorkers(1, {1, timeout}, work, [&](size_t, const WorkerReply &reply) {
    if (reply.status != WorkerReply::Status::Finished) {
      figure->status =
          reply.status == WorkerReply::Status::Crashed ? GrowthFigure::Status::Crashed : GrowthFigure::Status::TimedOut;
      figure->reason = reply.text;
      figure->seconds = std::chrono::duration<double>(timeout).count();
      return true;
    }
    const nlohmann::json reported = nlohmann::json::parse(reply.text, nullptr, false);
    if (reported.contains("error"))
      figure = makeError(ErrorCode::Internal, "{}, {} {}: {}", family.name, size, family.unit,
                         reported["error"].get<std::string>());
    else if (reported.is_object())
      *figure = {static_cast<GrowthFigure::Status>(reported["status"].get<int>()),
                 reported["reason"],
                 reported["seconds"],
                 reported["validatorSeconds"],
                 reported["instructions"],
                 reported["megabytes"],
                 reported["words"],
                 reported["codeBytes"]};
    return true;
  });
  if (signal != 0)
    return makeError(ErrorCode::Internal, "interrupted by signal {}", signal);
  return figure;
}

} // namespace dovetail
