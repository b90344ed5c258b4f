# What every library, program and test of the project shares: standard, warnings, sanitizers,
# include roots.

if(PROJECT_IS_TOP_LEVEL AND NOT CMAKE_BUILD_TYPE AND NOT CMAKE_CONFIGURATION_TYPES)
  set(CMAKE_BUILD_TYPE Release CACHE STRING "Build type" FORCE)
endif()

set(CMAKE_CXX_EXTENSIONS OFF)
set(CMAKE_POSITION_INDEPENDENT_CODE ON)
set(CMAKE_EXPORT_COMPILE_COMMANDS ON)

find_package(Threads REQUIRED)
set_target_properties(Threads::Threads PROPERTIES IMPORTED_GLOBAL TRUE)

# Headers are included as "rankine/fmm/operator.hpp", in the project and by its users. In the build
# tree `rankine` is a link to the sources.
file(MAKE_DIRECTORY ${PROJECT_BINARY_DIR}/include)
file(CREATE_LINK ${PROJECT_SOURCE_DIR} ${PROJECT_BINARY_DIR}/include/rankine SYMBOLIC)

# Options for building the project itself. They do not reach targets that link to its libraries.
add_library(rankine_build INTERFACE)
target_compile_options(rankine_build INTERFACE
  $<$<COMPILE_LANGUAGE:CXX>:-Wall -Wextra -Wpedantic -Wshadow -fopenmp-simd>
  $<$<AND:$<COMPILE_LANGUAGE:CXX>,$<BOOL:${RANKINE_WERROR}>>:-Werror>
  $<$<AND:$<COMPILE_LANGUAGE:CXX>,$<BOOL:${RANKINE_NATIVE}>>:-march=native>)
# Messages name source files relative to the repository root.
foreach(root IN ITEMS ${PROJECT_SOURCE_DIR} ${PROJECT_BINARY_DIR}/include/rankine)
  target_compile_options(rankine_build INTERFACE
    $<$<COMPILE_LANGUAGE:CXX>:-fmacro-prefix-map=${root}/=>
    $<$<COMPILE_LANGUAGE:CUDA>:-Xcompiler=-fmacro-prefix-map=${root}/=>)
endforeach()
# False warnings of GCC 12: about undefined registers in its own AVX-512 intrinsics (GCC PR 105593),
# and about overlapping copies in sums of strings (GCC PR 105651).
target_compile_options(rankine_build INTERFACE
  $<$<AND:$<COMPILE_LANG_AND_ID:CXX,GNU>,$<VERSION_LESS:$<CXX_COMPILER_VERSION>,13>>:
    -Wno-maybe-uninitialized -Wno-restrict>)
# CMake 3.25 does not know C++20 for nvcc, so the standard is an option there.
target_compile_options(rankine_build INTERFACE
  $<$<COMPILE_LANGUAGE:CUDA>:-std=c++20 -Werror=all-warnings --extended-lambda
    --expt-relaxed-constexpr -Xcompiler=-Wall,-Wextra,-Wshadow>)
if(RANKINE_SANITIZE)
  target_compile_options(rankine_build INTERFACE
    $<$<COMPILE_LANGUAGE:CXX>:-fsanitize=${RANKINE_SANITIZE} -fno-omit-frame-pointer>)
  if(RANKINE_SANITIZE MATCHES undefined)
    target_compile_options(rankine_build
      INTERFACE $<$<COMPILE_LANGUAGE:CXX>:-fno-sanitize-recover=undefined>)
  endif()
  target_link_options(rankine_build INTERFACE -fsanitize=${RANKINE_SANITIZE})
endif()
if(RANKINE_FUZZ)
  target_compile_options(rankine_build
    INTERFACE $<$<COMPILE_LANGUAGE:CXX>:-fsanitize=fuzzer-no-link>)
endif()
# GCC needs this option so that ccache can work with precompiled headers.
target_compile_options(rankine_build INTERFACE $<$<COMPILE_LANG_AND_ID:CXX,GNU>:-fpch-preprocess>)

