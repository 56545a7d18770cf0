# The SIMT executor: the .cu files compiled once more, as C++, to run on the CPU. Sets
# REDUX_HAVE_SIMT. Needs Boost.Context and a compiler that knows -fsanitize=thread; that sanitizer's
# instrumentation is what shows the executor every load and store (its runtime is not linked), so
# these objects cannot have the address sanitizer besides. The executor checks bounds itself.
set(REDUX_HAVE_SIMT OFF)
if(NOT REDUX_SIMT MATCHES "^(AUTO|ON|OFF)$")
  message(FATAL_ERROR "REDUX_SIMT is '${REDUX_SIMT}'; allowed are AUTO, ON and OFF")
endif()
if(NOT REDUX_SIMT STREQUAL "OFF")
  # Static where there is a choice, so that the executable runs on a machine without Boost.
  if(NOT DEFINED Boost_USE_STATIC_LIBS)
    set(Boost_USE_STATIC_LIBS ON)
  endif()
  find_package(Boost 1.74 QUIET COMPONENTS context)
  if(Boost_CONTEXT_FOUND)
    set(REDUX_HAVE_SIMT ON)
  elseif(REDUX_SIMT STREQUAL "ON")
    message(FATAL_ERROR "REDUX_SIMT=ON, but Boost.Context was not found (libboost-context-dev)")
  endif()
endif()
message(STATUS "SIMT executor: ${REDUX_HAVE_SIMT}")

# redux_simt_objects(NAME FILES...): an OBJECT library of .cu files for the executor.
function(redux_simt_objects name)
  file(GLOB core_headers CONFIGURE_DEPENDS RELATIVE ${CMAKE_SOURCE_DIR}/src
    ${CMAKE_SOURCE_DIR}/src/core/*.hpp)
  list(TRANSFORM core_headers REPLACE "(.+)" "#include \"\\1\"")
  list(JOIN core_headers "\n" REDUX_CORE_INCLUDES)
  set(prelude ${CMAKE_BINARY_DIR}/generated/simt/prelude.hpp)
  configure_file(${CMAKE_SOURCE_DIR}/src/backend/simt/prelude.hpp.in ${prelude} @ONLY)
  # A source file has one language for all targets of a folder, hence a .cpp for each .cu.
  set(sources)
  foreach(file IN LISTS ARGN)
    file(RELATIVE_PATH stem ${CMAKE_SOURCE_DIR} ${file})
    set(wrapper ${CMAKE_BINARY_DIR}/generated/simt/${stem}.cpp)
    file(CONFIGURE OUTPUT ${wrapper} CONTENT "#include \"${file}\"\n")
    list(APPEND sources ${wrapper})
  endforeach()
  add_library(${name} OBJECT ${sources})
  target_include_directories(${name} PRIVATE ${CMAKE_SOURCE_DIR}/src ${CMAKE_SOURCE_DIR}/kernels
    ${CMAKE_SOURCE_DIR}/tests)
  target_compile_options(${name} PRIVATE -include ${prelude} -O1 -g1 -fno-omit-frame-pointer
    -fno-strict-aliasing -fsanitize=thread -Wall -Wextra -Wno-unknown-pragmas)
  if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
    target_compile_options(${name} PRIVATE --param=tsan-instrument-func-entry-exit=0)
  endif()
  if(REDUX_WERROR)
    target_compile_options(${name} PRIVATE -Werror)
  endif()
  if(REDUX_SANITIZE)
    target_compile_options(${name} PRIVATE -fsanitize=undefined -fno-sanitize-recover=all)
  endif()
  set_target_properties(${name} PROPERTIES POSITION_INDEPENDENT_CODE ON)
endfunction()
