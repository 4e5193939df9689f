// SPDX-License-Identifier: MIT
#include "tools/programs/layer/session/execution_log.h"
#include "tools/proof/scene/picture_png.h"
#include "tools/proof/scene/scene_file.h"
#include <filesystem>
#include <fmt/format.h>
#include <fstream>

namespace dovetail::layer {

namespace {

constexpr size_t ShownMisses = 8;

bool writeBytes(const std::filesystem::path &path, const std::vector<uint8_t> &bytes) {
  std::ofstream file(path, std::ios::binary);
  file.write(reinterpret_cast<const char *>(bytes.data()), std::streamsize(bytes.size()));
  file.close();
  return bool(file);
}

// Ours, the driver's, and the difference. Empty: there is nothing to see.
std::vector<uint8_t> pictureOf(const SceneResult *ours, const SceneResult &theirs) {
  Result<Raster> reference = showResult(theirs);
  Result<Raster> own = ours ? showResult(*ours) : reference;
  if (!reference || !own)
    return {};
  const Raster rasters[] = {*own, *reference, showDifference(*own, *reference)};
  Result<std::vector<uint8_t>> png = encodePng(placeSideBySide(rasters));
  return png ? *png : std::vector<uint8_t>();
}

} // namespace

void ExecutionLog::noteRefused(const std::string &pipeline, const std::string &reason) {
  std::scoped_lock lock(m_mutex);
  ++m_totals.all.refused[reason];
  ++m_totals.byPipeline[pipeline].refused[reason];
}

void ExecutionLog::noteNotChosen(const std::string &pipeline) {
  std::scoped_lock lock(m_mutex);
  ++m_totals.all.notChosen;
  ++m_totals.byPipeline[pipeline].notChosen;
}

void ExecutionLog::note(const std::string &pipeline, Outcome outcome) {
  constexpr uint64_t ExecutionCounts::*Counts[] = {&ExecutionCounts::matched, &ExecutionCounts::explained,
                                                   &ExecutionCounts::differed, &ExecutionCounts::trapped};
  std::scoped_lock lock(m_mutex);
  ++(m_totals.all.*Counts[size_t(outcome)]);
  ++(m_totals.byPipeline[pipeline].*Counts[size_t(outcome)]);
}

void ExecutionLog::noteWork(uint64_t waves, uint64_t instructions, double seconds) {
  std::scoped_lock lock(m_mutex);
  m_totals.waves += waves;
  m_totals.instructions += instructions;
  m_totals.seconds += seconds;
}

void ExecutionLog::noteMiss(const Scene &scene, const std::string &text, const SceneResult *ours,
                            const SceneResult &theirs) {
  Miss miss = {scene.name, text, "", ""};
  size_t number = 0;
  {
    std::scoped_lock lock(m_mutex);
    number = m_totals.misses.size();
    if (number >= MostMisses || m_missesOfPipelines[scene.name]++ >= MostMissesOfPipeline)
      return;
    m_totals.misses.push_back(miss);
  }
  if (m_folder.empty())
    return;
  const std::filesystem::path folder = std::filesystem::path(m_folder) / "misses";
  std::error_code error;
  std::filesystem::create_directories(folder, error);
  const std::string stem = fmt::format("{}-{}", m_name, number);
  if (writeBytes(folder / (stem + ".scene"), writeScene(scene)))
    miss.scene = "misses/" + stem + ".scene";
  const std::vector<uint8_t> png = pictureOf(ours, theirs);
  if (!png.empty() && writeBytes(folder / (stem + ".png"), png))
    miss.picture = "misses/" + stem + ".png";
  if (number < ShownMisses)
    miss.png = png;
  std::scoped_lock lock(m_mutex);
  m_totals.misses[number] = miss;
}

ExecutionTotals ExecutionLog::totals() const {
  std::scoped_lock lock(m_mutex);
  ExecutionTotals totals = m_totals;
  totals.isOn = true;
  return totals;
}

} // namespace dovetail::layer
