// SPDX-License-Identifier: MIT
// What nearly every test of a room includes; compiled once. It is a main file, in which GCC warns of #pragma once.
#include "parts/part.h"
#include "src/lgc/pipeline.h"
#include "tools/proof/emulator/wave/wave.h"
#include <algorithm>
#include <array>
#include <cstdint>
#include <cstring>
#include <doctest/doctest.h>
#include <fmt/format.h>
#include <functional>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/Module.h>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>
