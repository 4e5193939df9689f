// SPDX-License-Identifier: MIT
#include "tools/programs/dovetail/inspect/inspect_variant.h"
#include "merge/check/check_image.h"
#include "tools/common/pipelines/subject.h"
#include <algorithm>

namespace dovetail {

Result<std::vector<ProgramRow>> checkedRows(const Variant &variant, const Device &device, const ShaderSet &shaders) {
  DOVETAIL_CHECK(checkImage(*variant.image));
  return programRows(*variant.image, device.target(), workgroupThreads(shaders));
}

InspectedPipeline inspectedPipeline(const std::string &name, const Result<std::vector<ProgramRow>> &rows) {
  return rows ? InspectedPipeline{name, *rows, {}} : InspectedPipeline{name, {}, reasonOf(rows.error(), name)};
}

std::string reasonOf(const Error &error, const std::string &name) {
  // An Error may name one shader of a file. If it holds several diagnostics, take the first.
  std::string text = error.text;
  if (text.starts_with(name + ": "))
    text.erase(0, name.size() + 2);
  else if (text.starts_with(name + ":"))
    text = "line " + text.substr(name.size() + 1, text.find('\n') - name.size() - 1);
  std::ranges::replace(text, '\n', ' ');
  return fmt::format("{}: {}", toString(error.code), text);
}

} // namespace dovetail
