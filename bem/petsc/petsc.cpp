#include "rankine/bem/petsc/petsc.hpp"

#include <dlfcn.h>

#include <cmath>
#include <cstdlib>
#include <exception>
#include <filesystem>
#include <span>
#include <string>
#include <type_traits>
#include <vector>

#include "rankine/bem/krylov/linear_system.hpp"
#include "rankine/bem/petsc/module.hpp"
#include "rankine/fmm/core/error.hpp"
#include "rankine/fmm/core/execution.hpp"
#include "rankine/fmm/core/stopwatch.hpp"

namespace rankine::bem {

struct Petsc::Module {
  decltype(&rankine_petsc_start) start = nullptr;
  decltype(&rankine_petsc_finish) finish = nullptr;
  decltype(&rankine_petsc_solve) solve = nullptr;
  decltype(&rankine_petsc_error) error = nullptr;

  static const Module& load();
};

namespace {

namespace fs = std::filesystem;

fs::path module_file() {
  const char* const named = std::getenv("RANKINE_PETSC");
  if (named != nullptr && *named != '\0') return named;
  const fs::path program = fs::read_symlink("/proc/self/exe").parent_path();
  const fs::path beside = program / "rankine-petsc.so";
  return fs::exists(beside) ? beside : program / RANKINE_MODULE_FOLDER / "rankine-petsc.so";
}

/// Solves for one right-hand side. The vectors of PETSc are on the host.
class HostSolve {
 public:
  HostSolve(Backend& backend, LinearOperator& matrix, LinearOperator* preconditioner,
            const GmresOptions& options, int rhs, const double* b, double* x)
      : backend_(backend),
        matrix_(matrix),
        preconditioner_(preconditioner),
        options_(options),
        rhs_(rhs),
        n_(matrix.rows()),
        system_(backend, n_, b, x),
        in_(backend.allocate(n_)),
        out_(backend.allocate(n_)),
        b_(n_),
        x_(n_) {
    backend.download(b, b_);
  }

  /// PETSc ends when its estimate of the residual is small enough, so it is called until the true
  /// residual is small enough.
  template <class Solve>
  GmresResult run(const Solve& solve) {
    result_.history = {0.0};
    if (system_.solved_by_zero()) return result_;
    result_.residual = result_.true_residual = residual();
    result_.history = {result_.residual};
    if (!std::isfinite(result_.residual)) result_.status = GmresStatus::breakdown;
    while (is_going_on()) {
      const double before = result_.true_residual;
      advance(solve);
      if (abandoned_) break;
      result_.true_residual = residual();
      if (result_.true_residual <= options_.tolerance) result_.status = GmresStatus::converged;
      if (is_going_on() && result_.true_residual > (1.0 - 1e-3) * before)
        result_.status = GmresStatus::stagnated;
    }
    return result_;
  }

 private:
  bool is_going_on() const {
    return result_.status == GmresStatus::converged && result_.true_residual > options_.tolerance;
  }

  /// One solve by PETSc from the current x.
  template <class Solve>
  void advance(const Solve& solve) {
    backend_.download(system_.x(), x_);
    observed_ = 0;
    const RankinePetscSystem system{
        .n = static_cast<int>(n_),
        .b = b_.data(),
        .x = x_.data(),
        .tolerance = options_.tolerance,
        .max_iterations = options_.max_iterations - result_.iterations,
        .restart = options_.restart,
        .context = this,
        .multiply = [](void* self, const double* from,
                       double* to) { return static_cast<HostSolve*>(self)->multiply(from, to); },
        .precondition =
            preconditioner_ == nullptr
                ? nullptr
                : +[](void* self, const double* from,
                      double* to) { return static_cast<HostSolve*>(self)->precondition(from, to); },
        .observe =
            [](void* self, int iteration, double norm) {
              return static_cast<HostSolve*>(self)->observe(iteration, norm);
            }};
    const RankinePetscEnd end = solve(system, failure_);
    backend_.upload(x_, system_.x());
    if (failure_) {
      end_early();
    } else if (end != rankine_petsc_converged && result_.status == GmresStatus::converged) {
      result_.status = end == rankine_petsc_out_of_iterations ? GmresStatus::max_iterations
                                                              : GmresStatus::breakdown;
    }
  }

  /// After an exception in a callback. x is the last iterate, if there is one.
  void end_early() {
    try {
      std::rethrow_exception(failure_);
    } catch (const Stopped&) {
      if (result_.iterations == 0) throw;
    }
    abandoned_ = true;
    result_.true_residual = result_.residual;
    result_.status = GmresStatus::interrupted;
  }

  double residual() {
    product(system_.x(), 0.0);
    return system_.residual(out_.data());
  }

