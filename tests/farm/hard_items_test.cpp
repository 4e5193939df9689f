// SPDX-License-Identifier: MIT
//
// Shaders that hang, crash the compiler or eat memory, among good ones: each costs its own item alone, is named in the
// status with its dump, and does not come back when workers and the server are started again.
#include "tests/farm/redis_server.h"
#include "tests/farm/store_contents.h"
#include "tools/common/command/processor_time.h"
#include <filesystem>
#include <nlohmann/json.hpp>

using namespace dovetail;
using namespace dovetail::test;

namespace {

const std::string Head = "#version 450\nlayout(local_size_x = 1) in;\nlayout(binding = 0) buffer B { float a[]; };\n"
                         "void main() { float x = a[0];\n";

// LLVM takes seconds and 100 MB for some thousand lines.
std::string largeShader(unsigned lines) {
  std::string text = Head;
  for (unsigned number = 0; number < lines; ++number)
    text += "x = sin(x * " + std::to_string(number) + ".5 + a[" + std::to_string(number) + "]);\n";
  return text + "a[0] = x; }\n";
}

// LLVM walks down nested loops by recursion, so a small stack does not hold them.
std::string deepShader() {
  std::string text = Head, ends;
  for (unsigned number = 0; number < 180; ++number) {
    const std::string i = "i" + std::to_string(number);
    text += "for (int " + i + " = 0; " + i + " < int(a[" + std::to_string(number) + "]); ++" + i + ") { x += a[" + i +
            "];\n";
    ends += "}";
  }
  return text + "a[0] = x;\n" + ends + "}\n";
}

class HardFarm {
public:
  static constexpr unsigned Good = 12;

  explicit HardFarm(const std::string &hard) {
    for (unsigned number = 0; number < Good; ++number)
      m_folder.write("good/" + std::to_string(number) + ".comp",
                     Head + "a[0] = x * " + std::to_string(number) + ".5; }\n");
    m_folder.write("hard/hard.comp", hard);
    CHECK(runTool("farm submit " + (m_folder / "good") + " " + (m_folder / "hard") + queue()).status == 0);
  }

  Run work(const std::string &options, const std::string &before = "") const {
    return runTool("farm work --jobs 1 --until-empty --store " + (m_folder / "store") + queue() + " " + options,
                   before);
  }

  // What is true once the workers have ended.
  void check(const std::string &reason) {
    const nlohmann::json status = nlohmann::json::parse(runTool("farm status --json" + queue()).output)[0];
    CHECK(status["done"] == Good);
    CHECK(status["waiting"] == 0);
    CHECK(status["failures"] == 3);
    REQUIRE(status["dead"] == 1);
    CHECK(status["deadItems"][0]["name"] == m_folder / "hard/hard.comp" + " (gfx900)");
    const std::string error = status["deadItems"][0]["error"];
    CHECK_MESSAGE(error.find(reason) == 0, error);
    CHECK(runTool("farm status" + queue()).output.find("dead: " + (m_folder / "hard/hard.comp")) != std::string::npos);
    CHECK(runTool("warm --jobs 1 --store " + (m_folder / "warm") + " " + (m_folder / "good")).status == 0);
    checkSameContents(m_folder / "store", m_folder / "warm");

    // It does not come back when the server and a worker are started again, nor when it is submitted again.
    m_server.end(SIGKILL);
    m_server.start();
    CHECK(runTool("farm submit " + (m_folder / "hard") + queue()).output.find("0 items submitted, 1 known") !=
          std::string::npos);
    CHECK(work("").output == "0 items: 0 parts made, 0 known, 0 failed\n");

    // Its dump compiles elsewhere, and so it does here, if somebody wants it.
    CHECK(runTool("farm status --dumps " + (m_folder / "dumps") + queue()).status == 0);
    const std::filesystem::path dump = std::filesystem::directory_iterator(m_folder / "dumps")->path();
    CHECK(runTool("compile " + dump.string()).status == 0);
    CHECK(runTool("farm retry" + queue()).output == "1 items wait again\n");
    CHECK(work("").output == "1 items: 1 parts made, 0 known, 0 failed\n");
  }

private:
  std::string queue() const { return " --queue " + m_server.url(); }

  RedisServer m_server{{"--appendfsync", "always"}};
  TemporaryFolder m_folder;
};

} // namespace

TEST_CASE("a shader that hangs costs its item alone") {
  HardFarm farm(largeShader(30000));
  const auto before = processorTimeOfChildren();
  CHECK(farm.work("--timeout 2").status == 1);
  // Each of the three attempts costs the timeout once; twice would be more than 12 s.
  CHECK(toSeconds(processorTimeOfChildren() - before) < 10);
  farm.check("took too long");
}

TEST_CASE("an item whose parts neither the store nor the server takes stays on the queue") {
  RedisServer server({"--maxmemory", "3mb"});
  TemporaryFolder folder;
  folder.write("large/large.comp", largeShader(4000)); // a store of 1 MB takes no part of 64 KB
  const std::string queue = " --queue " + server.url();
  CHECK(runTool("farm submit " + (folder / "large") + queue).status == 0);
  server.ask("config set maxmemory 100kb");
  const std::string work = "farm work --jobs 1 --until-empty --silence 1 --store " + (folder / "store") + queue;
  const Run refused = runTool(work + " --max-bytes 1M");
  CHECK(refused.status == 1);
  CHECK_MESSAGE(refused.errors.find("neither the server nor the part store") != std::string::npos, refused.errors);
  nlohmann::json status = nlohmann::json::parse(runTool("farm status --json" + queue).output)[0];
  CHECK(status["done"] == 0);
  CHECK(status["inWork"] == 1);
  CHECK(status["failures"] == 0);
  CHECK(runTool(work).output == "1 items: 1 parts made, 0 known, 0 failed\n");
  status = nlohmann::json::parse(runTool("farm status --json" + queue).output)[0];
  CHECK(status["done"] == 1);
}

#ifndef __SANITIZE_ADDRESS__ // whose memory and stack would count
TEST_CASE("a shader that eats memory costs its item alone") {
  HardFarm farm(largeShader(8000));
  CHECK(farm.work("--memory 60M").status == 1);
  farm.check("needed more than 60 MiB");
}

TEST_CASE("a shader that crashes the compiler costs its item alone") {
  HardFarm farm(deepShader());
  CHECK(farm.work("", "ulimit -s 96;").status == 1);
  farm.check("crashed: Segmentation fault");
}
#endif
