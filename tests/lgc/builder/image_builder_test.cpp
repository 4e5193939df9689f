// SPDX-License-Identifier: MIT
//
// Images: every dimension with every kind of address compiles for GFX9, to the right instruction.
#include "tests/lgc/builder/lowering.h"
#include <doctest/doctest.h>

using namespace lgc;
using lgc::test::lower;
using lgc::test::Lowered;
using lgc::test::Operands;

namespace {

struct Shape {
  ImageDim dim;
  unsigned coords;    // of sampling
  unsigned gradients; // components of one gradient, and of an offset
};

constexpr Shape Shapes[] = {{ImageDim::Dim1D, 1, 1},    {ImageDim::Dim2D, 2, 2},   {ImageDim::Dim3D, 3, 3},
                            {ImageDim::Cube, 3, 3},     {ImageDim::Array1D, 2, 1}, {ImageDim::Array2D, 3, 2},
                            {ImageDim::CubeArray, 4, 3}};

enum Level { Implicit, Bias, Explicit, Zero, Gradient };

Type *f32x4(BuilderImpl &b) {
  return llvm::FixedVectorType::get(b.getFloatTy(), 4);
}

Lowered sample(const Shape &shape, Level level, bool hasDref, bool hasOffset, bool hasMinLod,
               ShaderStage stage = ShaderStage::Fragment, unsigned flags = 0) {
  return lower(stage, [&](BuilderImpl &b, Operands &in) -> std::vector<Value *> {
    OptionalValue lod;
    if (level == Explicit)
      lod = in.floats(1);
    if (level == Zero)
      lod = llvm::ConstantFP::get(b.getFloatTy(), 0.0);
    Type *type = hasDref ? b.getFloatTy() : f32x4(b);
    return {b.CreateImageSample(
        type, shape.dim, in.imageDesc(), in.samplerDesc(), in.floats(shape.coords), hasDref ? in.floats(1) : nullptr,
        level == Bias ? in.floats(1) : nullptr, lod, level == Gradient ? in.floats(shape.gradients) : nullptr,
        level == Gradient ? in.floats(shape.gradients) : nullptr, hasOffset ? in.ints(shape.gradients) : nullptr,
        hasMinLod ? in.floats(1) : nullptr, flags)};
  });
}

} // namespace

TEST_CASE("sampling: every dimension, level, reference, offset and clamp") {
  for (const Shape &shape : Shapes)
    for (Level level : {Implicit, Bias, Explicit, Zero, Gradient})
      for (bool hasDref : {false, true})
        for (bool hasOffset : {false, true})
          for (bool hasMinLod : {false, true}) {
            bool isCube = shape.dim == ImageDim::Cube || shape.dim == ImageDim::CubeArray;
            if ((hasMinLod && (level == Explicit || level == Zero)) || (hasOffset && isCube))
              continue;
            static const char *const Levels[] = {"", "_b", "_l", "_lz", "_d"};
            std::string mnemonic = std::string("image_sample") + (hasDref ? "_c" : "") + Levels[level] +
                                   (hasMinLod ? "_cl" : "") + (hasOffset ? "_o" : "") + " ";
            CAPTURE(mnemonic);
            CAPTURE(static_cast<unsigned>(shape.dim));
            Lowered lowered = sample(shape, level, hasDref, hasOffset, hasMinLod);
            CHECK(lowered.error == "");
            CHECK(lowered.count(mnemonic) == 1);
            bool isArray = shape.dim == ImageDim::Array1D || shape.dim == ImageDim::Array2D || isCube;
            CHECK(lowered.has(" da") == isArray);
            CHECK(lowered.has(hasDref ? "dmask:0x1" : "dmask:0xf"));
          }
}

TEST_CASE("implicit levels need whole quads in fragment shaders, and are level 0 in vertex shaders") {
  Lowered fragment = sample(Shapes[1], Implicit, false, false, false);
  CHECK(fragment.has("s_wqm_b64 exec"));
  Lowered vertex = sample(Shapes[1], Implicit, false, false, false, ShaderStage::Vertex);
  CHECK(vertex.has("image_sample_lz "));
  CHECK(!vertex.has("s_wqm_b64"));
}