  void product(const double* x, double accuracy) {
    throw_if_stopped();
    const ProductRequest request{rhs_, accuracy};
    if (options_.before_product) options_.before_product(std::span(&request, 1));
    backend_.fill(n_, 0.0, out_.data());
    matrix_.add(1.0, x, out_.data());
  }

  /// Exceptions must not pass through PETSc.
  template <class Work>
  int kept(const Work& work) {
    try {
      return work();
    } catch (...) {
      failure_ = std::current_exception();
      return 1;
    }
  }

  /// PETSc does not say which products are residuals of iterates, so all are as accurate as those.
  int multiply(const double* from, double* to) {
    return kept([&] {
      backend_.upload({from, n_}, in_.data());
      product(in_.data(), options_.tolerance);
      backend_.download(out_.data(), {to, n_});
      return 0;
    });
  }

  int precondition(const double* from, double* to) {
    return kept([&] {
      backend_.upload({from, n_}, in_.data());
      backend_.fill(n_, 0.0, out_.data());
      preconditioner_->add(1.0, in_.data(), out_.data());
      backend_.download(out_.data(), {to, n_});
      return 0;
    });
  }

  /// PETSc repeats the last iteration of a cycle as the start of the next one.
  int observe(int iteration, double norm) {
    if (iteration == observed_) return 0;
    observed_ = iteration;
    return kept([&] {
      result_.residual = norm / system_.b_norm();
      result_.history.push_back(result_.residual);
      ++result_.iterations;
      if (!options_.callback ||
          options_.callback({result_.iterations, result_.residual, watch_.seconds(), rhs_}))
        return 0;
      result_.status = GmresStatus::interrupted;
      return 1;
    });
  }

  Backend& backend_;
  LinearOperator& matrix_;
  LinearOperator* preconditioner_;
  const GmresOptions& options_;
  int rhs_;
  std::size_t n_;
  LinearSystem system_;
  Array in_, out_;
  std::vector<double> b_, x_;
  Stopwatch watch_;
  GmresResult result_;
  int observed_ = 0;  ///< the last iteration of the current solve by PETSc
  bool abandoned_ = false;
  std::exception_ptr failure_;
};

}  // namespace

const Petsc::Module& Petsc::Module::load() {
  static const Module loaded = [] {
    const std::string file = module_file();
    void* const library = ::dlopen(file.c_str(), RTLD_NOW);
    if (library == nullptr) {
      throw InputError(
          "solver.krylov \"petsc\" needs the module rankine-petsc.so, which is built "
          "where CMake finds PETSc (Debian: libpetsc-real-dev): " +
          std::string(::dlerror()) +
          "; name the file in the environment variable RANKINE_PETSC, or use \"own\"");
    }
    Module module;
    const auto look_up = [&](auto& function, const char* name) {
      function =
          reinterpret_cast<std::remove_reference_t<decltype(function)>>(::dlsym(library, name));
      if (function == nullptr)
        throw InputError(file + " is not a module of this version of rankine: it lacks " + name);
    };
    look_up(module.start, "rankine_petsc_start");
    look_up(module.finish, "rankine_petsc_finish");
    look_up(module.solve, "rankine_petsc_solve");
    look_up(module.error, "rankine_petsc_error");
    return module;
  }();
  return loaded;
}

Petsc::Petsc(bool shared) : module_(Module::load()) {
  if (const char* const reason = module_.start(shared ? 1 : 0))
    throw InputError(std::string("PETSc does not start: ") + reason);
}

Petsc::~Petsc() { module_.finish(); }

KrylovMethod Petsc::method() const {
  const auto solve = [&module = module_](const RankinePetscSystem& system,
                                         const std::exception_ptr& failure) {
    const RankinePetscEnd end = module.solve(&system);
    if (end == rankine_petsc_failed && !failure)
      throw InputError(std::string("PETSc: ") + module.error() +
                       "; see PETSC_OPTIONS, or use solver.krylov \"own\"");
    return end;
  };
  return [solve](Backend& backend, int rhs, LinearOperator& matrix, const double* b, double* x,
                 const GmresOptions& options, LinearOperator* preconditioner) {
    std::vector<GmresResult> results;
    for (int k = 0; k < rhs; ++k) {
      const std::size_t first = static_cast<std::size_t>(k) * matrix.rows();
      HostSolve one(backend, matrix, preconditioner, options, k, b + first, x + first);
      results.push_back(one.run(solve));
      if (results.back().status == GmresStatus::interrupted && k + 1 < rhs)
        throw Stopped("stopped on request");
    }
    return results;
  };
}

}  // namespace rankine::bem
