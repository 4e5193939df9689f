// SPDX-License-Identifier: MIT
#include "tools/common/pipelines/subject.h"
#include "tools/common/inputs/earlier_stages.h"
#include "tools/common/pipelines/captured_pipeline.h"
#include "variants/state/default_state.h"
#include <cstdio>

namespace dovetail {

Result<Subject> readSubject(const std::vector<std::string> &files, const ReadOptions &options) {
  if (files.size() == 1 && namesPipeline(files[0])) {
    PipelineInput pipeline = DOVETAIL_TRY(readPipeline(files[0], options));
    std::fputs(describeIgnored(pipeline).c_str(), stderr);
    return Subject{std::move(pipeline.name), std::move(pipeline.shaders), std::move(pipeline.state),
                   std::move(pipeline.gpuName)};
  }
  std::vector<ShaderRef> shaders = DOVETAIL_TRY(readShaders(files, options));
  DOVETAIL_CHECK(addEarlierStages(shaders));
  Subject subject;
  subject.name = files.front();
  subject.shaders = DOVETAIL_TRY(makeShaderSet(shaders));
  subject.state = defaultState(subject.shaders);
  return subject;
}

uint32_t workgroupThreads(const ShaderSet &shaders) {
  const spirv::Reflection *compute = shaders.reflection(lgc::ShaderStage::Compute);
  if (!compute)
    return 0;
  const auto &size = compute->localSize;
  return size[0] * size[1] * size[2];
}

} // namespace dovetail
