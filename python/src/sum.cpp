#include "python/src/sum.hpp"

#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>

#include <array>
#include <cstdint>
#include <map>
#include <mutex>
#include <span>
#include <string>
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

/// Device arrays by name, for a sum on a device.
class DeviceArrays {
 public:
  DeviceArrays(const nb::kwargs& given, const gpu::StreamedOperator& streamed) {
    const int device = streamed.stream->context()->device().index;
    for (const auto& [key, value] : given) {
      const auto name = nb::cast<std::string>(key);
      const auto array = nb::cast<Array>(value);
      std::int64_t packed = 1;  // stride of a C-contiguous array
      bool contiguous = true;
      for (std::size_t k = array.ndim(); k-- > 0;
           packed *= static_cast<std::int64_t>(array.shape(k)))
        contiguous &= array.shape(k) == 1 || array.stride(k) == packed;
      if (array.dtype() != nb::dtype<double>() || !contiguous)
        throw InputError(name + " is not C-contiguous of the type float64; convert it");
      if (array.device_id() != device)
        throw InputError(name + " is on the device " + std::to_string(array.device_id()) +
                         ", and the sum on " + std::to_string(device) + "; copy it");
      arrays_.emplace(name, array);
    }
  }

  /// The array of this name; empty if there is none.
  std::span<double> operator[](const std::string& name) const {
    const auto found = arrays_.find(name);
    if (found == arrays_.end()) return {};
    return {static_cast<double*>(found->second.data()), found->second.size()};
  }

 private:
  using Array = nb::ndarray<nb::device::cuda>;
  std::map<std::string, Array> arrays_;
};

/// A plan on the processor or a device, with arrays on the host. Calls from several threads run one
/// after the other.
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

  /// move() and, below, apply() with arrays on the device of the sum.
  void move_on_device(const nb::kwargs& arrays) {
    const DeviceArrays given(arrays, operator_);
    const auto at = [&](const char* name) {
      return std::span(reinterpret_cast<const Vec3d*>(given[name].data()), given[name].size() / 3);
    };
    fmm::Points points{.sources = at("points"),
                       .targets = at(arrays.contains("targets") ? "targets" : "points"),
                       .normals = at("normals"),
                       .core_radii = given["core_radii"]};
    interruptible(0, [&] {
      const std::lock_guard turn(mutex_);
      sum().move(points, MemorySpace::device);
      sum().synchronize();
    });
  }

  void apply_on_device(int rhs, const nb::kwargs& arrays) {
    const DeviceArrays given(arrays, operator_);
    interruptible(0, [&] {
      const std::lock_guard turn(mutex_);
      sum().apply({given["charges"], given["normal_dipoles"], given["dipoles"], given["vortices"]},
                  {given["potential"], given["gradient"], given["hessian"], given["velocity"],
                   given["velocity_gradient"]},
                  rhs);
      sum().synchronize();
    });
  }

  /// The cudaStream_t of a sum on a device; empty on the processor.
  std::optional<std::uintptr_t> stream() const {
    if (!operator_.stream) return std::nullopt;
    return reinterpret_cast<std::uintptr_t>(operator_.stream->handle());
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
  gpu::StreamedOperator operator_;  ///< has no stream on the processor
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
          arg("points"), nb::kw_only(), arg("targets") = none, arg("normals") = none,
          arg("core_radii") = none, arg("tolerance"), arg("kernel"), arg("softening"),
          arg("method"), arg("precision"), arg("order"), arg("derivatives"), arg("dipoles"),
          arg("rhs"), arg("threads"), arg("device"))
      .def("move", &Sum::move, arg("points"), nb::kw_only(), arg("targets") = none,
           arg("normals") = none, arg("core_radii") = none)
      .def("apply", &Sum::apply, nb::kw_only(), arg("charges") = none, arg("normal_dipoles") = none,
           arg("dipoles") = none, arg("vortices") = none, arg("potential") = none,
           arg("gradient") = none, arg("hessian") = none, arg("velocity") = none,
           arg("velocity_gradient") = none, arg("rhs") = 1)
      .def("move_on_device", &Sum::move_on_device, arg("arrays"))
      .def("apply_on_device", &Sum::apply_on_device, nb::kw_only(), arg("rhs"), arg("arrays"))
      .def_prop_ro("stream", &Sum::stream)
      .def_prop_ro("info", &Sum::info);
}

}  // namespace rankine::python
