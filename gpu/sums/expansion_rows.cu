#include "rankine/gpu/sums/expansion_rows.hpp"

#include "rankine/gpu/runtime/device_loops.cuh"

namespace rankine::gpu {
namespace {

enum class Way { gather, scatter, zero };

template <Way way, class T>
__global__ void copy_kernel(ExpansionRows<T> rows, const std::int32_t* boxes, std::int64_t values,
                            const T* from, T* to) {
  const std::int64_t i = thread_index();
  if (i >= values) return;
  const std::int64_t width = std::int64_t{rows.stride} * rows.columns, row = i / width,
                     within = i % width;
  T& expansion = rows.data[within / rows.stride * rows.column_stride +
                           std::int64_t{boxes[row]} * rows.stride + within % rows.stride];
  if (way == Way::gather) to[i] = expansion;
  if (way == Way::scatter) expansion = from[i];
  if (way == Way::zero) expansion = T(0);
}

template <Way way, class T>
void copy(const ExpansionRows<T>& rows, const DeviceBuffer<std::int32_t>& boxes, const T* from,
          T* to, const Stream& stream) {
  const std::size_t values = boxes.size() * static_cast<std::size_t>(rows.width());
  if (values == 0) return;
  launch("rows of expansions", &copy_kernel<way, T>, one_thread_each(values), stream, rows,
         boxes.data(), static_cast<std::int64_t>(values), from, to);
}

}  // namespace

template <class T>
void gather_rows(const ExpansionRows<T>& rows, const DeviceBuffer<std::int32_t>& boxes, T* to,
                 const Stream& stream) {
  copy<Way::gather, T>(rows, boxes, nullptr, to, stream);
}

template <class T>
void scatter_rows(const ExpansionRows<T>& rows, const DeviceBuffer<std::int32_t>& boxes,
                  const T* from, const Stream& stream) {
  if (from == nullptr) {
    copy<Way::zero, T>(rows, boxes, nullptr, nullptr, stream);
  } else {
    copy<Way::scatter, T>(rows, boxes, from, nullptr, stream);
  }
}

#define RANKINE_INSTANTIATE(T)                                                                 \
  template void gather_rows<T>(const ExpansionRows<T>&, const DeviceBuffer<std::int32_t>&, T*, \
                               const Stream&);                                                 \
  template void scatter_rows<T>(const ExpansionRows<T>&, const DeviceBuffer<std::int32_t>&,    \
                                const T*, const Stream&);
RANKINE_INSTANTIATE(float)
RANKINE_INSTANTIATE(double)
#undef RANKINE_INSTANTIATE

}  // namespace rankine::gpu
