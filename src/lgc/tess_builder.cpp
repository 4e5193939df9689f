// SPDX-License-Identifier: MIT
//
// What tessellation control shaders do beyond reading inputs and writing outputs: reading outputs back.
#include "src/lgc/builder_impl.h"

using namespace llvm;
using dovetail::ErrorCode;

namespace lgc {

Value *BuilderImpl::CreateReadGenericOutput(Type *resultType, unsigned location, Value *locationOffset,
                                            unsigned component, unsigned locationCount, OptionalValue vertexIndex,
                                            const Twine &) {
  fail(ErrorCode::Unsupported, "tessellation control shaders are not supported");
  return PoisonValue::get(resultType);
}

Value *BuilderImpl::CreateReadBuiltInOutput(Type *resultType, BuiltIn builtIn, OptionalValue arrayIndex,
                                            OptionalValue vertexIndex, const Twine &) {
  fail(ErrorCode::Unsupported, "tessellation control shaders are not supported");
  return PoisonValue::get(resultType);
}

} // namespace lgc
