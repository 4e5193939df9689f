// SPDX-License-Identifier: MIT
#include "src/lgc/ops/op.h"
#include "tests/spirv/assembled.h"
#include <doctest/doctest.h>
#include <fmt/format.h>

using namespace dovetail::test;
using lgc::ImageDim;

namespace {

// A sampled image %image of the given OpTypeImage operands, loaded as %si (with its sampler), and coordinates %c2, %c3
// cut from %p, %n2, %n3 cut from %n.
Assembly sampled(std::string imageType, std::string body, std::string capabilities = "") {
  Assembly assembly;
  assembly.capabilities =
      capabilities + "OpCapability Sampled1D\nOpCapability SampledCubeArray\nOpCapability ImageQuery\n";
  assembly.decorations = "OpDecorate %image DescriptorSet 1\nOpDecorate %image Binding 3\n";
  assembly.declarations = "%image_type = OpTypeImage " + imageType +
                          "\n%sampled_type = OpTypeSampledImage %image_type\n"
                          "%ptr_image = OpTypePointer UniformConstant %sampled_type\n"
                          "%image = OpVariable %ptr_image UniformConstant\n"
                          "%offset2 = OpConstantComposite %v2int %int_1 %int_2\n"
                          "%array4 = OpTypeArray %v2int %uint_4\n"
                          "%offsets = OpConstantComposite %array4 %offset2 %offset2 %offset2 %offset2\n";
  assembly.body = "%si = OpLoad %sampled_type %image\n"
                  "%c1 = OpCompositeExtract %float %p 0\n"
                  "%c2 = OpVectorShuffle %v2float %p %p 0 1\n%c3 = OpVectorShuffle %v3float %p %p 0 1 2\n"
                  "%n2 = OpVectorShuffle %v2int %n %n 0 1\n%n3 = OpVectorShuffle %v3int %n %n 0 1 2\n" +
                  body;
  return assembly;
}

constexpr char Color2D[] = "%float 2D 0 0 0 1 Unknown";

// A storage image %image, loaded as %i.
Assembly storage(std::string imageType, std::string body, std::string capabilities = "") {
  Assembly assembly;
  assembly.capabilities = capabilities;
  assembly.decorations = "OpDecorate %image DescriptorSet 0\nOpDecorate %image Binding 0\n";
  assembly.declarations = "%image_type = OpTypeImage " + imageType +
                          "\n%ptr_image = OpTypePointer UniformConstant %image_type\n"
                          "%ptr_texel = OpTypePointer Image %uint\n%image = OpVariable %ptr_image UniformConstant\n";
  assembly.body = "%i = OpLoad %image_type %image\n%n1 = OpCompositeExtract %int %n 0\n"
                  "%n2 = OpVectorShuffle %v2int %n %n 0 1\n%u1 = OpBitcast %uint %n1\n" +
                  body;
  return assembly;
}

} // namespace

TEST_CASE("implicit sampling has no level operands") {
  Translated translated(sampled(Color2D, "%r = OpImageSampleImplicitLod %v4float %si %c2\n"));
  CHECK(translated.error() == "");
  auto *sample = translated.only<lgc::ImageSampleOp>();
  REQUIRE(sample);
  CHECK(sample->dim() == ImageDim::Dim2D);
  CHECK(!sample->bias());
  CHECK(!sample->lod());
  CHECK(!sample->gradX());
  CHECK(!sample->dref());
  CHECK(!sample->offset());
}

TEST_CASE("coordinates beyond the dimension's are dropped") {
  Translated translated(sampled(Color2D, "%r = OpImageSampleImplicitLod %v4float %si %p\n"));
  auto *sample = translated.only<lgc::ImageSampleOp>();
  REQUIRE(sample);
  CHECK(llvm::cast<llvm::FixedVectorType>(sample->coord()->getType())->getNumElements() == 2);
}

TEST_CASE("bias, level, gradients and offsets arrive by name") {
  Translated bias(sampled(Color2D, "%r = OpImageSampleImplicitLod %v4float %si %c2 Bias %float_half\n"));
  REQUIRE(bias.only<lgc::ImageSampleOp>());
  CHECK(bias.only<lgc::ImageSampleOp>()->bias());
  Translated lod(sampled(Color2D, "%r = OpImageSampleExplicitLod %v4float %si %c2 Lod %float_1\n"));
  REQUIRE(lod.only<lgc::ImageSampleOp>());
  CHECK(lod.only<lgc::ImageSampleOp>()->lod());
  Translated grad(
      sampled(Color2D, "%r = OpImageSampleExplicitLod %v4float %si %c2 Grad|ConstOffset %c2 %c2 %offset2\n"));
  auto *sample = grad.only<lgc::ImageSampleOp>();
  REQUIRE(sample);
  CHECK(sample->gradX());
  CHECK(sample->gradY());
  CHECK(sample->offset());
  CHECK(!sample->lod());
}

