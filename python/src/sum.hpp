// fmm::Operator for Python.
#pragma once

#include <nanobind/nanobind.h>

namespace rankine::python {

void define_sum(nanobind::module_& module);

}  // namespace rankine::python
