// SPDX-License-Identifier: MIT
#include "src/spirv/translate/ops/handlers.h"

namespace dovetail::spirv {

using lgc::ImageDim;

std::optional<ImageDim> imageDimOf(const TypeInfo &type) {
  bool isArrayed = type.isArrayed;
  if (type.isMultisampled) {
    if (type.dim != spv::Dim::Dim2D && type.dim != spv::Dim::SubpassData)
      return std::nullopt;
    return isArrayed ? ImageDim::MsaaArray2D : ImageDim::Msaa2D;
  }
  switch (type.dim) {
  case spv::Dim::Dim1D:
    return isArrayed ? ImageDim::Array1D : ImageDim::Dim1D;
  case spv::Dim::Rect:
    return isArrayed ? std::nullopt : std::optional(ImageDim::Dim2D);
  case spv::Dim::Dim2D:
  case spv::Dim::SubpassData:
    return isArrayed ? ImageDim::Array2D : ImageDim::Dim2D;
  case spv::Dim::Dim3D:
    return isArrayed ? std::nullopt : std::optional(ImageDim::Dim3D);
  case spv::Dim::Cube:
    return isArrayed ? ImageDim::CubeArray : ImageDim::Cube;
  default:
    return std::nullopt;
  }
}

} // namespace dovetail::spirv