TEST_CASE("projection divides coordinates and reference by q") {
  Translated plain(sampled(Color2D, "%r = OpImageSampleProjImplicitLod %v4float %si %c3\n"));
  CHECK(plain.error() == "");
  REQUIRE(plain.only<lgc::ImageSampleOp>());
  unsigned divisions = 0;
  for (auto *operation : plain.all<llvm::BinaryOperator>())
    divisions += operation->getOpcode() == llvm::Instruction::FDiv;
  CHECK(divisions == 1);
  CHECK(llvm::cast<llvm::FixedVectorType>(plain.only<lgc::ImageSampleOp>()->coord()->getType())->getNumElements() == 2);

  Translated dref(
      sampled("%float 2D 1 0 0 1 Unknown", "%r = OpImageSampleProjDrefImplicitLod %float %si %c3 %float_half\n"));
  REQUIRE(dref.only<lgc::ImageSampleOp>());
  CHECK(dref.only<lgc::ImageSampleOp>()->dref());
  divisions = 0;
  for (auto *operation : dref.all<llvm::BinaryOperator>())
    divisions += operation->getOpcode() == llvm::Instruction::FDiv;
  CHECK(divisions == 2);
}

TEST_CASE("each dimension is named to the Builder") {
  auto dimOf = [](const char *type, const char *coord) {
    Translated translated(sampled(type, fmt::format("%r = OpImageSampleImplicitLod %v4float %si {}\n", coord)));
    INFO(type);
    CHECK(translated.error() == "");
    auto *sample = translated.only<lgc::ImageSampleOp>();
    REQUIRE(sample);
    return sample->dim();
  };
  CHECK(dimOf("%float 1D 0 0 0 1 Unknown", "%c1") == ImageDim::Dim1D);
  CHECK(dimOf("%float 1D 0 1 0 1 Unknown", "%c2") == ImageDim::Array1D);
  CHECK(dimOf("%float 2D 0 1 0 1 Unknown", "%c3") == ImageDim::Array2D);
  CHECK(dimOf("%float 3D 0 0 0 1 Unknown", "%c3") == ImageDim::Dim3D);
  CHECK(dimOf("%float Cube 0 0 0 1 Unknown", "%c3") == ImageDim::Cube);
  CHECK(dimOf("%float Cube 0 1 0 1 Unknown", "%p") == ImageDim::CubeArray);
}

TEST_CASE("gather takes a component, four offsets are four gathers") {
  Translated one(sampled(Color2D, "%r = OpImageGather %v4float %si %c2 %int_3\n"));
  REQUIRE(one.only<lgc::ImageGatherOp>());
  CHECK(one.only<lgc::ImageGatherOp>()->component() == 3);
  Translated four(sampled(Color2D, "%r = OpImageGather %v4float %si %c2 %int_1 ConstOffsets %offsets\n",
                          "OpCapability ImageGatherExtended\n"));
  CHECK(four.error() == "");
  CHECK(four.all<lgc::ImageGatherOp>().size() == 4);
}

TEST_CASE("a gathered component outside of 0 to 3 is an Error") {
  Translated translated(sampled(Color2D, "%r = OpImageGather %v4float %si %c2 %int_4\n"));
  CHECK(translated.error().find("OpImageGather") != std::string::npos);
}

TEST_CASE("fetching takes a level, of a multisampled image a sample") {
  Translated mipmapped(
      sampled(Color2D, "%im = OpImage %image_type %si\n%r = OpImageFetch %v4float %im %n2 Lod %int_1\n"));
  REQUIRE(mipmapped.only<lgc::ImageLoadOp>());
  CHECK(mipmapped.only<lgc::ImageLoadOp>()->lod());
  Translated multisampled(sampled("%float 2D 0 0 1 1 Unknown",
                                  "%im = OpImage %image_type %si\n%r = OpImageFetch %v4float %im %n2 Sample %int_2\n"));
  auto *load = multisampled.only<lgc::ImageLoadWithFmaskOp>();
  REQUIRE(load);
  CHECK(load->dim() == ImageDim::Msaa2D);
  CHECK(load->sample());
  CHECK(load->fmaskDesc() == multisampled.only<lgc::LoadFmaskDescOp>());
}

TEST_CASE("an offset moves a fetch's coordinates") {
  Translated translated(sampled(
      Color2D, "%im = OpImage %image_type %si\n%r = OpImageFetch %v4float %im %n2 Lod|ConstOffset %int_0 %offset2\n"));
  REQUIRE(translated.only<lgc::ImageLoadOp>());
  auto *sum = llvm::dyn_cast<llvm::BinaryOperator>(translated.only<lgc::ImageLoadOp>()->coord());
  REQUIRE(sum);
  CHECK(sum->getOpcode() == llvm::Instruction::Add);
}

