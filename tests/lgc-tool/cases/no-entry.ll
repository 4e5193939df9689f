; SPDX-License-Identifier: MIT
; RUN: not lgc %s 2>&1 | FileCheck %s
; CHECK: the module has no entry function
!lgc.shader.modes = !{!0}
!0 = !{}
