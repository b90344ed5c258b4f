// Potential flow, added mass and capacitance for Python.
#pragma once

#include <nanobind/nanobind.h>

namespace rankine::python {

void define_flow(nanobind::module_& module);

}  // namespace rankine::python