# rankine_precompile(NAME [PROGRAM] HEADERS ... LINK ...): an object library NAME with precompiled
# headers, those of the standard library and HEADERS. Other targets use them with
# target_precompile_headers(... REUSE_FROM NAME): libraries without PROGRAM, executables with it.
function(rankine_precompile name)
  cmake_parse_arguments(ARG "PROGRAM" "" "HEADERS;LINK" ${ARGN})
  file(CONFIGURE OUTPUT ${PROJECT_BINARY_DIR}/${name}.cpp CONTENT "")
  add_library(${name} OBJECT ${PROJECT_BINARY_DIR}/${name}.cpp)
  target_compile_features(${name} PRIVATE cxx_std_20)
  target_link_libraries(${name} PRIVATE rankine_build ${ARG_LINK})
  if(ARG_PROGRAM)
    set_target_properties(${name} PROPERTIES POSITION_INDEPENDENT_CODE OFF)
    target_compile_options(${name} PRIVATE -fPIE)
  endif()
  set(headers algorithm array atomic charconv chrono cmath cstdint cstdio cstdlib cstring exception
    filesystem fstream functional iomanip iterator limits map memory mutex numbers numeric optional
    random span sstream stdexcept stop_token string string_view thread tuple type_traits
    unordered_map utility variant vector)
  list(APPEND headers ${ARG_HEADERS})
  list(TRANSFORM headers REPLACE "(.+)" "<\\1>")
  target_precompile_headers(${name} PRIVATE ${headers})
endfunction()

rankine_precompile(rankine_standard_headers)

# rankine_harden(): the targets of this folder and of folders below read files of others. A write
# beyond an array ends the program, its addresses are random, and its tables are read-only.
function(rankine_harden)
  if(RANKINE_SANITIZE)
    return()
  endif()
  add_compile_options(-fstack-protector-strong -U_FORTIFY_SOURCE
    $<$<NOT:$<CONFIG:Debug>>:-D_FORTIFY_SOURCE=2>)
  add_compile_definitions(_GLIBCXX_ASSERTIONS)
  add_link_options(LINKER:-z,relro,-z,now -pie)
endfunction()

# The instruction sets that the kernels are compiled for. One takes a compiler a minute.
set(RANKINE_SETS baseline avx2 avx512 CACHE STRING
  "Instruction sets that the program chooses among at run time; host: the best of this machine")
set(sets ${RANKINE_SETS})
if(RANKINE_SETS STREQUAL host)
  set(flags)
  if(EXISTS /proc/cpuinfo)
    file(STRINGS /proc/cpuinfo flags REGEX "^flags" LIMIT_COUNT 1)
  endif()
  if(flags MATCHES " avx512f " AND flags MATCHES " avx512dq " AND flags MATCHES " avx512vl "
    AND flags MATCHES " avx512bw ")
    set(sets avx512)
  elseif(flags MATCHES " avx2 " AND flags MATCHES " fma ")
    set(sets avx2)
  else()
    set(sets baseline)
  endif()
endif()
set(flags_of_baseline -march=x86-64)
set(flags_of_avx2 -march=x86-64-v3)
set(flags_of_avx512 -march=x86-64-v4 -mprefer-vector-width=512)
if(NOT CMAKE_SYSTEM_PROCESSOR MATCHES "x86_64|AMD64")
  set(sets baseline)
  set(flags_of_baseline)
elseif(RANKINE_NATIVE OR RANKINE_SANITIZE)
  set(sets baseline)
  set(flags_of_baseline -march=native -mprefer-vector-width=512)
endif()

# rankine_instruction_sets(NAME SOURCE): a source of the library NAME that is compiled once per
# instruction set, with RANKINE_SIMD naming the set. The library has a definition RANKINE_SET_name
# for each. Sanitizer builds do without -O3, with which the compiler would take minutes.
function(rankine_instruction_sets name source)
  foreach(set IN LISTS sets)
    set(objects rankine_${name}_${set})
    add_library(${objects} OBJECT ${source})
    target_include_directories(${objects} PRIVATE ${PROJECT_BINARY_DIR}/include)
    target_compile_features(${objects} PRIVATE cxx_std_20)
    target_link_libraries(${objects} PRIVATE rankine_build)
    target_compile_definitions(${objects} PRIVATE RANKINE_SIMD=${set})
    if(NOT RANKINE_SANITIZE)
      target_compile_options(${objects} PRIVATE -O3)
    endif()
    target_compile_options(${objects} PRIVATE -ffp-contract=fast -Wno-psabi -Wno-maybe-uninitialized
      ${flags_of_${set}})
    target_sources(rankine_${name} PRIVATE $<TARGET_OBJECTS:${objects}>)
    target_compile_definitions(rankine_${name} PRIVATE RANKINE_SET_${set})
  endforeach()
