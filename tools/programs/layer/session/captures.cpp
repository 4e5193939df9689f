// SPDX-License-Identifier: MIT
#include "tools/programs/layer/session/captures.h"

namespace dovetail::layer {

std::unique_ptr<Captures> Captures::open(const std::string &path, std::string &reason) {
  Result<std::unique_ptr<fossilize::Capture>> writer = fossilize::Capture::create(path);
  if (writer)
    return std::unique_ptr<Captures>(new Captures(std::move(*writer)));
  reason = writer.error().text;
  return nullptr;
}

std::string Captures::add(const Pipeline &pipeline, const StateFields *fields, const dovetail_variant *variant) {
  fossilize::CapturedPipeline captured;
  for (const StageSource &source : pipeline.stages) {
    fossilize::CapturedStage &stage = captured.stages.emplace_back();
    stage.stage = source.stage;
    stage.words = source.module->words;
    stage.entryPoint = source.entryPoint;
    for (const dovetail_spec_constant &constant : source.specConstants)
      stage.specConstants.push_back({constant.id, constant.value});
  }
  if (pipeline.layout) {
    for (const std::shared_ptr<const SetLayout> &set : pipeline.layout->sets) {
      fossilize::CapturedSet &capturedSet = captured.setLayouts.emplace_back();
      if (!set)
        continue;
      capturedSet.layout = &set->capture;
      for (const auto &[hash, sampler] : set->samplers)
        capturedSet.immutableSamplers.push_back(sampler);
    }
    captured.pushConstantBytes = pipeline.layout->pushConstantBytes;
  }
  if (fields)
    captured.state = fossilize::stateOf(fields->description());

  const Result<fossilize::ObjectHash> hash = m_writer->add(captured);
  if (!hash)
    return hash.error().text;
  CapturedVariant made = {.pipeline = hash->toHex()};
  dovetail_variant_info info = {};
  info.size = sizeof info;
  if (variant && dovetail_variant_get_info(variant, &info, nullptr) == DOVETAIL_OK) {
    made.key[0] = info.key[0];
    made.key[1] = info.key[1];
  }
  std::scoped_lock lock(m_mutex);
  if (m_known.insert(hash->value).second)
    m_variants.push_back(std::move(made));
  return {};
}

std::vector<CapturedVariant> Captures::variants() const {
  std::scoped_lock lock(m_mutex);
  return m_variants;
}

} // namespace dovetail::layer
