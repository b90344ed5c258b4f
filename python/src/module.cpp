// The module rankine._core: Python bindings of the C++ libraries. The package around it
// (python/rankine) checks shapes and converts arrays.
#include <nanobind/nanobind.h>

#include "python/src/flow_solver.hpp"
#include "python/src/python_surface.hpp"
#include "python/src/sum.hpp"
#include "rankine/fmm/core/error.hpp"

namespace nb = nanobind;

namespace {

/// Defines the exception class `name` for the C++ type `Type`, derived also from the Python class
/// `builtin`. Translators defined later are tried first.
template <class Type>
nb::exception<Type> define_error(nb::module_& module, const char* name, nb::handle base,
                                 PyObject* builtin, const char* text) {
  const nb::exception<Type> error(module, name, nb::make_tuple(base, nb::handle(builtin)));
  error.attr("__doc__") = text;
  error.attr("__module__") = "rankine";
  return error;
}

}  // namespace

NB_MODULE(_core, module) {
  nb::set_leak_warnings(false);  // global variables may still refer to objects at exit
  module.attr("__version__") = RANKINE_VERSION;
  const nb::exception<rankine::Error> error(module, "Error", PyExc_RuntimeError);
  error.attr("__doc__") = "What Rankine reports: what is wrong, the value found, what to do.";
  error.attr("__module__") = "rankine";
  define_error<rankine::InputError>(module, "InputError", error, PyExc_ValueError,
                                    "An argument is wrong.");
  define_error<rankine::MeshError>(module, "MeshError", error, PyExc_ValueError,
                                   "A mesh is missing, unreadable or unusable.");
  const auto device =
      define_error<rankine::DeviceError>(module, "DeviceError", error, PyExc_RuntimeError,
                                         "A device is missing, failed or is out of memory.");
  define_error<rankine::DeviceMemoryError>(module, "DeviceMemoryError", device, PyExc_MemoryError,
                                           "A device lacks memory.");
  // Ctrl-C: runs Python's handler; if it raises nothing the work has still ended.
  nb::register_exception_translator([](const std::exception_ptr& thrown, void*) {
    try {
      std::rethrow_exception(thrown);
    } catch (const rankine::Stopped&) {
      if (PyErr_CheckSignals() == 0) PyErr_SetNone(PyExc_KeyboardInterrupt);
    }
  });
  rankine::python::define_sum(module);
  rankine::python::define_surface(module);
  rankine::python::define_flow(module);
}