TEST_CASE("integer texels are sign-extended only if the sampled type is signed") {
  Translated isSigned(sampled("%int 2D 0 0 0 1 Unknown", "%r = OpImageSampleImplicitLod %v4int %si %c2\n"));
  REQUIRE(isSigned.only<lgc::ImageSampleOp>());
  CHECK((isSigned.only<lgc::ImageSampleOp>()->flags() & lgc::SignedTexel) != 0);
  Translated isUnsigned(sampled("%uint 2D 0 0 0 1 Unknown", "%r = OpImageSampleImplicitLod %v4uint %si %c2\n"));
  REQUIRE(isUnsigned.only<lgc::ImageSampleOp>());
  CHECK((isUnsigned.only<lgc::ImageSampleOp>()->flags() & lgc::SignedTexel) == 0);
}

TEST_CASE("a query of a level of detail takes no layer") {
  Translated translated(sampled("%float 2D 0 1 0 1 Unknown", "%r = OpImageQueryLod %v2float %si %c2\n"));
  CHECK(translated.error() == "");
  auto *query = translated.only<lgc::ImageQueryLodOp>();
  REQUIRE(query);
  CHECK(query->dim() == ImageDim::Array2D);
  CHECK(llvm::cast<llvm::FixedVectorType>(query->coord()->getType())->getNumElements() == 2);
}

TEST_CASE("sizes come with a level, without, and from texel buffers") {
  Translated level(sampled(Color2D, "%im = OpImage %image_type %si\n%r = OpImageQuerySizeLod %v2int %im %int_1\n"
                                    "%l = OpImageQueryLevels %int %im\n"));
  REQUIRE(level.only<lgc::ImageQuerySizeOp>());
  CHECK(level.only<lgc::ImageQuerySizeOp>()->lod());
  CHECK(level.only<lgc::ImageQueryLevelsOp>());
  Translated buffer(storage("%uint Buffer 0 0 0 2 R32ui", "%r = OpImageQuerySize %int %i\n",
                            "OpCapability ImageBuffer\nOpCapability ImageQuery\n"));
  CHECK(buffer.error() == "");
  CHECK(buffer.only<lgc::TexelBufferQuerySizeOp>());
}

TEST_CASE("storage images are read and written whole texels at a time") {
  Translated translated(
      storage("%float 2D 0 0 0 2 Rgba8", "%t = OpImageRead %v4float %i %n2\nOpImageWrite %i %n2 %t\n"));
  CHECK(translated.error() == "");
  CHECK(translated.only<lgc::ImageLoadOp>());
  CHECK(translated.only<lgc::ImageStoreOp>());
}

TEST_CASE("atomics on images and texel buffers go to their own operations") {
  Translated image(storage("%uint 2D 0 0 0 2 R32ui",
                           "%t = OpImageTexelPointer %ptr_texel %image %n2 %uint_0\n"
                           "%r = OpAtomicUMax %uint %t %uint_1 %uint_0 %u1\n"
                           "%s = OpAtomicCompareExchange %uint %t %uint_1 %uint_0 %uint_0 %u1 %uint_1\n"));
  CHECK(image.error() == "");
  REQUIRE(image.only<lgc::ImageAtomicOp>());
  CHECK(image.only<lgc::ImageAtomicOp>()->op() == lgc::AtomicOp::UMax);
  CHECK(image.only<lgc::ImageAtomicCompareSwapOp>());
  Translated buffer(storage("%uint Buffer 0 0 0 2 R32ui",
                            "%t = OpImageTexelPointer %ptr_texel %image %n1 %uint_0\n"
                            "%r = OpAtomicIIncrement %uint %t %uint_1 %uint_0\n",
                            "OpCapability ImageBuffer\n"));
  CHECK(buffer.error() == "");
  REQUIRE(buffer.only<lgc::TexelBufferAtomicOp>());
  CHECK(buffer.only<lgc::TexelBufferAtomicOp>()->op() == lgc::AtomicOp::Add);
}

TEST_CASE("a sparse instruction gives the texel behind its residency") {
  Assembly assembly =
      sampled(Color2D, "%r = OpImageSparseSampleImplicitLod %sparse %si %c2\n", "OpCapability SparseResidency\n");
  assembly.declarations += "%sparse = OpTypeStruct %int %v4float\n";
  Translated translated(assembly);
  CHECK(translated.error() == "");
  REQUIRE(translated.only<lgc::ImageSampleOp>());
  CHECK(translated.only<lgc::ImageSampleOp>()->getType()->isStructTy());
}

TEST_CASE("a sparse instruction whose result is no structure of residency and texel is refused") {
  Assembly assembly =
      sampled(Color2D, "%r = OpImageSparseSampleImplicitLod %v4float %si %c2\n", "OpCapability SparseResidency\n");
  CHECK(Translated(assembly).error().find("a result of this type") != std::string::npos);
}
