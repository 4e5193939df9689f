// SPDX-License-Identifier: MIT
//
// How a command line names a pipeline with its state, told by the name alone: no file is opened.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace dovetail {

// Whether a name on a command line names a pipeline with state:
// - "capture.foz#12": number 12, counted from 0 in the order of the file;
// - "capture.foz#0123456789abcdef": by its hash;
// - "capture.foz", if the database has only one pipeline;
// - "draw.pipe".
bool namesPipeline(std::string_view name);

// Whether the name stands for all pipelines of a file: "capture.foz", without a #.
bool isPipelineDatabase(std::string_view path);

// Whether it is a file of one pipeline: "draw.pipe".
bool isPipeFile(std::string_view path);

// A pipeline in a database.
struct CapturedName {
  std::string path, selector; // "": none
};
std::optional<CapturedName> splitCapturedName(std::string_view name);

} // namespace dovetail