TEST_CASE("descriptors that differ between lanes are served in a loop") {
  Lowered uniform = sample(Shapes[1], Explicit, false, false, false);
  CHECK(!uniform.has("v_readfirstlane"));
  auto divergent = [](unsigned flags, bool isImage, bool isSampler) {
    return lower(ShaderStage::Fragment, [=](BuilderImpl &b, Operands &in) -> std::vector<Value *> {
      Value *image = isImage ? in.ints(8) : in.imageDesc();
      Value *sampler = isSampler ? in.ints(4) : in.samplerDesc();
      return {b.CreateImageSample(f32x4(b), ImageDim::Dim2D, image, sampler, in.floats(2), nullptr, nullptr,
                                  in.floats(1), nullptr, nullptr, nullptr, nullptr, flags)};
    });
  };
  Lowered image = divergent(NonUniformImage, true, false);
  CHECK(image.error == "");
  CHECK(image.count("v_readfirstlane") == 8);
  CHECK(image.count("image_sample_l ") == 1);
  Lowered both = divergent(NonUniformImage | NonUniformSampler, true, true);
  CHECK(both.error == "");
  CHECK(both.count("v_readfirstlane") == 12);
}

TEST_CASE("a waterfall loop within a loop, with implicit levels") {
  Lowered lowered = lower(ShaderStage::Fragment, [](BuilderImpl &b, Operands &in) -> std::vector<Value *> {
    Value *image = in.ints(8);
    Value *sampler = in.ints(4);
    Value *coord = in.floats(2);
    Value *limit = in.ints(1);
    llvm::Function *function = b.GetInsertBlock()->getParent();
    auto *before = b.GetInsertBlock();
    auto *loop = llvm::BasicBlock::Create(b.getContext(), "loop", function);
    auto *after = llvm::BasicBlock::Create(b.getContext(), "after", function);
    b.CreateBr(loop);
    b.SetInsertPoint(loop);
    llvm::PHINode *count = b.CreatePHI(b.getInt32Ty(), 2);
    llvm::PHINode *sum = b.CreatePHI(f32x4(b), 2);
    Value *texel = b.CreateImageSample(f32x4(b), ImageDim::Dim2D, image, sampler, coord, nullptr, nullptr, nullptr,
                                       nullptr, nullptr, nullptr, nullptr, NonUniformImage | NonUniformSampler);
    Value *total = b.CreateFAdd(sum, texel);
    Value *next = b.CreateAdd(count, b.getInt32(1));
    count->addIncoming(b.getInt32(0), before);
    count->addIncoming(next, b.GetInsertBlock());
    sum->addIncoming(llvm::Constant::getNullValue(f32x4(b)), before);
    sum->addIncoming(total, b.GetInsertBlock());
    b.CreateCondBr(b.CreateICmpSLT(next, limit), loop, after);
    b.SetInsertPoint(after);
    return {total};
  });
  CHECK(lowered.error == "");
  CHECK(lowered.count("v_readfirstlane") == 12);
  CHECK(lowered.count("image_sample ") == 1);
}

TEST_CASE("results of half, integer and scalar types") {
  Lowered lowered = lower(ShaderStage::Fragment, [](BuilderImpl &b, Operands &in) -> std::vector<Value *> {
    auto sampled = [&](Type *type, OptionalValue dref) {
      return b.CreateImageSample(type, ImageDim::Dim2D, in.imageDesc(), in.samplerDesc(), in.floats(2), dref, nullptr,
                                 in.floats(1), nullptr, nullptr, nullptr, nullptr, 0);
    };
    return {sampled(llvm::FixedVectorType::get(b.getHalfTy(), 4), nullptr),
            sampled(llvm::FixedVectorType::get(b.getInt32Ty(), 4), nullptr), sampled(b.getHalfTy(), in.floats(1))};
  });
  CHECK(lowered.error == "");
  CHECK(lowered.count("image_sample_l ") == 2);
  CHECK(lowered.count("image_sample_c_l ") == 1);
  CHECK(lowered.count(" d16") == 2);
}

