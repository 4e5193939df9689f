; SPDX-License-Identifier: MIT
; RUN: lgc -pal-abi-version=2 %s | FileCheck %s
; RUN: not lgc -pal-abi-version=3 %s 2>&1 | FileCheck --check-prefix=OTHER %s
; CHECK: amdgpu_pal_metadata
; CHECK: .registers:
; OTHER: lgc: unsupported: -pal-abi-version=3: code is made for version 2
define void @main() {
  ret void
}
!lgc.shader.modes = !{!0}
!0 = !{!"stage", i32 4}
