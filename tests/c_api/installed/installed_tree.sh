#!/bin/bash
# SPDX-License-Identifier: MIT
#
# Installs a build into a temporary folder, for the tests that source this file with $build: $root is the folder, $prefix
# the installed tree, and pkg-config finds it.
root=$(mktemp -d)
trap 'rm -rf "$root"' EXIT
meson install -C "$build" --no-rebuild --quiet --destdir "$root"
PKG_CONFIG_PATH=$(dirname "$(find "$root" -name dovetail.pc)")
export PKG_CONFIG_PATH
prefix=$root$(pkg-config --variable=prefix dovetail)
# The build was configured for another prefix.
sed -i "s|^prefix=.*|prefix=$prefix|" "$PKG_CONFIG_PATH"/*.pc