TEST_CASE("gathers: one component, or comparisons, at level 0 unless told otherwise") {
  for (const Shape &shape : {Shapes[1], Shapes[3], Shapes[5], Shapes[6]})
    for (Level level : {Implicit, Bias, Explicit})
      for (bool hasDref : {false, true})
        for (bool hasOffset : {false, true})
          for (bool isInteger : {false, true}) {
            if ((hasDref && isInteger) || (hasOffset && shape.gradients == 3))
              continue;
            static const char *const Levels[] = {"_lz", "_b", "_l"};
            std::string mnemonic =
                std::string("image_gather4") + (hasDref ? "_c" : "") + Levels[level] + (hasOffset ? "_o" : "") + " ";
            CAPTURE(mnemonic);
            Lowered lowered = lower(ShaderStage::Fragment, [&](BuilderImpl &b, Operands &in) -> std::vector<Value *> {
              Type *type = isInteger ? static_cast<Type *>(llvm::FixedVectorType::get(b.getInt32Ty(), 4)) : f32x4(b);
              return {b.CreateImageGather(type, shape.dim, in.imageDesc(), in.samplerDesc(), in.floats(shape.coords), 2,
                                          hasDref ? in.floats(1) : nullptr, level == Bias ? in.floats(1) : nullptr,
                                          level == Explicit ? in.floats(1) : nullptr, hasOffset ? in.ints(2) : nullptr,
                                          0)};
            });
            CHECK(lowered.error == "");
            CHECK(lowered.count(mnemonic) == 1);
            CHECK(lowered.has(hasDref ? "dmask:0x1" : "dmask:0x4"));
          }
}

TEST_CASE("loads and stores: every dimension, with a level, as half and integer") {
  struct Access {
    ImageDim dim;
    unsigned coords;
    bool isMsaa;
  };
  for (const Access &access : {Access{ImageDim::Dim1D, 1, false},
                               {ImageDim::Dim2D, 2, false},
                               {ImageDim::Dim3D, 3, false},
                               {ImageDim::Cube, 3, false},
                               {ImageDim::CubeArray, 3, false},
                               {ImageDim::CubeArray, 4, false},
                               {ImageDim::Array1D, 2, false},
                               {ImageDim::Array2D, 3, false},
                               {ImageDim::Msaa2D, 2, true},
                               {ImageDim::MsaaArray2D, 3, true}}) {
    CAPTURE(static_cast<unsigned>(access.dim));
    Lowered lowered = lower(ShaderStage::Fragment, [&](BuilderImpl &b, Operands &in) -> std::vector<Value *> {
      Value *image = in.imageDesc();
      Value *coord = in.ints(access.coords);
      OptionalValue sample = access.isMsaa ? in.ints(1) : nullptr;
      Type *halves = llvm::FixedVectorType::get(b.getHalfTy(), 4);
      Type *ints = llvm::FixedVectorType::get(b.getInt32Ty(), 4);
      Type *longs = llvm::FixedVectorType::get(b.getInt64Ty(), 4);
      Value *float4 = b.CreateImageLoad(f32x4(b), access.dim, image, coord, nullptr, sample, 0);
      Value *mip = b.CreateImageLoad(ints, access.dim, image, coord, access.isMsaa ? nullptr : in.ints(1), sample, 0);
      Value *half4 = b.CreateImageLoad(halves, access.dim, image, coord, nullptr, sample, Coherent);
      Value *long4 = b.CreateImageLoad(longs, access.dim, image, coord, nullptr, sample, 0);
      b.CreateImageStore(float4, access.dim, image, coord, nullptr, sample, 0);
      b.CreateImageStore(mip, access.dim, image, coord, access.isMsaa ? nullptr : in.ints(1), sample, Coherent);
      b.CreateImageStore(half4, access.dim, image, coord, nullptr, sample, 0);
      b.CreateImageStore(long4, access.dim, image, coord, nullptr, sample, 0);
      return {float4, mip, half4, long4};
    });
    CHECK(lowered.error == "");
    CHECK(lowered.count("image_load") == (access.isMsaa ? 3 : 4)); // without a level, two of the loads are the same
    CHECK(lowered.count("image_load_mip") == (access.isMsaa ? 0 : 1));
    CHECK(lowered.count("image_store_mip") == (access.isMsaa ? 0 : 1));
    CHECK(lowered.count(" glc") == 2);
  }
}

