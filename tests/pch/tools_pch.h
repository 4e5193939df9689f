// SPDX-License-Identifier: MIT
// What nearly every test of a tool includes; compiled once. It is a main file, in which GCC warns of #pragma once.
#include "tools/common/pipelines/draw_case.h"
#include "variants/bind/device.h"
#include <algorithm>
#include <array>
#include <cstdint>
#include <cstring>
#include <doctest/doctest.h>
#include <fmt/format.h>
#include <functional>
#include <map>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>
