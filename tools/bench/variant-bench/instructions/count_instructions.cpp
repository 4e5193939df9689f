// SPDX-License-Identifier: MIT
#include "tools/bench/variant-bench/instructions/count_instructions.h"
#include "src/abi/get_target.h"
#include "tools/bench/variant-bench/measure/bench_folder.h"
#include "tools/common/command/write_file.h"
#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <fcntl.h>
#include <optional>
#include <spawn.h>
#include <sys/personality.h>
#include <sys/wait.h>

namespace dovetail {

namespace {

std::vector<std::string> linesOf(const std::string &text) {
  std::vector<std::string> lines;
  for (size_t begin = 0; begin < text.size();) {
    const size_t end = std::min(text.find('\n', begin), text.size());
    if (end > begin)
      lines.push_back(text.substr(begin, end - begin));
    begin = end + 1;
  }
  return lines;
}

Result<ProgramList> readPrograms(const std::vector<std::string> &paths) {
  constexpr GridSize OneState = {1, 1, 1};
  if (!paths.empty())
    return readBenchPrograms(paths, OneState);
  return readOwnPrograms(OneState).map([](auto &&programs) { return ProgramList{std::move(programs), {}}; });
}

// The environment without what changes the costs of allocations: meson sets MALLOC_PERTURB_ for each test.
std::vector<char *> countingEnvironment() {
  std::vector<char *> variables;
  for (char **variable = environ; *variable; ++variable) {
    const std::string_view text = *variable;
    if (!text.starts_with("MALLOC_") && !text.starts_with("GLIBC_TUNABLES=") && !text.starts_with("LD_PRELOAD="))
      variables.push_back(*variable);
  }
  variables.push_back(nullptr);
  return variables;
}

// This tool as a process that counts one side. Its files are in a folder of their own.
class SideProcess {
public:
  SideProcess(CountedSide side, std::filesystem::path folder) : m_side(side), m_folder(std::move(folder)) {}
  SideProcess(const SideProcess &) = delete;
  ~SideProcess() {
    if (m_pid > 0)
      kill(m_pid, SIGKILL); // its copies end with it
    wait();
  }

  // Errors: Io.
  Result<void> start(const InstructionOptions &options, std::span<const CountedProgram> programs) {
    std::filesystem::create_directories(m_folder / "marks");
    std::vector<std::string> command = commandOf(options, programs);
    std::vector<char *> arguments;
    for (std::string &argument : command)
      arguments.push_back(argument.data());
    arguments.push_back(nullptr);
    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    for (const int descriptor : {1, 2})
      posix_spawn_file_actions_addopen(&actions, descriptor, outputOf(descriptor).c_str(),
                                       O_WRONLY | O_CREAT | O_APPEND, 0600);
    const std::vector<char *> environment = countingEnvironment();
    const int failure = posix_spawnp(&m_pid, arguments[0], &actions, nullptr, arguments.data(), environment.data());
    posix_spawn_file_actions_destroy(&actions);
    if (failure == 0)
      return {};
    m_pid = 0;
    return makeError(ErrorCode::Io, "cannot run {}: {}", command[0], std::strerror(failure));
  }

  // Adds the marks to the programs. Returns the lines that the process has printed, one for each program that failed.
  // Errors: those of the process.
  Result<std::vector<std::string>> finish(std::span<ProgramCounts> programs) {
    if (const int status = wait(); status != 0)
      return makeError(ErrorCode::Unsupported, "{}", DOVETAIL_TRY(reasonOf(status)));
    for (const auto &entry : std::filesystem::directory_iterator(m_folder / "marks")) {
      const std::string dumps = DOVETAIL_TRY(readWholeFile(entry.path().string()));
      const std::vector<Mark> marks = DOVETAIL_TRY(readMarks(dumps));
      DOVETAIL_CHECK(addMarks(programs, marks));
    }
    return linesOf(DOVETAIL_TRY(readWholeFile(outputOf(1).string())));
  }

private:
  std::filesystem::path outputOf(int descriptor) const { return m_folder / fmt::format("output.{}", descriptor); }