endfunction()

set(RANKINE_TOGETHER 8 CACHE STRING "Sources that are compiled at a time")
# GCC spends a tenth of the time of large batches on garbage collection, to save a fifth of memory.
if(RANKINE_TOGETHER GREATER 8 AND CMAKE_CXX_COMPILER_ID STREQUAL GNU)
  target_compile_options(rankine_build INTERFACE
    "$<$<COMPILE_LANGUAGE:CXX>:SHELL:--param ggc-min-heapsize=1000000>")
endif()

# Sources of a batch shadow each other's names, and GCC takes them for headers, in which it warns of
# classes with members in an unnamed namespace.
add_library(rankine_batch_build INTERFACE)
if(NOT CMAKE_DISABLE_PRECOMPILE_HEADERS)
  target_compile_options(rankine_batch_build INTERFACE $<$<COMPILE_LANGUAGE:CXX>:-Wno-shadow>
    $<$<COMPILE_LANG_AND_ID:CXX,GNU>:-Wno-subobject-linkage>)
endif()

# rankine_library(NAME SOURCES ... LINK ... PRIVATE_LINK ... HEADERS ... PRECOMPILED ...): a static
# library, rankine::NAME to others. Only its sources use the libraries of PRIVATE_LINK. A library
# with HEADERS (names or patterns) is installed with them as the package's component NAME; its
# folder is NAME. PRECOMPILED: the target of rankine_precompile with its headers, by default those
# of the standard library. Eight sources are compiled at a time, in a third less processor time, but
# not those of fmm and gpu, whose speed matters most and which have CUDA sources. A build without
# precompiled headers compiles them one by one, to find missing includes.
function(rankine_library name)
  cmake_parse_arguments(ARG "" "PRECOMPILED" "SOURCES;LINK;PRIVATE_LINK;HEADERS" ${ARGN})
  if(NOT ARG_PRECOMPILED)
    set(ARG_PRECOMPILED rankine_standard_headers)
  endif()
  add_library(rankine_${name} STATIC ${ARG_SOURCES})
  add_library(rankine::${name} ALIAS rankine_${name})
  set_target_properties(rankine_${name} PROPERTIES EXPORT_NAME ${name})
  target_compile_features(rankine_${name} PUBLIC cxx_std_20)
  target_include_directories(rankine_${name}
    PUBLIC $<BUILD_INTERFACE:${PROJECT_BINARY_DIR}/include>
           $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}>
    PRIVATE ${PROJECT_SOURCE_DIR})
  target_link_libraries(rankine_${name}
    PUBLIC ${ARG_LINK} Threads::Threads
    PRIVATE ${ARG_PRIVATE_LINK} $<BUILD_INTERFACE:rankine_build>
      $<BUILD_INTERFACE:rankine_batch_build>)
  target_precompile_headers(rankine_${name} REUSE_FROM ${ARG_PRECOMPILED})
  set_target_properties(rankine_${name} PROPERTIES RANKINE_HEADERS "${ARG_HEADERS}")
  if(NOT name STREQUAL gpu)
    rankine_compile_together(rankine_${name})
  endif()
endfunction()

# rankine_little_optimized(NAME SOURCES ...): sources of the library NAME that take a few hundredths
# of a solve. This level saves 40 % of their compile time.
function(rankine_little_optimized name)
  set(objects rankine_${name}_little_optimized)
  add_library(${objects} OBJECT ${ARGN})
  target_compile_features(${objects} PRIVATE cxx_std_20)
  target_include_directories(${objects}
    PRIVATE ${PROJECT_BINARY_DIR}/include ${PROJECT_SOURCE_DIR})
  target_link_libraries(${objects} PRIVATE rankine_build rankine_batch_build)
  target_compile_options(${objects} PRIVATE $<$<CONFIG:Release>:-O1>)
  target_precompile_headers(${objects} REUSE_FROM rankine_standard_headers)
  rankine_compile_together(${objects})
  target_sources(rankine_${name} PRIVATE $<TARGET_OBJECTS:${objects}>)
endfunction()

function(rankine_compile_together target)
  if(NOT CMAKE_DISABLE_PRECOMPILE_HEADERS)
    set_target_properties(${target}
      PROPERTIES UNITY_BUILD ON UNITY_BUILD_BATCH_SIZE ${RANKINE_TOGETHER})
  endif()
