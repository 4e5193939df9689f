// SPDX-License-Identifier: MIT
//
// Belongings of the process that the library must not change: signal handlers, LLVM's options, the environment.
#include "tests/c_api/objects.h"
#include <array>
#include <clocale>
#include <csignal>
#include <cstdio>
#include <llvm/ADT/StringMap.h>
#include <llvm/Support/CommandLine.h>
#include <llvm/Support/raw_ostream.h>
#include <map>
#include <unistd.h>

using namespace dovetail::c_test;

extern char **environ;

namespace {

// All options of LLVM with their values, as LLVM prints them. The column of names is as wide as the longest.
std::string printLlvmOptions() {
  constexpr size_t Width = 200;
  FILE *file = tmpfile();
  REQUIRE(file);
  llvm::outs().flush();
  const int standardOutput = dup(STDOUT_FILENO);
  dup2(fileno(file), STDOUT_FILENO);
  std::map<std::string, llvm::cl::Option *> sorted;
  for (const auto &[name, option] : llvm::cl::getRegisteredOptions()) // a StringMap or, with LLVM 22, a DenseMap
    sorted[name.str()] = option;
  for (auto &[name, option] : sorted) {
    option->printOptionValue(Width, true);
    llvm::outs() << name << " occurs " << option->getNumOccurrences() << " times\n";
  }
  llvm::outs().flush();
  dup2(standardOutput, STDOUT_FILENO);
  close(standardOutput);
  std::string text(size_t(ftell(file)), '\0');
  rewind(file);
  REQUIRE(fread(text.data(), 1, text.size(), file) == text.size());
  fclose(file);
  return text;
}

std::array<void *, 65> signalHandlers() {
  std::array<void *, 65> handlers = {};
  for (int signal = 1; signal <= 64; ++signal) {
    struct sigaction action = {};
    if (sigaction(signal, nullptr, &action) == 0)
      handlers[signal] = reinterpret_cast<void *>(action.sa_handler);
  }
  return handlers;
}

std::string environment() {
  std::string text;
  for (char **variable = environ; *variable; ++variable)
    text += std::string(*variable) + "\n";
  return text;
}

void useEverything() {
  dovetail_device_options options = {};
  options.policy = DOVETAIL_POLICY_ALWAYS;
  for (const char *gpu : {"gfx900", "gfx803"}) {
    options.gpu = gpu;
    Device device(options);
    TexturedProgram program(device);
    Binder binder(device);
    const dovetail_variant *variant = binder.bind(program);
    size_t size = 0;
    CHECK_OK(dovetail_variant_disassemble(variant, nullptr, &size, message));
    CHECK_OK(dovetail_variant_write_elf(variant, nullptr, &size, message));
    CHECK_OK(dovetail_device_drain(device, message));
    CHECK(statisticsOf(device).background_finished > 0);
  }
}

} // namespace

TEST_CASE("C: nothing that belongs to the process is changed") {
  const std::string options = printLlvmOptions();
  REQUIRE(options.find("occurs 0 times") != std::string::npos);
  REQUIRE(options.find("amdgpu-") != std::string::npos);
  const std::array<void *, 65> handlers = signalHandlers();
  const std::string variables = environment(), locale = setlocale(LC_ALL, nullptr);
  const std::new_handler newHandler = std::get_new_handler();
  const std::terminate_handler terminateHandler = std::get_terminate();
  useEverything();
  CHECK(printLlvmOptions() == options);
  CHECK(signalHandlers() == handlers);
  CHECK(environment() == variables);
  CHECK(setlocale(LC_ALL, nullptr) == locale);
  CHECK((std::get_new_handler() == newHandler));
  CHECK((std::get_terminate() == terminateHandler));
}

TEST_CASE("the comparison of LLVM's options sees one that is set") {
  const std::string before = printLlvmOptions();
  llvm::cl::Option *option = llvm::cl::getRegisteredOptions().lookup("amdgpu-early-inline-all");
  REQUIRE(option);
  REQUIRE_FALSE(option->addOccurrence(0, "amdgpu-early-inline-all", "true"));
  CHECK(printLlvmOptions() != before);
  option->reset();
  CHECK(printLlvmOptions() == before);
}