  std::vector<std::string> commandOf(const InstructionOptions &options,
                                     std::span<const CountedProgram> programs) const {
    std::vector<std::string> command;
    if (options.counter == CounterKind::Callgrind)
      command = {"valgrind",         "--quiet",
                 "--tool=callgrind", "--combine-dumps=yes",
                 "--dump-line=no",   "--callgrind-out-file=" + (m_folder / "marks" / "%p").string()};
    command.insert(command.end(), {std::filesystem::read_symlink("/proc/self/exe").string(), CountSideOption,
                                   std::string(toString(m_side)), MarksFolderOption, (m_folder / "marks").string(),
                                   "--count-with", std::string(toString(options.counter)), "--gpu", options.gpu, "--"});
    for (const CountedProgram &program : programs)
      command.push_back(toArgument(program));
    return command;
  }

  // Waits for the process, and returns its status as waitpid(2) does.
  int wait() {
    if (m_pid <= 0)
      return m_status;
    while (waitpid(m_pid, &m_status, 0) < 0 && errno == EINTR)
      ;
    m_pid = 0;
    return m_status;
  }

  Result<std::string> reasonOf(int status) const {
    const std::vector<std::string> lines = linesOf(DOVETAIL_TRY(readWholeFile(outputOf(2).string())));
    if (lines.empty())
      return fmt::format("the process that counts ended with status {}", status);
    const std::string_view reason = lines.back(), head = "variant-bench: ";
    return std::string(reason.substr(reason.starts_with(head) ? head.size() : 0));
  }

  const CountedSide m_side;
  const std::filesystem::path m_folder;
  pid_t m_pid = 0;
  int m_status = 0;
};

} // namespace

Result<InstructionResults> countInstructions(const InstructionOptions &options) {
  DOVETAIL_CHECK(checkCounter(options.counter));
  DOVETAIL_TRY(getTarget(options.gpu));
  InstructionResults results;
  const ProgramList list = DOVETAIL_TRY(readPrograms(options.paths));
  for (const std::string &refused : list.refused)
    results.failures.push_back("refused: " + refused);
  std::vector<CountedProgram> programs;
  for (const BenchProgram &program : list.programs) {
    results.programs.push_back({.program = program.name});
    programs.push_back({program.name, program.files});
  }
  // Places of objects in memory decide about collisions in tables of pointers.
  personality(personality(0xffffffff) | ADDR_NO_RANDOMIZE);

  const BenchFolder folder;
  SideProcess own(CountedSide::Own, folder.path / "own"), first(CountedSide::First, folder.path / "first"),
      aco(CountedSide::Aco, folder.path / "aco");
  DOVETAIL_CHECK(own.start(options, programs));
  DOVETAIL_CHECK(first.start(options, programs));
  if (options.radv)
    DOVETAIL_CHECK(aco.start(options, programs));
  std::vector<std::string> failed = DOVETAIL_TRY(own.finish(results.programs));
  const std::vector<std::string> failedFirst = DOVETAIL_TRY(first.finish(results.programs));
  failed.insert(failed.end(), failedFirst.begin(), failedFirst.end());
  results.failures.insert(results.failures.end(), failed.begin(), failed.end());
  if (!options.radv) {
    results.noRadv = "it was left out";
  } else if (Result<std::vector<std::string>> failures = aco.finish(results.programs)) {
    for (const std::string &failure : *failures)
      results.failures.push_back("RADV, " + failure);
  } else {
    results.noRadv = failures.error().text;
  }
  for (const std::string &failure : failed)
    std::erase_if(results.programs,
                  [&](const ProgramCounts &counts) { return failure.starts_with(counts.program + ":"); });
  return results;
}

} // namespace dovetail
