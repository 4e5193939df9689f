// SPDX-License-Identifier: MIT
#include "tests/tools/run_command.h"
#include "tests/tools/temporary_folder.h"
#include "tools/common/command/write_file.h"
#include <algorithm>
#include <array>
#include <cstdio>
#include <doctest/doctest.h>
#include <filesystem>
#include <sys/wait.h>

namespace dovetail {

Run runCommand(const std::string &executable, const std::string &arguments, const std::string &before) {
  TemporaryFolder folder;
  std::string errorFile = folder / "stderr";
  FILE *pipe = popen((before + "'" + executable + "' " + arguments + " 2>'" + errorFile + "'").c_str(), "r");
  REQUIRE(pipe);
  Run run;
  run.tool = std::filesystem::path(executable).filename();
  std::array<char, 4096> buffer;
  while (size_t length = fread(buffer.data(), 1, buffer.size(), pipe))
    run.output.append(buffer.data(), length);
  int status = pclose(pipe);
  run.status = WIFEXITED(status) ? WEXITSTATUS(status) : -1;
  run.errors = readWholeFile(errorFile).value_or("");
  return run;
}

void checkError(const Run &run, const std::string &text) {
  CAPTURE(run.errors);
  CHECK(run.status == 1);
  CHECK(run.output.empty());
  CHECK(std::ranges::count(run.errors, '\n') == 1);
  CHECK(run.errors.starts_with(run.tool + ": "));
  CHECK(run.errors.find(text) != std::string::npos);
}

} // namespace dovetail
