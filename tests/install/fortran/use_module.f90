! What the Fortran module adds to <rankine/fmm.h>: shapes, messages, plans that end by themselves.
program use_module
  use, intrinsic :: iso_c_binding, only: c_double, c_int, c_loc
  use, intrinsic :: ieee_arithmetic, only: ieee_quiet_nan, ieee_value
  use rankine_fmm
  implicit none
  integer, parameter :: n = 40, m = 25
  real(c_double), parameter :: few_roundings = 1.0e-13_c_double
  real(c_double) :: sources(3, n), targets(3, m), normals(3, n), wide(3, 2 * m)
  real(c_double), target :: q(n, 2), potential(m, 2)
  real(c_double) :: mu(n), free(3, n), phi(m), field(3, m), second(6, m)
  type(fmm_options) :: options
  integer :: i, failures

  failures = 0
  call random_seed(put=[(i, i = 1, 64)])
  call random_number(sources)
  call random_number(targets)
  call random_number(normals)
  call random_number(q)
  call random_number(mu)
  call random_number(free)
  options = fmm_default_options()
  options%backend = RANKINE_CPU
  call sums_are_those_of_a_loop()
  call several_right_hand_sides_by_address()
  call shapes_are_checked()
  call messages_come_from_the_library()
  call plans_are_not_copied()
  do i = 1, 3
    call plans_end_by_themselves()
  end do
  if (failures > 0) error stop 1

contains

  subroutine expect(true, what)
    logical, intent(in) :: true
    character(*), intent(in) :: what
    if (true) return
    failures = failures + 1
    print "(2a)", "failed: ", what
  end subroutine

  ! Charges and both kinds of dipoles; so few pairs are summed directly.
  subroutine sums_are_those_of_a_loop()
    type(fmm_plan) :: plan
    real(c_double) :: r(3), d, dipole(3), phi_exact(m), field_exact(3, m)
    integer :: i, j
    call plan%create(sources, targets, normals, options=options)
    call plan%apply(charges=q(:, 1), normal_dipoles=mu, dipoles=free, potential=phi, &
        gradient=field, hessian=second)
    phi_exact = 0
    field_exact = 0
    do i = 1, m
      do j = 1, n
        r = targets(:, i) - sources(:, j)
        d = norm2(r)
        dipole = mu(j) * normals(:, j) + free(:, j)
        phi_exact(i) = phi_exact(i) + q(j, 1) / d + dot_product(dipole, r) / d**3
        field_exact(:, i) = field_exact(:, i) - q(j, 1) * r / d**3 + dipole / d**3 &
            - 3 * dot_product(dipole, r) * r / d**5
      end do
    end do
    call expect(norm2(phi - phi_exact) < few_roundings * norm2(phi_exact), &
        "the potential is that of a loop")
    call expect(norm2(field - field_exact) < few_roundings * norm2(field_exact), &
        "and so is the gradient")
    call expect(maxval(abs(second(1, :) + second(4, :) + second(6, :))) &
        < few_roundings * maxval(abs(second)), "second derivatives have no trace")
    ! Targets that do not lie side by side.
    wide = 0
    wide(:, 1::2) = targets
    field = 0
    call plan%move(sources, wide(:, 1::2), normals)
    call plan%apply(charges=q(:, 1), normal_dipoles=mu, dipoles=free, gradient=field)
    call expect(norm2(field - field_exact) < few_roundings * norm2(field_exact), &
        "arrays need not be contiguous")
  end subroutine

  subroutine several_right_hand_sides_by_address()
    type(fmm_plan) :: plan
    type(fmm_strengths) :: given
    type(fmm_results) :: wanted
    type(fmm_info) :: info
    call plan%create(sources, targets, options=options)
    given%charges = c_loc(q)
    wanted%potential = c_loc(potential)
    call plan%apply_at(given, wanted, 2, RANKINE_HOST)
    call plan%synchronize()
    do i = 1, 2
      call plan%apply(charges=q(:, i), potential=phi)
      call expect(norm2(phi - potential(:, i)) < few_roundings * norm2(phi), &
          "each right-hand side has its sum")
    end do
    call plan%get_info(info)
    call expect(info%sources == n .and. info%targets == m .and. info%backend == RANKINE_CPU .and. &
        info%method == RANKINE_DIRECT, "info describes the plan")
  end subroutine

  subroutine shapes_are_checked()
    type(fmm_plan) :: plan
    integer(c_int) :: status
    call plan%create(wide(1:2, :), status=status)
    call refused(plan, status, "sources has the shape (2, 50), but needs (3, 50)")
    call plan%create(sources, normals=targets, status=status)
    call refused(plan, status, "normals has the shape (3, 25), but needs (3, 40)")
    call plan%create(sources, targets, options=options)
    call plan%apply(charges=mu(2:), potential=phi, status=status)
    call refused(plan, status, "charges has the shape (39), but needs (40)")
    call plan%apply(charges=mu, potential=phi, gradient=wide, status=status)
    call refused(plan, status, "gradient has the shape (3, 50), but needs (3, 25)")
    call plan%apply(charges=mu, potential=phi, status=status)
    call expect(status == RANKINE_OK, "a plan goes on after refusals")
  end subroutine

  subroutine messages_come_from_the_library()
    type(fmm_plan) :: plan
    type(fmm_options) :: wrong
    real(c_double) :: bad(3, n)
    integer(c_int) :: status
    call plan%apply(charges=mu(1:0), potential=phi(1:0), status=status)
    call refused(plan, status, "plan is NULL")
    bad = sources
    bad(2, 5) = ieee_value(bad(2, 5), ieee_quiet_nan)
    call plan%create(bad, status=status)
    call refused(plan, status, "4")
    wrong = options
    wrong%tolerance = 2
    call plan%create(sources, options=wrong, status=status)
    call refused(plan, status, "tolerance 2")
    call plan%create(sources, options=options)
    call plan%move(targets, status=status)
    call plan%apply(charges=mu, potential=phi, status=status)
    call refused(plan, status, "25")
    call plan%apply(charges=mu(1:m), potential=phi, status=status)
    call expect(status == RANKINE_OK, "a plan moves to another number of points")
  end subroutine

  subroutine refused(plan, status, part)
    type(fmm_plan), intent(in) :: plan
    integer(c_int), intent(in) :: status
    character(*), intent(in) :: part
    call expect(status == RANKINE_INPUT_ERROR, "refused: " // part)
    call expect(index(plan%message, part) > 0, "'" // plan%message // "' says " // part)
  end subroutine

  subroutine plans_are_not_copied()
    type(fmm_plan) :: plan, other
    integer(c_int) :: status
    call plan%create(sources, targets, options=options)
    call other%create(sources, targets, options=options)
    other = plan
    call other%apply(charges=mu, potential=phi, status=status)
    call expect(status == RANKINE_INPUT_ERROR, "what a plan is assigned to has to be created")
    plan = plan
    call plan%apply(charges=mu, potential=phi, status=status)
    call expect(status == RANKINE_OK, "a plan assigned to itself stays")
  end subroutine

  subroutine plans_end_by_themselves()
    type(fmm_plan) :: plan
    call plan%create(sources, options=options)
    call plan%create(targets, options=options)
    call plan%destroy()
    call plan%destroy()
    call plan%create(sources, options=options)
  end subroutine
end program
