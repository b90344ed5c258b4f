# Installs a built tree into an empty folder and uses it as others would: builds and runs the
# examples, one of them in C alone and without CMake, includes every header, asks for a component
# that is not there, and takes the sources in as a subdirectory.
#   cmake -D source=. -D build=build/cpu -D work=FOLDER -D generator=Ninja -D compiler=c++
#     -D c_compiler=cc -P consume.cmake

# run(WHAT COMMAND ...): fails with the command's output.
function(run what)
  execute_process(COMMAND ${ARGN} OUTPUT_VARIABLE output ERROR_VARIABLE output
    RESULT_VARIABLE status)
  if(NOT status EQUAL 0)
    message(FATAL_ERROR "${what} failed (${status}):\n${output}")
  endif()
  set(output "${output}" PARENT_SCOPE)
endfunction()

set(configure ${CMAKE_COMMAND} -G ${generator} -D CMAKE_CXX_COMPILER=${compiler} -D
  CMAKE_PREFIX_PATH=${work}/prefix)

file(REMOVE_RECURSE ${work})
run("installing" ${CMAKE_COMMAND} --install ${build} --prefix ${work}/prefix --component library)

file(GLOB petsc_folders /usr/lib/petscdir/petsc*/*-real/lib/pkgconfig)
list(JOIN petsc_folders ":" petsc_folders)
set(ENV{PKG_CONFIG_PATH} "$ENV{PKG_CONFIG_PATH}:${petsc_folders}")
run("configuring the examples" ${configure} -S ${source}/examples -B ${work}/examples)
run("building the examples" ${CMAKE_COMMAND} --build ${work}/examples)
run("running the examples" ${CMAKE_CTEST_COMMAND} --test-dir ${work}/examples --verbose)
message("${output}")

run("configuring a project in C" ${configure} -S ${source}/tests/install/c_only -B ${work}/c_only
  -D SOURCE=${source}/examples/c_interface.c)
run("building a project in C" ${CMAKE_COMMAND} --build ${work}/c_only)
run("running a project in C" ${work}/c_only/c_only)

find_program(fortran NAMES gfortran ifx flang NO_CACHE)
if(fortran)
  run("configuring a project in Fortran" ${configure} -S ${source}/tests/install/fortran -B
    ${work}/fortran
    -D CMAKE_Fortran_COMPILER=${fortran})
  run("building a project in Fortran" ${CMAKE_COMMAND} --build ${work}/fortran)
  run("running a project in Fortran" ${work}/fortran/fortran)
endif()

find_program(pkg_config NAMES pkg-config pkgconf)
if(pkg_config)
  file(GLOB_RECURSE flags_file ${work}/prefix/rankine-fmm.pc)
  run("asking pkg-config for flags" ${pkg_config} --cflags --libs ${flags_file})
  separate_arguments(flags UNIX_COMMAND "${output}")
  run("building with the flags of pkg-config" ${c_compiler} -std=c99 -O2
    ${source}/examples/c_interface.c
    -o ${work}/c_by_flags ${flags})
  run("running what was built with the flags of pkg-config" ${work}/c_by_flags)
endif()

file(GLOB_RECURSE shared ${work}/prefix/librankine.so)
run("running the example in Python" python3 ${source}/examples/from_python.py ${shared})
message("${output}")
run("listing the symbols of the shared library" nm --dynamic --defined-only ${shared})
string(REGEX MATCHALL "[^\n]+" symbols "${output}")
list(FILTER symbols EXCLUDE REGEX "rankine_[a-z_]+@@RANKINE_|A RANKINE_")
if(symbols)
  message(FATAL_ERROR
    "the shared library shows more than the functions of its header, versioned: ${symbols}")
endif()

# How the libraries were built is none of a user's business.
file(GLOB_RECURSE package ${work}/prefix/*.cmake ${work}/prefix/*.pc)
foreach(file IN LISTS package)
  file(READ ${file} text)
  if(text MATCHES
    "(-march=[a-z0-9-]+|-W[a-z]+|-fmacro-prefix-map|INTERFACE_COMPILE_OPTIONS|rankine_build|Eigen)")
    message(FATAL_ERROR "${file} hands '${CMAKE_MATCH_1}' on to users")
  endif()
  string(FIND "${text}" "${source}" place)
  if(NOT place EQUAL -1)
    message(FATAL_ERROR "${file} names the folder of the sources")
  endif()
endforeach()

# Everything that an installed header includes is installed.
file(GLOB_RECURSE headers RELATIVE ${work}/prefix/include ${work}/prefix/include/rankine/*)
list(TRANSFORM headers REPLACE "(.+)" "#include \"\\1\"\n")
string(CONCAT includes ${headers})
file(WRITE ${work}/headers.cpp "${includes}int main() {}\n")
run("configuring a user of every header" ${configure} -S ${source}/tests/install/headers -B
  ${work}/headers
  -D SOURCE=${work}/headers.cpp)
run("building a user of every header" ${CMAKE_COMMAND} --build ${work}/headers)

execute_process(
  COMMAND ${configure} -S ${source}/tests/install/headers -B ${work}/wings -D
          SOURCE=${work}/headers.cpp
    -D COMPONENT=wings
  OUTPUT_VARIABLE output ERROR_VARIABLE output RESULT_VARIABLE status)
if(status EQUAL 0 OR NOT output MATCHES "rankine has no component 'wings'")
  message(FATAL_ERROR
    "a component that is not there was asked for; expected a message that says so, got:\n${output}")
endif()

run("taking the sources in as a subdirectory" ${configure} -S ${source}/tests/install/subdirectory
  -B ${work}/subdirectory -D RANKINE=${source})
