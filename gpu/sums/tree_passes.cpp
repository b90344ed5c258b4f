// The passes of one apply of a tree operator.
#include <algorithm>

#include "rankine/gpu/runtime/profile_range.hpp"
#include "rankine/gpu/sums/mutual_sums.hpp"
#include "rankine/gpu/sums/tree_operator.hpp"

namespace rankine::gpu {

template <class T>
std::vector<typename TreeOperator<T>::Pass> TreeOperator<T>::passes(const Kind& kind) {
  const bool shared = shared_points_;
  const SourceView<T> sources{view(source_points_), info_.sources,
                              kind.charges ? charges_.data() : nullptr,
                              kind.dipoles ? dipoles_.data() : nullptr, inverse_cores_.data()};
  const PointView<T> targets = view(shared ? source_points_ : target_points_);
  // Devices gather results in Morton order.
  const std::int32_t* const target_order =
      shares_ ? nullptr : (shared ? source_order_ : target_order_).data();
  const auto used = shares_ ? shares_->used_sources() : std::span<const std::int32_t>();
  const bool second = kind.derivatives > 1;
  const SumView<T> sums{info_.targets,
                        potential_.data(),
                        kind.derivatives > 0 ? gradient_.data() : nullptr,
                        second ? hessian_.data() : nullptr,
                        velocity_.data(),
                        second ? velocity_gradient_.data() : nullptr};
  const std::int64_t rhs_stride = boxes_ * stride_;
  const Expansions<T> multipoles{multipoles_.data(), stride_, rhs_stride},
      locals{has_locals_ ? locals_.data() : nullptr, stride_, rhs_stride};
  const Expansions<const T> from_multipoles{multipoles.data, stride_, rhs_stride},
      from_locals{locals.data, stride_, rhs_stride};
  const int rhs = kind.rhs, columns = this->columns(rhs);
  const Root root = plan_.root;
  const fmm::PairKernel kernel{plan_.options.kernel, plan_.options.softening * inverse_side_};

  std::vector<Pass> all;
  all.push_back({"other", Branch::far, Needs::nothing, [=, this](const Stream& stream) {
                   const StrengthArrays<T> out{kind.charges ? charges_.data() : nullptr,
                                               kind.dipoles ? dipoles_.data() : nullptr,
                                               normals_.data()};
                   load_strengths(arrays_.data(), source_order_.data(), info_.sources, used,
                                  inverse_side_, out, rhs, stream);
                 }});
  all.push_back({"P2P", Branch::near, Needs::strengths, [=, this](const Stream& stream) {
                   if (is_mutual(kind)) {
                     sum_mutual(kernel, mutual_, sources, sums, partials_, root, stream);
                   } else {
                     sum_near(kernel, work_.target_blocks, work_.near, sources, targets, sums, rhs,
                              root, stream);
                   }
                 }});
  const ExpansionRows<T> rows{multipoles_.data(), stride_, rhs_stride, columns};
  all.push_back({"P2M", Branch::far, Needs::nothing, [=, this](const Stream& stream) {
                   if (shares_) shares_->clear_shared(rows, stream);
                   collect(fmm::Harmonic::regular, work_.p2m, work_.p2m_ranges, tables_, sources,
                           multipoles, columns, stream);
                 }});
  all.push_back({"M2M", Branch::far, Needs::nothing, [=, this](const Stream& stream) {
                   for (const DeviceTiles& tiles : m2m_tiles_) {
                     translate("M2M", tiles, octants_.m2m, from_multipoles, multipoles, Update::set,
                               columns, stream);
                   }
                 }});
  if (shares_) {
    all.push_back({"exchange", Branch::far, Needs::nothing, [=, this](const Stream& stream) {
                     shares_->exchange_expansions(rows, stream);
                   }});
  }
  if (!multipole_lists_.empty()) {
    all.push_back({"M2P", Branch::near, Needs::multipoles, [=, this](const Stream& stream) {
                     if (is_low_order(kind))
                       return evaluate_low_order(low_order_, multipole_lists_, targets,
                                                 from_multipoles, boxes_, low_order_coefficients_,
                                                 sums, rhs, stream);
                     evaluate_multipoles(work_.target_blocks, multipole_lists_, tables_, targets,
                                         from_multipoles, sums, rhs, stream);
                   }});
  }
  if (has_locals_) {
    all.push_back({"M2L", Branch::far, Needs::nothing, [=, this](const Stream& stream) {
                     translate("M2L", m2l_tiles_, m2l_matrices_, from_multipoles, locals,
                               Update::set, columns, stream);
                   }});
    if (work_.p2l.size() > 0) {
      all.push_back({"P2L", Branch::far, Needs::nothing, [=, this](const Stream& stream) {
                       collect(fmm::Harmonic::singular, work_.p2l, work_.p2l_ranges, tables_,
                               sources, locals, columns, stream);
                     }});
    }
    all.push_back({"L2L", Branch::far, Needs::nothing, [=, this](const Stream& stream) {
                     for (const DeviceTiles& tiles : l2l_tiles_) {
                       translate("L2L", tiles, octants_.l2l, from_locals, locals, Update::add,
                                 columns, stream);
                     }
                   }});
  }
  all.push_back({"L2P", Branch::far, Needs::near_sums, [=, this](const Stream& stream) {
                   evaluate_locals(work_.target_blocks, tables_, targets, from_locals, sums,
                                   target_order, inverse_side_, &arrays_.data()->results, rhs,
                                   stream);
                   if (close_.blocks.size() == 0) return;
                   sum_close(kernel, close_.blocks, close_.ranges, view(close_sources_),
                             view(shared ? close_sources_ : close_targets_), inverse_side_, sources,
                             sums, target_order, &arrays_.data()->results, rhs, stream);
                 }});
  return all;
}

/// Queues the passes on the streams of the two branches; begins and ends on the stream of far_.
template <class T>
void TreeOperator<T>::queue_passes(const Kind& kind) {
  const auto join = [](Event& event, const Stream& from, const Stream& to) {
    event.record(from);
    to.wait(event);
  };
  for (const Pass& pass : passes(kind)) {
    if (pass.needs == Needs::strengths) join(strengths_ready_, far_, near_);
    if (pass.needs == Needs::multipoles) join(multipoles_ready_, far_, near_);
    if (pass.needs == Needs::near_sums) join(near_done_, near_, far_);
    pass.queue(pass.branch == Branch::near ? near_ : far_);
  }
}

template <class T>
typename TreeOperator<T>::Kind TreeOperator<T>::prepare(const fmm::Strengths& strengths,
                                                        const fmm::Results& results, int rhs) {
  fmm::check_apply(strengths, results, rhs, info_, has_normals_);
  const Kind kind{!strengths.charges.empty() || vortices_,
                  !strengths.normal_dipoles.empty() || !strengths.dipoles.empty(),
                  fmm::derivatives(results), rhs};
  reserve(kind);
  store_arrays({address(strengths.charges), address(strengths.normal_dipoles),
                address(strengths.dipoles), address(strengths.vortices),
                shares_ ? shares_->ordered(results, *stream_)
                        : ResultView{address(results.potential), address(results.gradient),
                                     address(results.hessian), address(results.velocity),
                                     address(results.velocity_gradient)}},
               arrays_.data(), *stream_);
  return kind;
}

template <class T>
void TreeOperator<T>::apply(const fmm::Strengths& strengths, const fmm::Results& results, int rhs) {
  const ProfileRange range("apply");
  const Kind kind = prepare(strengths, results, rhs);
  if (info_.targets == 0) return;
  queue_apply(kind);
  if (shares_) shares_->gather_results(results, rhs, *stream_);
}

template <class T>
void TreeOperator<T>::queue_apply(const Kind& kind) {
  // A graph is worthwhile only from the second apply, which does not occur with moving points. A
  // graph cannot wait for messages via the host.
  if (!applied_ || (shares_ && !shares_->group().is_direct())) {
    applied_ = true;
    begun_.record(*stream_);
    far_.wait(begun_);
    queue_passes(kind);
    done_.record(far_);
    stream_->wait(done_);
    return;
  }
  auto found = graphs_.find(kind);
  if (found == graphs_.end())
    found = graphs_.emplace(kind, Graph(far_, [&] { queue_passes(kind); })).first;
  found->second.launch(*stream_);
}

template <class T>
std::vector<fmm::PassTime> TreeOperator<T>::breakdown(const fmm::Strengths& strengths,
                                                      const fmm::Results& results, int rhs) {
  const DeviceScope scope(*stream_->context());
  const std::vector<Pass> all = passes(prepare(strengths, results, rhs));
  std::vector<Event> marks;
  for (std::size_t i = 0; i <= all.size(); ++i) marks.emplace_back(Event::Timing::on);
  for (int warm = 0; warm < 2; ++warm) {
    marks[0].record(*stream_);
    for (std::size_t i = 0; i < all.size(); ++i) {
      all[i].queue(*stream_);
      marks[i + 1].record(*stream_);
    }
  }
  std::vector<fmm::PassTime> times;
  for (std::size_t i = 0; i < all.size(); ++i) {
    times.push_back({all[i].name, seconds_between(marks[i], marks[i + 1])});
  }
  if (!shares_) return times;
  marks[0].record(*stream_);
  shares_->gather_results(results, rhs, *stream_);
  marks[1].record(*stream_);
  times.push_back({"results", seconds_between(marks[0], marks[1])});
  return times;
}

#define RANKINE_INSTANTIATE(T)                                                                \
  template std::vector<typename TreeOperator<T>::Pass> TreeOperator<T>::passes(const Kind&);  \
  template void TreeOperator<T>::queue_passes(const Kind&);                                   \
  template void TreeOperator<T>::queue_apply(const Kind&);                                    \
  template typename TreeOperator<T>::Kind TreeOperator<T>::prepare(const fmm::Strengths&,     \
                                                                   const fmm::Results&, int); \
  template void TreeOperator<T>::apply(const fmm::Strengths&, const fmm::Results&, int);      \
  template std::vector<fmm::PassTime> TreeOperator<T>::breakdown(const fmm::Strengths&,       \
                                                                 const fmm::Results&, int);
RANKINE_INSTANTIATE(float)
RANKINE_INSTANTIATE(double)
#undef RANKINE_INSTANTIATE

}  // namespace rankine::gpu
