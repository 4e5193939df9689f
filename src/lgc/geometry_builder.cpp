// SPDX-License-Identifier: MIT
//
// What geometry shaders do beyond reading and writing: emitting vertices and ending primitives; and transform feedback.
#include "src/lgc/builder_impl.h"

using namespace llvm;
using dovetail::ErrorCode;

namespace lgc {

Value *BuilderImpl::CreateEmitVertex(unsigned stream, const Twine &) {
  fail(ErrorCode::Unsupported, "geometry shaders are not supported");
  return nullptr;
}

Value *BuilderImpl::CreateEndPrimitive(unsigned stream, const Twine &) {
  fail(ErrorCode::Unsupported, "geometry shaders are not supported");
  return nullptr;
}

Value *BuilderImpl::CreateCaptureOutput(bool isBuiltIn, unsigned location, unsigned component, unsigned buffer,
                                        unsigned stride, unsigned offset, unsigned stream, const Twine &) {
  fail(ErrorCode::Unsupported, "transform feedback is not supported");
  return nullptr;
}

} // namespace lgc
