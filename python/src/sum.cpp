#include "python/src/sum.hpp"

#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>

#include <array>
#include <mutex>
#include <string_view>

#include "python/src/arrays.hpp"
#include "python/src/interruptible.hpp"
#include "python/src/python_words.hpp"
#include "rankine/fmm/cpu_operator.hpp"
#include "rankine/gpu/runtime/device.hpp"
#include "rankine/gpu/sums/staged_sum.hpp"

namespace rankine::python {
namespace {

using OptionalPoints = std::optional<GivenPoints>;
using OptionalValues = std::optional<Given>;

constexpr Words<fmm::Method, 3> methods{{{{"direct", fmm::Method::direct},
                                          {"treecode", fmm::Method::treecode},
                                          {"fmm", fmm::Method::fmm}}}};
constexpr Words<fmm::Precision, 2> precisions{
    {{{"float64", fmm::Precision::float64}, {"float32", fmm::Precision::float32}}}};
constexpr Words<fmm::Kernel, 4> kernels{{{{"laplace", fmm::Kernel::laplace},
                                          {"plummer", fmm::Kernel::plummer},
                                          {"vortex_exponential", fmm::Kernel::vortex_exponential},
                                          {"vortex_gaussian", fmm::Kernel::vortex_gaussian}}}};

fmm::Points points_of(const GivenPoints& sources, const OptionalPoints& targets,
                      const OptionalPoints& normals, const OptionalValues& core_radii) {
  fmm::Points points{.sources = vectors(sources), .targets = vectors(sources)};
  if (targets) points.targets = vectors(*targets);
  if (normals) points.normals = vectors(*normals);
  points.core_radii = values(core_radii);
  return points;
}

/// A plan on the processor or a device, with arrays on the host. Threads that share it take turns.
class Sum {
 public:
  Sum(const GivenPoints& sources, const OptionalPoints& targets, const OptionalPoints& normals,
      const OptionalValues& core_radii, const fmm::Options& options, Place place) {
    const fmm::Points points = points_of(sources, targets, normals, core_radii);
    interruptible(0, [&] {
      if (is_device(place)) {
        operator_ = gpu::make_streamed_operator(points, options);
      } else {
        operator_.sum = fmm::make_cpu_operator(points, options);
      }
    });
  }

  void move(const GivenPoints& sources, const OptionalPoints& targets,
            const OptionalPoints& normals, const OptionalValues& core_radii) {
    const fmm::Points points = points_of(sources, targets, normals, core_radii);
    interruptible(0, [&] {
      const std::lock_guard turn(mutex_);
      try {
        sum().move(points);
        sum().synchronize();
      } catch (const Stopped&) {
        operator_.sum.reset();
        throw;
      }
    });
  }

  void apply(const OptionalValues& charges, const OptionalValues& normal_dipoles,
             const OptionalValues& dipoles, const OptionalValues& vortices,
             const std::optional<Writable>& potential, const std::optional<Writable>& gradient,
             const std::optional<Writable>& hessian, const std::optional<Writable>& velocity,
             const std::optional<Writable>& velocity_gradient, int rhs) {
    const fmm::Strengths strengths{values(charges), values(normal_dipoles), values(dipoles),
                                   values(vortices)};
    const fmm::Results results{values(potential), values(gradient), values(hessian),
                               values(velocity), values(velocity_gradient)};
    require_finite("charges", strengths.charges);
    require_finite("normal_dipoles", strengths.normal_dipoles);
    require_finite("dipoles", strengths.dipoles, 3);
    require_finite("vortices", strengths.vortices, 3);
    interruptible(0, [&] {
      const std::lock_guard turn(mutex_);
      if (operator_.stream) {
        gpu::apply_staged(operator_, strengths, results, rhs);
      } else {
        sum().apply(strengths, results, rhs);
      }
    });
  }

  nb::dict info() const {
    const fmm::OperatorInfo& info = sum().info();
    nb::dict all;
    all["device"] = operator_.stream ? "cuda" : "cpu";
    all["method"] = methods.word(info.method);
    all["kernel"] = kernels.word(info.kernel);
    all["precision"] = precisions.word(info.precision);
    all["tolerance"] = info.tolerance;
    all["kept_tolerance"] = info.kept_tolerance;
    all["order"] = info.order;
    all["leaf_capacity"] = info.leaf_capacity;
    all["depth"] = info.depth;
    all["sources"] = info.sources;
    all["targets"] = info.targets;
    all["boxes"] = info.boxes;
    all["leaves"] = info.leaves;
    all["near_pairs"] = info.near_pairs;
    all["host_bytes"] = info.host_bytes;
    all["device_bytes"] = info.device_bytes;
    all["setup_seconds"] = info.setup_seconds;
    return all;
  }

 private:
  fmm::Operator& sum() const {
    if (operator_.sum) return *operator_.sum;
    throw InputError("this sum was interrupted while its points moved; make a new one");
  }

  std::mutex mutex_;
  gpu::StreamedOperator operator_;  ///< without a stream on the processor
};

}  // namespace

void define_sum(nb::module_& module) {
  using nb::arg;
  const auto none = nb::none();
  nb::class_<Sum>(module, "Sum", "A sum over points, planned once (rankine.FMM).")
      .def(
          "__init__",
          [](Sum* self, const GivenPoints& sources, const OptionalPoints& targets,
             const OptionalPoints& normals, const OptionalValues& core_radii, double tolerance,
             const std::string& kernel, double softening, const std::string& method,
             const std::string& precision, int order, int derivatives, bool dipoles, int rhs,
             int threads, const std::string& device) {
            const fmm::Options options{.method = methods.value("method", method),
                                       .kernel = kernels.value("kernel", kernel),
                                       .softening = softening,
                                       .precision = precisions.value("precision", precision),
                                       .tolerance = tolerance,
                                       .order = order,
                                       .gradient = derivatives > 0,
                                       .hessian = derivatives > 1,
                                       .dipoles = dipoles,
                                       .rhs = rhs,
                                       .execution = execution(threads)};
            new (self) Sum(sources, targets, normals, core_radii, options, place(device));
          },
          arg("sources"), nb::kw_only(), arg("targets") = none, arg("normals") = none,
          arg("core_radii") = none, arg("tolerance"), arg("kernel"), arg("softening"),
          arg("method"), arg("precision"), arg("order"), arg("derivatives"), arg("dipoles"),
          arg("rhs"), arg("threads"), arg("device"))
      .def("move", &Sum::move, arg("sources"), nb::kw_only(), arg("targets") = none,
           arg("normals") = none, arg("core_radii") = none)
      .def("apply", &Sum::apply, nb::kw_only(), arg("charges") = none, arg("normal_dipoles") = none,
           arg("dipoles") = none, arg("vortices") = none, arg("potential") = none,
           arg("gradient") = none, arg("hessian") = none, arg("velocity") = none,
           arg("velocity_gradient") = none, arg("rhs") = 1)
      .def_prop_ro("info", &Sum::info);
}

}  // namespace rankine::python
