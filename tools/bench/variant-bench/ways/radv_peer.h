// SPDX-License-Identifier: MIT
//
// RADV in a process of its own, which answers questions with numbers. RADV reads its environment only once, and some
// shaders end its process. Then another process is started, and only that question fails.
#pragma once

#include "src/base/error.h"
#include "tools/bench/variant-bench/measure/programs.h"
#include "tools/proof/radv/radv_pipelines.h"
#include <functional>

namespace dovetail {

enum class RadvQuestion : uint32_t {
  Hello,       // makes a device; answers nothing
  Renew,       // drops the device and all its objects; the next question gets a new device. Answers nothing
  Whole,       // a Pass; argument != 0: with the bytes of code
  Linked,      // like Whole
  NewVariants, // RadvWays::newVariants()
  Mains,       // RadvWays::wholePipeline(); argument: runs
  ColdPrologs, // argument: the number of prologs
  ColdEpilogs1,
  ColdEpilogs4,
  Costs, // five numbers for each hardware program: its stage, instructions, VGPRs, SGPRs, bytes
};

class RadvPeer {
public:
  // Starts the process. To be called before this process has any threads. The process keeps a copy of the programs as
  // they are now. `family`: Mesa's name; `cacheFolder`: as for selectRadv(). Errors: Io; Unsupported if RADV is not
  // installed.
  static Result<std::unique_ptr<RadvPeer>> start(RadvBackend backend, const std::string &family,
                                                 std::span<const BenchProgram> programs,
                                                 const BenchProgram &coldProgram, const std::string &cacheFolder = {});
  RadvPeer(const RadvPeer &) = delete;
  ~RadvPeer();

  // Errors: those of RadvWays; Io if its process ended, or did not answer in time.
  Result<std::vector<double>> ask(RadvQuestion question, size_t program = 0, uint32_t argument = 0);

private:
  RadvPeer(int process, int requests, int replies) : m_process(process), m_requests(requests), m_replies(replies) {}
  bool readReply(void *data, size_t size);

  int m_process, m_requests, m_replies;
  bool m_isLost = false;
};

} // namespace dovetail
