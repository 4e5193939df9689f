; SPDX-License-Identifier: MIT
; RUN: not lgc %t 2>&1 | FileCheck %s
; CHECK: lgc: file error: {{.*}}No such file