TEST_CASE("a constant level 0 needs no level") {
  Lowered lowered = lower(ShaderStage::Fragment, [](BuilderImpl &b, Operands &in) -> std::vector<Value *> {
    return {b.CreateImageLoad(f32x4(b), ImageDim::Dim2D, in.imageDesc(), in.ints(2), b.getInt32(0), nullptr, 0)};
  });
  CHECK(lowered.has("image_load "));
}

TEST_CASE("image atomics: every operation; floats swap in a loop") {
  for (AtomicOp op :
       {AtomicOp::Swap, AtomicOp::Add, AtomicOp::Sub, AtomicOp::SMin, AtomicOp::UMin, AtomicOp::SMax, AtomicOp::UMax,
        AtomicOp::And, AtomicOp::Or, AtomicOp::Xor, AtomicOp::FAdd, AtomicOp::FMin, AtomicOp::FMax}) {
    bool isFloat = op >= AtomicOp::FAdd;
    CAPTURE(static_cast<unsigned>(op));
    for (ImageDim dim : {ImageDim::Dim1D, ImageDim::Dim2D, ImageDim::CubeArray}) {
      unsigned coords = dim == ImageDim::Dim1D ? 1 : dim == ImageDim::Dim2D ? 2 : 3;
      Lowered lowered = lower(ShaderStage::Compute, [&](BuilderImpl &b, Operands &in) -> std::vector<Value *> {
        Value *value = isFloat ? in.floats(1) : in.ints(1);
        Value *image = in.imageDesc();
        return {b.CreateImageAtomic(op, dim, value, image, in.ints(coords), nullptr, 0),
                b.CreateTexelBufferAtomic(op, value, in.bufferDesc(), in.ints(1), 0)};
      });
      CHECK(lowered.error == "");
      CHECK(lowered.has("image_atomic_") == true);
      CHECK(lowered.has("image_atomic_cmpswap") == isFloat);
      CHECK(lowered.has("buffer_atomic_cmpswap") == isFloat);
      CHECK(lowered.has("s_cbranch_execnz") == isFloat);
    }
  }
  Lowered lowered = lower(ShaderStage::Compute, [&](BuilderImpl &b, Operands &in) -> std::vector<Value *> {
    Type *wide = b.getInt64Ty();
    return {
        b.CreateImageAtomic(AtomicOp::Add, ImageDim::Dim2D, in.divergent(wide), in.imageDesc(), in.ints(2), nullptr, 0),
        b.CreateImageAtomicCompareSwap(ImageDim::Dim3D, in.ints(1), in.ints(1), in.ints(8), in.ints(3), nullptr,
                                       NonUniformImage),
        b.CreateTexelBufferAtomicCompareSwap(in.ints(1), in.ints(1), in.ints(4), in.ints(1), NonUniformImage),
        b.CreateImageAtomic(AtomicOp::FAdd, ImageDim::Dim2D, in.floats(1), in.ints(8), in.ints(2), nullptr,
                            NonUniformImage)};
  });
  CHECK(lowered.error == "");
}

TEST_CASE("image queries") {
  for (ImageDim dim : {ImageDim::Dim1D, ImageDim::Dim2D, ImageDim::Dim3D, ImageDim::Cube, ImageDim::Array1D,
                       ImageDim::Array2D, ImageDim::CubeArray, ImageDim::Msaa2D, ImageDim::MsaaArray2D}) {
    CAPTURE(static_cast<unsigned>(dim));
    bool isMsaa = dim == ImageDim::Msaa2D || dim == ImageDim::MsaaArray2D;
    Lowered lowered = lower(ShaderStage::Fragment, [&](BuilderImpl &b, Operands &in) -> std::vector<Value *> {
      Value *image = in.imageDesc();
      return {b.CreateImageQuerySize(dim, image, isMsaa ? nullptr : in.ints(1)),
              b.CreateImageQuerySize(dim, image, nullptr), b.CreateImageQueryLevels(dim, image),
              b.CreateImageQuerySamples(dim, image)};
    });
    CHECK(lowered.error == "");
    CHECK(lowered.count("image_get_resinfo") == (isMsaa ? 1 : 2));
  }
  for (const Shape &shape : Shapes) {
    Lowered lowered = lower(ShaderStage::Fragment, [&](BuilderImpl &b, Operands &in) -> std::vector<Value *> {
      bool isArray = shape.dim >= ImageDim::Array1D;
      return {b.CreateImageQueryLod(shape.dim, in.imageDesc(), in.samplerDesc(), in.floats(shape.coords - isArray), 0)};
    });
    CHECK(lowered.error == "");
    CHECK(lowered.count("image_get_lod ") == 1);
    CHECK(lowered.has("s_wqm_b64 exec"));
  }
}

