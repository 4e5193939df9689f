// SPDX-License-Identifier: MIT
//
// headless-app SCENARIO: does with Vulkan what the scenario's name says, and prints hashes of the results. The tests
// run it with and without the layer.
#include "tests/layer/headless_app.h"
#include <csignal>
#include <cstdio>
#include <cstring>
#include <map>
#include <string>
#include <thread>
#include <unistd.h>

namespace dovetail::headless {

namespace {

constexpr VkPipelineBindPoint Graphics = VK_PIPELINE_BIND_POINT_GRAPHICS;

void print(uint64_t hash) {
  std::printf("%016llx\n", static_cast<unsigned long long>(hash));
}

// Two pipelines, nothing of which is dynamic: 5 draws.
void drawStatic(App &app) {
  VkPipeline opaque = app.makePipeline({}), blended = app.makePipeline({.blends = true, .brightness = 0.5f});
  VkCommandBuffer commands = app.begin();
  app.beginRendering(commands);
  vkCmdBindPipeline(commands, Graphics, opaque);
  app.drawQuad(commands, 0, 0, 0.9f);
  app.drawQuad(commands, 0.25f, 0, 0.5f);
  vkCmdBindPipeline(commands, Graphics, blended);
  app.drawQuad(commands, 0, 0.25f, 0.5f);
  vkCmdBindPipeline(commands, Graphics, opaque);
  app.drawQuad(commands, -0.25f, 0, 0.3f);
  vkCmdBindPipeline(commands, Graphics, blended);
  app.drawQuad(commands, 0, -0.25f, 0.3f);
  print(app.finishRendering(commands));
}

// One pipeline in which all state is dynamic that may be: 4 draws in 3 states.
void drawDynamic(App &app) {
  PipelineChoice choice;
  choice.dynamic = {VK_DYNAMIC_STATE_PRIMITIVE_TOPOLOGY,     VK_DYNAMIC_STATE_VERTEX_INPUT_EXT,
                    VK_DYNAMIC_STATE_COLOR_BLEND_ENABLE_EXT, VK_DYNAMIC_STATE_COLOR_BLEND_EQUATION_EXT,
                    VK_DYNAMIC_STATE_COLOR_WRITE_MASK_EXT,   VK_DYNAMIC_STATE_RASTERIZATION_SAMPLES_EXT};
  VkPipeline pipeline = app.makePipeline(choice);
  VkCommandBuffer commands = app.begin();
  app.beginRendering(commands);
  vkCmdBindPipeline(commands, Graphics, pipeline);
  app.setVertexInput(commands);
  vkCmdSetPrimitiveTopology(commands, VK_PRIMITIVE_TOPOLOGY_TRIANGLE_STRIP);
  app.function<PFN_vkCmdSetRasterizationSamplesEXT>("vkCmdSetRasterizationSamplesEXT")(commands, VK_SAMPLE_COUNT_1_BIT);
  const auto setEnable = app.function<PFN_vkCmdSetColorBlendEnableEXT>("vkCmdSetColorBlendEnableEXT");
  const auto setEquation = app.function<PFN_vkCmdSetColorBlendEquationEXT>("vkCmdSetColorBlendEquationEXT");
  const auto setMask = app.function<PFN_vkCmdSetColorWriteMaskEXT>("vkCmdSetColorWriteMaskEXT");
  const VkBool32 off = VK_FALSE, on = VK_TRUE;
  const VkColorBlendEquationEXT equation = {VK_BLEND_FACTOR_SRC_ALPHA, VK_BLEND_FACTOR_ONE_MINUS_SRC_ALPHA,
                                            VK_BLEND_OP_ADD,           VK_BLEND_FACTOR_ONE,
                                            VK_BLEND_FACTOR_ZERO,      VK_BLEND_OP_ADD};
  const VkColorComponentFlags all = 0xf, redOnly = 1;
  setEnable(commands, 0, 1, &off);
  setEquation(commands, 0, 1, &equation);
  setMask(commands, 0, 1, &all);
  app.drawQuad(commands, 0, 0, 0.9f);
  setEnable(commands, 0, 1, &on);
  app.drawQuad(commands, 0.2f, 0, 0.5f);
  setMask(commands, 0, 1, &redOnly);
  app.drawQuad(commands, 0, 0.2f, 0.5f);
  setMask(commands, 0, 1, &all); // as it was in the second draw
  app.drawQuad(commands, -0.2f, 0, 0.3f);
  print(app.finishRendering(commands));
}

// A pipeline of four libraries: 1 draw.
void drawLibraries(App &app) {
  VkPipeline pipeline = app.linkPipeline({.blends = true});
  VkCommandBuffer commands = app.begin();
  app.beginRendering(commands);
  vkCmdBindPipeline(commands, Graphics, pipeline);
  app.drawQuad(commands, 0, 0, 0.9f);
  print(app.finishRendering(commands));
}

// 1 dispatch.
void compute(App &app) {
  print(app.finishCompute(app.begin(), app.makeComputePipeline()));
}

// Draws as "static" does, and reads the picture through an immutable sampler: 5 draws and 1 dispatch.
void drawAndSample(App &app) {
  drawStatic(app);
  print(app.finishSampling(app.begin()));
}

// 5 commands with 6 draws, twice.
void drawByCommands(App &app) {
  for (uint64_t number : app.finishCommands(app.makePipeline({})))
    print(number);
}

// A shader that writes floats to a target of integers, with which a driver may do anything: 2 draws.
void drawRefused(App &app) {
  VkPipeline pipeline = app.makePipeline({.target = VK_FORMAT_R32G32B32A32_UINT});
  VkCommandBuffer commands = app.begin();
  app.beginRendering(commands, VK_FORMAT_R32G32B32A32_UINT);
  vkCmdBindPipeline(commands, Graphics, pipeline);
  app.drawQuad(commands, 0, 0, 0.9f);
  app.drawQuad(commands, 0, 0, 0.5f);
  print(app.finishRendering(commands));
}

// Each of 4 threads makes a pipeline of its own and records 1,000 draws: 4,000 draws.
void drawOnThreads(App &app) {
  std::array<VkCommandBuffer, 4> commands;
  std::array<VkPipeline, 4> pipelines;
  for (size_t index = 0; index < commands.size(); ++index) {
    commands[index] = app.begin();
    pipelines[index] = app.makePipeline({.blends = index % 2 == 1, .brightness = 1.0f / float(index + 1)});
  }
  std::vector<std::jthread> threads;
  for (size_t index = 0; index < commands.size(); ++index)
    threads.emplace_back([&, index] {
      app.beginRendering(commands[index]);
      for (int draw = 0; draw < 1000; ++draw) {
        vkCmdBindPipeline(commands[index], Graphics, pipelines[index]);
        app.drawQuad(commands[index], float(draw % 10) / 10, 0, 0.2f);
      }
    });
  threads.clear();
  for (VkCommandBuffer buffer : commands)
    print(app.finishRendering(buffer));
}

// 40 submissions of a quad. The 30th draws another one, with a pipeline of its own that was made before the first: 41
// draws.
void drawWithStutter(App &app) {
  VkPipeline often = app.makePipeline({}), rare = app.makePipeline({.blends = true, .brightness = 0.25f});
  app.name(VK_OBJECT_TYPE_PIPELINE, reinterpret_cast<uint64_t>(rare), "explosion");
  std::this_thread::sleep_for(std::chrono::milliseconds(200));
  for (int number = 1; number <= 40; ++number) {
    VkCommandBuffer commands = app.begin();
    app.beginRendering(commands);
    vkCmdBindPipeline(commands, Graphics, often);
    app.drawQuad(commands, 0, 0, 0.9f);
    if (number == 30) {
      vkCmdBindPipeline(commands, Graphics, rare);
      app.drawQuad(commands, 0.25f, 0, 0.5f);
    }
    print(app.finishRendering(commands));
  }
}

// Prints features and results.
void indexImages(App &app) {
  const auto [sampled, storage] = app.imageIndexing();
  const auto [module, pipeline] = app.tryImageIndexing();
  std::printf("sampled %u, storage %u, module %d, pipeline %d\n", sampled, storage, module, pipeline);
}

// As "static". Then it waits to be killed.
void drawAndWait(App &app) {
  drawStatic(app);
  std::fflush(stdout);
  std::this_thread::sleep_for(std::chrono::seconds(60));
}

// As "static". Then it asks for the report if the signal has a handler, and ends without another report.
void drawAndSignal(App &app) {
  drawStatic(app);
  std::fflush(stdout);
  struct sigaction there = {};
  if (sigaction(SIGUSR1, nullptr, &there) == 0 && there.sa_handler != SIG_DFL)
    raise(SIGUSR1);
  std::this_thread::sleep_for(std::chrono::seconds(1));
  _exit(0);
}

// As "static". Then a signal tells it to end.
void drawAndTerminate(App &app) {
  drawStatic(app);
  std::fflush(stdout);
  raise(SIGTERM);
  std::this_thread::sleep_for(std::chrono::seconds(10)); // the layer reports, then the signal ends it
}

// As "static", and exits with everything alive.
void drawAndExit(App &app) {
  drawStatic(app);
  std::fflush(stdout);
  std::exit(0);
}

const std::map<std::string, void (*)(App &)> Scenarios = {
    {"static", drawStatic},       {"dynamic", drawDynamic},
    {"libraries", drawLibraries}, {"compute", compute},
    {"refused", drawRefused},     {"threads", drawOnThreads},
    {"signal", drawAndSignal},    {"exit", drawAndExit},
    {"sampled", drawAndSample},   {"terminated", drawAndTerminate},
    {"stutter", drawWithStutter}, {"waiting", drawAndWait},
    {"indexing", indexImages},    {"commands", drawByCommands},
};

} // namespace

} // namespace dovetail::headless

int main(int argc, char **argv) {
  using namespace dovetail::headless;
  const auto scenario = argc == 2 ? Scenarios.find(argv[1]) : Scenarios.end();
  if (scenario == Scenarios.end()) {
    std::fprintf(stderr, "usage: headless-app SCENARIO\n");
    return 2;
  }
  App app;
  scenario->second(app);
  return 0;
}
