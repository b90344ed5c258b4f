! The summation operator for Fortran 2008, based on <rankine/fmm.h>, which defines the sums, the
! options and the tolerance. Compile this file with your program and link rankine_c.
!
!   type(fmm_plan) :: plan
!   call plan%create(sources, options=options, status=status)     sources(3, n), metres
!   call plan%apply(charges=q, potential=phi, status=status)      q(n), phi(n); no factor 1/(4 pi)
!
! Every call that can fail takes an optional `status`: 0, or RANKINE_INPUT_ERROR,
! RANKINE_DEVICE_ERROR or RANKINE_INTERNAL_ERROR, and plan%message contains the message. Without
! `status` an error ends the program. Different threads may use different plans at the same time; a
! plan may be used by one thread at a time. Assignment does not copy a plan: the variable on the
! left must then be created.
module rankine_fmm
  use, intrinsic :: iso_c_binding, only: c_associated, c_char, c_double, c_f_pointer, c_int, &
      c_int64_t, c_loc, c_null_ptr, c_ptr, c_size_t, c_sizeof
  use, intrinsic :: iso_fortran_env, only: error_unit
  implicit none
  private

  integer(c_int), parameter, public :: RANKINE_OK = 0, RANKINE_INTERNAL_ERROR = 1, &
      RANKINE_INPUT_ERROR = 2, RANKINE_DEVICE_ERROR = 6
  integer(c_int), parameter, public :: RANKINE_AUTO = 0, RANKINE_CPU = 1, RANKINE_CUDA = 2
  integer(c_int), parameter, public :: RANKINE_HOST = 0, RANKINE_DEVICE = 1
  integer(c_int), parameter, public :: RANKINE_DIRECT = 0, RANKINE_TREECODE = 1, &
      RANKINE_FAST_MULTIPOLE = 2
  integer(c_int), parameter, public :: RANKINE_FLOAT64 = 0, RANKINE_FLOAT32 = 1
  integer(c_int), parameter, public :: RANKINE_LAPLACE = 0, RANKINE_PLUMMER = 1, &
      RANKINE_VORTEX_EXPONENTIAL = 2, RANKINE_VORTEX_GAUSSIAN = 3

  ! The structs of rankine/fmm.h. Start with fmm_default_options() and change what you need.
  type, bind(c), public :: fmm_options
    integer(c_size_t) :: size
    real(c_double) :: tolerance, softening
    integer(c_int64_t) :: direct_pairs
    integer(c_int) :: backend, kernel, method, precision, order, leaf_capacity, derivatives, &
        dipoles, rhs, threads
  end type

  type, bind(c), public :: fmm_info
    integer(c_int64_t) :: sources, targets, boxes, leaves, near_pairs, host_bytes, device_bytes
    real(c_double) :: tolerance, kept_tolerance, setup_seconds
    type(c_ptr) :: stream
    integer(c_int) :: backend, method, precision, order, leaf_capacity, depth
  end type

  ! Addresses, for apply_at: on the host, or on the device of a CUDA plan.
  type, bind(c), public :: fmm_strengths
    type(c_ptr) :: charges = c_null_ptr, normal_dipoles = c_null_ptr, dipoles = c_null_ptr, &
        vortices = c_null_ptr
  end type

  type, bind(c), public :: fmm_results
    type(c_ptr) :: potential = c_null_ptr, gradient = c_null_ptr, hessian = c_null_ptr, &
        velocity = c_null_ptr, velocity_gradient = c_null_ptr
  end type

  type, bind(c) :: fmm_points
    integer(c_int64_t) :: source_count = 0, target_count = 0
    type(c_ptr) :: sources = c_null_ptr, targets = c_null_ptr, normals = c_null_ptr, &
        core_radii = c_null_ptr
  end type

  type, public :: fmm_plan
    character(:), allocatable :: message  ! of the last call that failed
    type(c_ptr), private :: handle = c_null_ptr
    integer(c_int64_t), private :: sources = 0, targets = 0
  contains
    procedure :: create, move, apply, apply_at, synchronize, get_info, destroy
    procedure, private :: leave_empty
    generic :: assignment(=) => leave_empty
    final :: finalize
  end type

  public :: fmm_default_options

  real(c_double), target, save :: nothing(1) = 0  ! the address of empty arrays

  interface
    integer(c_int) function c_default_options(options, size) &
        bind(c, name="rankine_fmm_default_options")
      import :: c_int, c_size_t, fmm_options
      type(fmm_options), intent(out) :: options
      integer(c_size_t), value :: size
    end function
    integer(c_int) function c_create(plan, points, options) bind(c, name="rankine_fmm_create")
      import :: c_int, c_ptr, fmm_points, fmm_options
      type(c_ptr), intent(out) :: plan
      type(fmm_points), intent(in) :: points
      type(fmm_options), intent(in) :: options
    end function
    integer(c_int) function c_move(plan, points, memory) bind(c, name="rankine_fmm_move")
      import :: c_int, c_ptr, fmm_points
      type(c_ptr), value :: plan
      type(fmm_points), intent(in) :: points
      integer(c_int), value :: memory
    end function
    integer(c_int) function c_apply(plan, strengths, results, rhs, memory) &
        bind(c, name="rankine_fmm_apply")
      import :: c_int, c_ptr, fmm_strengths, fmm_results
      type(c_ptr), value :: plan
      type(fmm_strengths), intent(in) :: strengths
      type(fmm_results), intent(in) :: results
      integer(c_int), value :: rhs, memory
    end function
    integer(c_int) function c_synchronize(plan) bind(c, name="rankine_fmm_synchronize")
      import :: c_int, c_ptr
      type(c_ptr), value :: plan
    end function
    integer(c_int) function c_get_info(plan, info, size) bind(c, name="rankine_fmm_get_info")
      import :: c_int, c_ptr, c_size_t, fmm_info
      type(c_ptr), value :: plan
      type(fmm_info), intent(out) :: info
      integer(c_size_t), value :: size
    end function
    subroutine c_destroy(plan) bind(c, name="rankine_fmm_destroy")
      import :: c_ptr
      type(c_ptr), value :: plan
    end subroutine
    type(c_ptr) function c_message() bind(c, name="rankine_message")
      import :: c_ptr
    end function
    integer(c_size_t) function c_length(text) bind(c, name="strlen")
      import :: c_ptr, c_size_t
      type(c_ptr), value :: text
    end function
  end interface