endfunction()

# What sources of tests are compiled with: little optimisation, which takes a third of the time, or
# none, and without warnings of names that shadow those of another source of the batch.
foreach(level IN ITEMS 0 1)
  add_library(rankine_test_build_O${level} INTERFACE)
  target_compile_options(rankine_test_build_O${level} INTERFACE
    $<$<COMPILE_LANG_AND_ID:CXX,GNU,Clang>:-O${level}>
    $<$<NOT:$<BOOL:${CMAKE_DISABLE_PRECOMPILE_HEADERS}>>:-Wno-shadow>)
endforeach()

# rankine_test(NAME [READS_FILES] [ONE_BY_ONE] [PLAIN] SOURCES ... LINK ... LABELS ...): a
# GoogleTest program whose suites ctest runs, each in a process. ONE_BY_ONE is for long tests and
# for those that may be skipped: a process per test. With READS_FILES it finds rankine-reader. PLAIN
# is for tests whose own code takes no time: they are compiled without optimisation. ctest runs
# suites at the same time, so the loops of each have one thread, except those of tests that set a
# number. That saves a seventh of the processor time. Tests of the program have its default.
function(rankine_test name)
  cmake_parse_arguments(ARG "READS_FILES;ONE_BY_ONE;PLAIN" "" "SOURCES;LINK;LABELS" ${ARGN})
  if(ARG_PLAIN)
    set(level O0)
  else()
    set(level O1)
  endif()
  add_executable(${name} ${ARG_SOURCES})
  target_include_directories(${name} PRIVATE ${PROJECT_SOURCE_DIR} ${PROJECT_BINARY_DIR}/include)
  target_compile_features(${name} PRIVATE cxx_std_20)
  target_link_libraries(${name}
    PRIVATE rankine_build rankine_test_build_${level} ${ARG_LINK} GTest::gtest_main)
  target_precompile_headers(${name} REUSE_FROM rankine_test_headers_${level})
  rankine_compile_together(${name})
  if(ARG_READS_FILES)
    target_sources(${name} PRIVATE ${PROJECT_SOURCE_DIR}/tests/support/reader_of_this_build.cpp)
    target_compile_definitions(${name} PRIVATE RANKINE_READER_FILE="$<TARGET_FILE:rankine_reader>")
    add_dependencies(${name} rankine_reader rankine_vtk_reader)
  endif()
  set(properties TIMEOUT 1200)
  if(ARG_LABELS)
    list(APPEND properties LABELS "${ARG_LABELS}")
  endif()
  if(NOT RANKINE_SANITIZE STREQUAL thread AND NOT ARG_ONE_BY_ONE)
    list(APPEND properties ENVIRONMENT OMP_NUM_THREADS=1)
  endif()
  if(RANKINE_SANITIZE STREQUAL thread)
    list(APPEND properties ENVIRONMENT_MODIFICATION
      TSAN_OPTIONS=set:suppressions=${PROJECT_SOURCE_DIR}/cmake/races.txt:die_after_fork=0)
  elseif(RANKINE_SANITIZE)
    list(APPEND properties ENVIRONMENT_MODIFICATION
      LSAN_OPTIONS=set:suppressions=${PROJECT_SOURCE_DIR}/cmake/leaks.txt:print_suppressions=0)
  endif()
  if(ARG_ONE_BY_ONE)
    gtest_discover_tests(${name} DISCOVERY_MODE PRE_TEST DISCOVERY_TIMEOUT 60
      PROPERTIES ${properties})
    set_property(DIRECTORY APPEND PROPERTY TEST_INCLUDE_FILES
      ${PROJECT_SOURCE_DIR}/cmake/TestCosts.cmake)
    return()
  endif()
  set(suites ${CMAKE_CURRENT_BINARY_DIR}/${name}_suites.cmake)
  file(GENERATE OUTPUT ${suites} CONTENT "set(program $<TARGET_FILE:${name}>)
set(properties ${properties})
include(${PROJECT_SOURCE_DIR}/cmake/TestSuites.cmake)
")
  set_property(DIRECTORY APPEND PROPERTY TEST_INCLUDE_FILES ${suites}
    ${PROJECT_SOURCE_DIR}/cmake/TestCosts.cmake)
endfunction()
