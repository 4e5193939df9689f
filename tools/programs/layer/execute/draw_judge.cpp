// SPDX-License-Identifier: MIT
#include "tools/programs/layer/execute/draw_judge.h"
#include "tools/proof/emulator/driver/emulate.h"
#include "tools/proof/scene/compare.h"
#include <algorithm>
#include <chrono>
#include <csignal>
#include <optional>

namespace dovetail::layer {

namespace {

constexpr size_t MostWaitingBytes = size_t(256) << 20;
constexpr uint64_t FirstVariations = 4, MostVariations = 16;

size_t bytesOf(const Scene &scene) {
  size_t bytes = 0;
  for (const auto &buffer : scene.buffers)
    bytes += buffer.size();
  for (const SceneImage &image : scene.images)
    bytes += image.bytes.size();
  for (const SceneVertexBuffer &buffer : scene.vertexBuffers)
    bytes += buffer.bytes.size();
  for (const auto &color : scene.initialColors)
    bytes += 2 * color.size(); // before and after the draw
  return bytes + 2 * (scene.initialDepth.size() + scene.initialStencil.size()) + scene.indices.size() * 4;
}

// Changes one byte of the first thing that the result has.
void damage(SceneResult &result) {
  constexpr uint8_t Fault = 0x55;
  for (ScenePicture &color : result.colors)
    if (!color.bytes.empty()) {
      color.bytes[color.bytes.size() / 2] ^= Fault;
      return;
    }
  for (auto &buffer : result.buffers)
    if (!buffer.empty()) {
      buffer[buffer.size() / 2] ^= Fault;
      return;
    }
}

class Judge {
public:
  Judge(const DrawJob &job, ExecutionLog &log) : m_job(job), m_log(log) {}

  void run() {
    const std::string &pipeline = m_job.scene.name;
    Result<SceneResult> ours = draw({});
    if (!ours && ours.error().code != ErrorCode::CheckFailed)
      return m_log.noteRefused(pipeline, ours.error().text);
    if (!ours) {
      m_log.note(pipeline, Outcome::Trapped);
      return m_log.noteMiss(m_job.scene, ours.error().text, nullptr, m_job.theirs);
    }
    Tolerance tolerance;
    tolerance.buffersHoldDoubles = m_job.variant->uses.hasDoubles;
    tolerance.buffersHoldHalves = m_job.variant->uses.hasHalves;
    Comparison comparison = compare(m_job.scene, *ours, m_job.theirs, tolerance);
    Outcome outcome = Outcome::Matched;
    for (uint64_t count = FirstVariations; count <= MostVariations && !comparison.matches; count *= 2) {
      outcome = Outcome::Explained;
      addVariations(count);
      comparison =
          compare(m_job.scene, *ours, m_job.theirs, tolerance,
                  {.noise = m_noise, .undefined = m_undefined, .definite = {}, .perturbed = {}, .noiseOf = {}});
      if (!isNear(comparison))
        break;
    }
    m_log.note(pipeline, comparison.matches ? outcome : Outcome::Differed);
    if (!comparison.matches)
      m_log.noteMiss(m_job.scene, comparison.text, &*ours, m_job.theirs);
  }

private:
  Result<SceneResult> draw(const emulator::Variation &variation) {
    EmulationStatistics statistics;
    const auto start = std::chrono::steady_clock::now();
    Result<SceneResult> result =
        emulate(m_job.scene, m_job.variant->layout, m_job.variant->image.image, &statistics, variation);
    if (result && m_job.isDamaged)
      damage(*result);
    m_log.noteWork(statistics.waves, statistics.instructions,
                   std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count());
    m_hasUndefined |= std::ranges::any_of(statistics.undefinedEvents, [](uint64_t times) { return times > 0; });
    return result;
  }

  void addVariations(uint64_t count) {
    for (uint64_t seed = m_noise.size() + 1; seed <= count; ++seed)
      if (Result<SceneResult> result = draw({.roundingNoise = seed}))
        m_noise.push_back(std::move(*result));
    for (uint64_t seed = m_undefined.size() + 1; m_hasUndefined && seed <= count; ++seed)
      if (Result<SceneResult> result = draw({.undefinedChoices = seed}))
        m_undefined.push_back(std::move(*result));
  }

  // Whether so few components are outside that more variations may explain them.
  static bool isNear(const Comparison &comparison) {
    constexpr size_t Share = 20;
    return std::ranges::all_of(comparison.channels, [](const ChannelDifference &channel) {
      return channel.outside * Share <= channel.texels;
    });
  }

  const DrawJob &m_job;
  ExecutionLog &m_log;
  std::vector<SceneResult> m_noise, m_undefined;
  bool m_hasUndefined = false;
};

} // namespace

DrawJudges::DrawJudges(ExecutionLog &log, uint32_t threads) : m_log(log) {
  // The threads block all signals, because they are for the application's threads.
  sigset_t all, before;
  sigfillset(&all);
  pthread_sigmask(SIG_SETMASK, &all, &before);
  for (uint32_t index = 0; index < std::max(threads, 1u); ++index)
    m_threads.emplace_back([this] { work(); });
  pthread_sigmask(SIG_SETMASK, &before, nullptr);
}

DrawJudges::~DrawJudges() {
  {
    std::scoped_lock lock(m_mutex);
    m_isEnding = true;
  }
  m_changed.notify_all();
  for (std::thread &thread : m_threads)
    thread.join();
}

void DrawJudges::add(DrawJob job) {
  const size_t bytes = bytesOf(job.scene);
  std::unique_lock lock(m_mutex);
  m_changed.wait(lock, [&] { return m_waiting.empty() || m_waitingBytes + bytes <= MostWaitingBytes; });
  m_waiting.push_back(std::move(job));
  m_waitingBytes += bytes;
  m_changed.notify_all();
}

void DrawJudges::drain() {
  std::unique_lock lock(m_mutex);
  m_changed.wait(lock, [&] { return m_waiting.empty() && m_running == 0; });
}

void DrawJudges::work() {
  std::unique_lock lock(m_mutex);
  for (;;) {
    m_changed.wait(lock, [&] { return !m_waiting.empty() || m_isEnding; });
    if (m_waiting.empty())
      return;
    const DrawJob job = std::move(m_waiting.front());
    m_waiting.pop_front();
    m_waitingBytes -= bytesOf(job.scene);
    ++m_running;
    lock.unlock();
    m_changed.notify_all();
    try {
      Judge(job, m_log).run();
    } catch (const std::exception &exception) {
      m_log.noteRefused(job.scene.name, exception.what());
    }
    lock.lock();
    --m_running;
    m_changed.notify_all();
  }
}

} // namespace dovetail::layer