TEST_CASE("texel buffers are structured accesses with the descriptor's format") {
  Lowered lowered = lower(ShaderStage::Fragment, [](BuilderImpl &b, Operands &in) -> std::vector<Value *> {
    Value *desc = in.bufferDesc();
    Value *coord = in.ints(1);
    Value *floats = b.CreateTexelBufferLoad(f32x4(b), desc, coord, 0);
    Value *ints =
        b.CreateTexelBufferLoad(llvm::FixedVectorType::get(b.getInt32Ty(), 4), in.ints(4), coord, NonUniformImage);
    Value *halves = b.CreateTexelBufferLoad(llvm::FixedVectorType::get(b.getHalfTy(), 4), desc, coord, 0);
    b.CreateTexelBufferStore(floats, desc, coord, 0);
    b.CreateTexelBufferStore(ints, desc, coord, Coherent);
    b.CreateTexelBufferStore(halves, desc, coord, 0);
    return {floats, ints, halves, b.CreateTexelBufferQuerySize(desc)};
  });
  CHECK(lowered.error == "");
  CHECK(lowered.count("buffer_load_format_xyzw") == 2);
  CHECK(lowered.count("buffer_load_format_d16_xyzw") == 1);
  CHECK(lowered.count("buffer_store_format_xyzw") == 2);
  CHECK(lowered.count("buffer_store_format_d16_xyzw") == 1);
  CHECK(lowered.count("idxen") == 6);
}

TEST_CASE("GFX8 moves gathers of integers by half a texel, GFX9 does not") {
  for (ImageDim dim : {ImageDim::Dim2D, ImageDim::Array2D, ImageDim::Cube, ImageDim::CubeArray})
    for (bool hasIntegers : {false, true})
      for (const char *gpu : {"gfx803", "gfx900"}) {
        CAPTURE(int(dim));
        CAPTURE(hasIntegers);
        CAPTURE(std::string(gpu));
        const unsigned coords = dim == ImageDim::Dim2D ? 2 : dim == ImageDim::CubeArray ? 4 : 3;
        Lowered gather = lower(
            ShaderStage::Fragment,
            [&](BuilderImpl &b, Operands &in) -> std::vector<Value *> {
              Type *type = llvm::FixedVectorType::get(hasIntegers ? (Type *)b.getInt32Ty() : b.getFloatTy(), 4);
              return {b.CreateImageGather(type, dim, in.imageDesc(), in.samplerDesc(), in.floats(coords), 0, nullptr,
                                          nullptr, nullptr, nullptr, SignedTexel)};
            },
            gpu);
        REQUIRE(gather.error == "");
        const bool isMoved = hasIntegers && std::string_view(gpu) == "gfx803";
        const bool isCube = dim == ImageDim::Cube || dim == ImageDim::CubeArray;
        CHECK(gather.has("image_get_resinfo") == isMoved);
        CHECK(gather.has("v_cvt_i32_f32") == (isMoved && isCube));
        CHECK(gather.has("image_gather4_lz"));
      }
}

TEST_CASE("an image without FMASK is loaded by the sample, one with FMASK by the fragment") {
  for (bool hasFmask : {false, true}) {
    Lowered load = lower(ShaderStage::Fragment, [&](BuilderImpl &b, Operands &in) -> std::vector<Value *> {
      Value *none = llvm::Constant::getNullValue(llvm::FixedVectorType::get(b.getInt32Ty(), 8));
      return {b.CreateImageLoadWithFmask(f32x4(b), ImageDim::Msaa2D, in.imageDesc(), hasFmask ? in.imageDesc() : none,
                                         in.ints(2), in.ints(1), 0)};
    });
    REQUIRE(load.error == "");
    CHECK(load.count("image_load") == (hasFmask ? 2 : 1));
  }
}
