; SPDX-License-Identifier: MIT
; RUN: not lgc %s 2>&1 | FileCheck %s
; CHECK: function main has the attribute target-features=+foo
define void @main() "target-features"="+foo" {
  ret void
}
!lgc.shader.modes = !{!0}
!0 = !{!"stage", i32 4}