contains

  type(fmm_options) function fmm_default_options() result(options)
    integer(c_int) :: status
    status = c_default_options(options, c_sizeof(options))
    if (status /= RANKINE_OK) error stop "rankine_fmm.f90 and the library are of different versions"
  end function

  ! Builds the plan for sources(3, n) and targets(3, m), by default the sources; normals(3, n) for
  ! normal dipoles, core_radii(n) for vortex kernels. An earlier plan is destroyed.
  subroutine create(self, sources, targets, normals, core_radii, options, status)
    class(fmm_plan), intent(inout) :: self
    real(c_double), intent(in), target, contiguous :: sources(:, :)
    real(c_double), intent(in), target, contiguous, optional :: targets(:, :), normals(:, :)
    real(c_double), intent(in), target, contiguous, optional :: core_radii(:)
    type(fmm_options), intent(in), optional :: options
    integer(c_int), intent(out), optional :: status
    type(fmm_options) :: chosen
    type(fmm_points) :: points
    integer(c_int) :: code
    call self%destroy()
    chosen = fmm_default_options()
    if (present(options)) chosen = options
    code = describe(self, points, sources, targets, normals, core_radii)
    if (code == RANKINE_OK) code = heard(self, c_create(self%handle, points, chosen))
    if (code == RANKINE_OK) then
      self%sources = points%source_count
      self%targets = points%source_count
      if (present(targets)) self%targets = points%target_count
    end if
    call report(self, code, status)
  end subroutine

  ! Replaces the points by others, in any number.
  subroutine move(self, sources, targets, normals, core_radii, status)
    class(fmm_plan), intent(inout) :: self
    real(c_double), intent(in), target, contiguous :: sources(:, :)
    real(c_double), intent(in), target, contiguous, optional :: targets(:, :), normals(:, :)
    real(c_double), intent(in), target, contiguous, optional :: core_radii(:)
    integer(c_int), intent(out), optional :: status
    type(fmm_points) :: points
    integer(c_int) :: code
    code = describe(self, points, sources, targets, normals, core_radii)
    if (code == RANKINE_OK) code = heard(self, c_move(self%handle, points, RANKINE_HOST))
    if (code == RANKINE_OK) then
      self%sources = points%source_count
      self%targets = points%source_count
      if (present(targets)) self%targets = points%target_count
    end if
    call report(self, code, status)
  end subroutine

  ! Computes results, which are overwritten, from strengths, in the order of the points: charges(n),
  ! normal_dipoles(n), dipoles(3, n), vortices(3, n); potential(m), gradient(3, m), hessian(6, m) xx
  ! xy xz yy yz zz, velocity(3, m), velocity_gradient(3, 3, m) with d u_i / d x_j at (j, i).
  subroutine apply(self, charges, normal_dipoles, dipoles, vortices, potential, gradient, hessian, &
                   velocity, velocity_gradient, status)
    class(fmm_plan), intent(inout) :: self
    real(c_double), intent(in), target, contiguous, optional :: charges(:), normal_dipoles(:), &
        dipoles(:, :), vortices(:, :)
    real(c_double), intent(inout), target, contiguous, optional :: potential(:), gradient(:, :), &
        hessian(:, :), velocity(:, :), velocity_gradient(:, :, :)
    integer(c_int), intent(out), optional :: status
    type(fmm_strengths) :: s
    type(fmm_results) :: r
    integer(c_int) :: code
    integer :: n, m
    n = int(self%sources)
    m = int(self%targets)
    code = RANKINE_OK
    if (present(charges)) &
      call take(self, code, s%charges, c_loc(charges), "charges", shape(charges), [n])
    if (present(normal_dipoles)) call take(self, code, s%normal_dipoles, c_loc(normal_dipoles), &
      "normal_dipoles", shape(normal_dipoles), [n])
    if (present(dipoles)) &
      call take(self, code, s%dipoles, c_loc(dipoles), "dipoles", shape(dipoles), [3, n])
    if (present(vortices)) &
      call take(self, code, s%vortices, c_loc(vortices), "vortices", shape(vortices), [3, n])
    if (present(potential)) &
      call take(self, code, r%potential, c_loc(potential), "potential", shape(potential), [m])
    if (present(gradient)) &
      call take(self, code, r%gradient, c_loc(gradient), "gradient", shape(gradient), [3, m])
    if (present(hessian)) &
      call take(self, code, r%hessian, c_loc(hessian), "hessian", shape(hessian), [6, m])
    if (present(velocity)) &
      call take(self, code, r%velocity, c_loc(velocity), "velocity", shape(velocity), [3, m])
    if (present(velocity_gradient)) call take(self, code, r%velocity_gradient, &
      c_loc(velocity_gradient), "velocity_gradient", shape(velocity_gradient), [3, 3, m])
    if (code == RANKINE_OK) code = heard(self, c_apply(self%handle, s, r, 1_c_int, RANKINE_HOST))
    call report(self, code, status)
  end subroutine

  ! The same with arrays given by address, c_loc(array), for `rhs` right-hand sides, the last extent
  ! of every array; `memory` is RANKINE_HOST or RANKINE_DEVICE. Sizes are not checked.
  subroutine apply_at(self, strengths, results, rhs, memory, status)
    class(fmm_plan), intent(inout) :: self
    type(fmm_strengths), intent(in) :: strengths
    type(fmm_results), intent(in) :: results
    integer, intent(in) :: rhs
    integer(c_int), intent(in) :: memory
    integer(c_int), intent(out), optional :: status
    call report(self, heard(self, &
        c_apply(self%handle, strengths, results, int(rhs, c_int), memory)), status)
  end subroutine

  ! Waits for the work that apply_at has queued on a device.
  subroutine synchronize(self, status)
    class(fmm_plan), intent(inout) :: self
    integer(c_int), intent(out), optional :: status
    call report(self, heard(self, c_synchronize(self%handle)), status)
  end subroutine

  subroutine get_info(self, info, status)
    class(fmm_plan), intent(inout) :: self
    type(fmm_info), intent(out) :: info
    integer(c_int), intent(out), optional :: status
    call report(self, heard(self, c_get_info(self%handle, info, c_sizeof(info))), status)
  end subroutine

  subroutine destroy(self)
    class(fmm_plan), intent(inout) :: self
    call c_destroy(self%handle)
    self%handle = c_null_ptr
    self%sources = 0
    self%targets = 0
  end subroutine

  impure elemental subroutine finalize(self)
    type(fmm_plan), intent(inout) :: self
    call self%destroy()
  end subroutine

  subroutine leave_empty(self, other)
    class(fmm_plan), intent(inout) :: self
    class(fmm_plan), intent(in) :: other
    if (.not. c_associated(self%handle, other%handle)) call self%destroy()
  end subroutine

  ! Fills the C struct of points; RANKINE_INPUT_ERROR if shapes do not match.
  integer(c_int) function describe(self, points, sources, targets, normals, core_radii) result(code)
    class(fmm_plan), intent(inout) :: self
    type(fmm_points), intent(out) :: points
    real(c_double), intent(in), target, contiguous :: sources(:, :)
    real(c_double), intent(in), target, contiguous, optional :: targets(:, :), normals(:, :)
    real(c_double), intent(in), target, contiguous, optional :: core_radii(:)
    integer :: n
    code = RANKINE_OK
    n = size(sources, 2)
    points%source_count = n
    call take(self, code, points%sources, c_loc(sources), "sources", shape(sources), [3, n])
    if (present(targets)) then
      points%target_count = size(targets, 2)
      call take(self, code, points%targets, c_loc(targets), "targets", shape(targets), &
          [3, size(targets, 2)])
    end if
    if (present(normals)) &
      call take(self, code, points%normals, c_loc(normals), "normals", shape(normals), [3, n])
    if (present(core_radii)) &
      call take(self, code, points%core_radii, c_loc(core_radii), "core_radii", shape(core_radii), &
          [n])
  end function

  ! Stores `at`, the address of an array, in the C struct; code is RANKINE_INPUT_ERROR unless the
  ! array has the required shape.
  subroutine take(self, code, address, at, name, found, needed)
    class(fmm_plan), intent(inout) :: self
    integer(c_int), intent(inout) :: code
    type(c_ptr), intent(out) :: address
    type(c_ptr), intent(in) :: at
    character(*), intent(in) :: name
    integer, intent(in) :: found(:), needed(:)
    address = at
    if (any(found == 0)) address = c_loc(nothing)
    if (all(found == needed)) return
    code = RANKINE_INPUT_ERROR
    self%message = name // " has the shape " // text(found) // ", but needs " // text(needed)
  end subroutine

  pure function text(extents)
    integer, intent(in) :: extents(:)
    character(:), allocatable :: text
    character(40) :: line
    write (line, "('(', *(i0, :, ', '))") extents
    text = trim(line) // ")"
  end function

  ! Returns `code`, and stores the message if it is an error.
  integer(c_int) function heard(self, code)
    class(fmm_plan), intent(inout) :: self
    integer(c_int), intent(in) :: code
    character(c_char), pointer :: letters(:)
    type(c_ptr) :: message
    integer :: i
    heard = code
    if (code == RANKINE_OK) return
    message = c_message()
    call c_f_pointer(message, letters, [c_length(message)])
    self%message = repeat(" ", size(letters))
    do i = 1, size(letters)
      self%message(i:i) = letters(i)
    end do
  end function

  subroutine report(self, code, status)
    class(fmm_plan), intent(in) :: self
    integer(c_int), intent(in) :: code
    integer(c_int), intent(out), optional :: status
    if (present(status)) then
      status = code
    else if (code /= RANKINE_OK) then
      write (error_unit, "(a)") "rankine_fmm: " // self%message
      error stop
    end if
  end subroutine
end module
