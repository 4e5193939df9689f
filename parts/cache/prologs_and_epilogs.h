// SPDX-License-Identifier: MIT
//
// Prologs and epilogs, made from their keys: encoded on the calling thread, because a draw may wait for them, or
// compiled from the same listing, to be compared. Whoever asks has looked for the key before, so it is for him to put
// that into the part (key_bytes.h).
#pragma once

#include "parts/part.h"
#include "src/abi/target_info.h"
#include "src/base/error.h"

namespace lgc {
class BuilderContext;
} // namespace lgc

namespace dovetail {

struct VertexPrologKey;
struct FragmentPrologKey;
struct FragmentEpilogKey;
struct TessControlEpilogKey;
struct GeometryPrologKey;
struct ComputePrologKey;

// `target`: the GPU of the key. Errors: Unsupported if registers do not suffice.
Result<Part> encodeVertexProlog(const VertexPrologKey &key, const TargetInfo &target);
Result<Part> encodeFragmentProlog(const FragmentPrologKey &key, const TargetInfo &target);
Result<Part> encodeFragmentEpilog(const FragmentEpilogKey &key, const TargetInfo &target);
Result<Part> encodeTessControlEpilog(const TessControlEpilogKey &key, const TargetInfo &target);
Result<Part> encodeGeometryProlog(const GeometryPrologKey &key, const TargetInfo &target);
Result<Part> encodeComputeProlog(const ComputePrologKey &key, const TargetInfo &target);

// Errors: those of the compiler.
Result<Part> compileVertexProlog(const VertexPrologKey &key, lgc::BuilderContext &context);
Result<Part> compileFragmentProlog(const FragmentPrologKey &key, lgc::BuilderContext &context);
Result<Part> compileFragmentEpilog(const FragmentEpilogKey &key, lgc::BuilderContext &context);
Result<Part> compileTessControlEpilog(const TessControlEpilogKey &key, lgc::BuilderContext &context);
Result<Part> compileGeometryProlog(const GeometryPrologKey &key, lgc::BuilderContext &context);
Result<Part> compileComputeProlog(const ComputePrologKey &key, lgc::BuilderContext &context);

} // namespace dovetail
