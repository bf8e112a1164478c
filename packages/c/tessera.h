/* SPDX-FileCopyrightText: The Tessera Authors
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * Tessera for C, and for every language that calls C: sparse linear systems A x = b by algebraic
 * multigrid and Krylov methods. The guide is docs/guide/c.md.
 *
 * - Every function returns a status and, where that is not TESSERA_SUCCESS, leaves a sentence in
 *   tessera_last_error() that says what was wrong and what to do. None throws, prints or aborts.
 * - A call returns when its results are there.
 * - Matrices and vectors are the caller's arrays, in host memory or, where the library was built
 *   for a GPU, in device memory: the library finds out which, unless tessera_set_memory says so.
 *   Arrays in the memory where the solver works are not copied.
 * - Several threads may each use a solver of their own. A second thread that calls a solver at work
 *   gets TESSERA_ERROR_BUSY.
 * - The first call initialises what the library runs on (Kokkos) unless the program has done so
 *   itself, and the end of the program finalises what was initialised here, and no more.
 */
#ifndef TESSERA_H
#define TESSERA_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* The version of this header. tessera_version() is that of the library. */
#define TESSERA_VERSION "0.1.0"

/* Enumerations are as wide as int, and every number that comes in is checked. */
#if defined(__cplusplus) && __cplusplus >= 201103L
#define TESSERA_ENUM(name) enum name : int
#else
#define TESSERA_ENUM(name) enum name
#endif

/* How a call ended. Zero: as asked. Above zero: a solve that is not as good as asked, x is the best
 * iterate. Below zero: an error; outputs are unchanged unless the function says otherwise. */
typedef TESSERA_ENUM(tessera_status) {
  TESSERA_SUCCESS = 0,
  TESSERA_LEAST_SQUARES = 1,  /* A is singular and A x = b has no solution: x is the least-squares
                                 solution */
  TESSERA_MAX_ITERATIONS = 2, /* the limit of iterations came first */
  TESSERA_TIME_LIMIT = 3,     /* the limit of time came first */
  TESSERA_STAGNATED = 4,      /* the residual stagnates above the tolerance */
  TESSERA_DIVERGED = 5,       /* the residual grew past the divergence limit */
  TESSERA_NOT_A_NUMBER = 6,   /* a NaN or an infinity appeared */
  TESSERA_BREAKDOWN = 7,      /* the method divided by (nearly) zero */
  TESSERA_INTERRUPTED = 8,    /* the progress function asked to stop */

  TESSERA_ERROR_ARGUMENT = -1,      /* a null pointer, a wrong size, an invalid handle, a call
                                       before the one that it needs */
  TESSERA_ERROR_INPUT = -2,         /* a matrix or vector with bad contents */
  TESSERA_ERROR_CONFIGURATION = -3, /* a parameter is unknown or out of range, or not possible
                                       with this matrix or build */
  TESSERA_ERROR_MEMORY = -4,        /* memory ran out */
  TESSERA_ERROR_DEVICE = -5,        /* the device's runtime refused a call */
  TESSERA_ERROR_BUSY = -6,          /* another thread is in a call with this solver */
  TESSERA_ERROR_RUNTIME = -7,       /* what the library runs on cannot be initialised, or is
                                       finalised */
  TESSERA_ERROR_INTERNAL = -8       /* none of the others: a defect of Tessera */
} tessera_status;

/* What the entries of an array are. */
typedef TESSERA_ENUM(tessera_type) {
  TESSERA_FLOAT = 1,  /* float, IEEE binary32 */
  TESSERA_DOUBLE = 2, /* double, IEEE binary64 */
  TESSERA_INT32 = 3,  /* int32_t */
  TESSERA_INT64 = 4   /* int64_t */
} tessera_type;

/* Where arrays are. */
typedef TESSERA_ENUM(tessera_memory) {
  TESSERA_MEMORY_AUTO = 0, /* found out for each pointer */
  TESSERA_MEMORY_HOST = 1,
  TESSERA_MEMORY_DEVICE = 2
} tessera_memory;

/* Bits of tessera_matrix::flags. */
enum {
  /* The contents are known to be right: row offsets that ascend from 0, columns in range and none
   * twice in a row, finite values. They are not checked then, which saves a pass over the matrix;
   * with wrong contents the behaviour is undefined. */
  TESSERA_TRUSTED = 1
};

/* A square matrix in compressed sparse rows (CSR) or, with a block_size above 1, in block sparse
 * rows (BSR), in arrays of the caller's. All members are set: begin with `tessera_matrix A = {0}`.
 * Columns of a row may stand in any order. */
typedef struct tessera_matrix {
  int64_t rows;             /* rows; of BSR rows of blocks; 0 to 2147483647 in all */
  int64_t entries;          /* length of columns: entries; of BSR blocks */
  const void* offsets;      /* rows + 1 of offset_type: where each row begins, and the end */
  const int32_t* columns;   /* the column of each entry, from 0; of BSR the column of blocks */
  const void* values;       /* entries of value_type; of BSR entries * block_size * block_size, each
                               block row by row */
  tessera_type offset_type; /* TESSERA_INT32 or TESSERA_INT64 */
  tessera_type value_type;  /* TESSERA_DOUBLE or TESSERA_FLOAT */
  int32_t block_size;       /* 0 or 1: CSR; above: BSR with blocks of this size */
  uint32_t flags;           /* TESSERA_TRUSTED or 0 */
  int64_t reserved[4];      /* 0 */
} tessera_matrix;

/* ---- The library -------------------------------------------------------------------------- */

/* "0.1.0"; the build in one line, with the execution spaces; a status as a word, such as
 * "max_iterations" or "error_memory". These need no initialisation and never fail. */
const char* tessera_version(void);
const char* tessera_build(void);
const char* tessera_status_name(tessera_status status);

/* What the last call of this thread that returned a status had to say: empty after
 * TESSERA_SUCCESS. Valid until this thread's next such call. */
const char* tessera_last_error(void);

/* Optional, for programs that want to choose the number of host threads (0: the library's choice)
 * or the time at which it is initialised. Changes nothing once it is. */
tessera_status tessera_initialize(int32_t threads);

/* All parameters with meaning, default and range, as a JSON schema. The text is static. */
tessera_status tessera_parameter_schema(const char** json);

/* ---- A solver: settings --------------------------------------------------------------------- */

/* Solves with one matrix at a time and any number of right-hand sides. */
typedef struct tessera_solver tessera_solver;

tessera_status tessera_create(tessera_solver** solver);
/* Null is allowed. */
tessera_status tessera_destroy(tessera_solver* solver);

/* What follows up to tessera_setup is in force from the next tessera_setup on. */

/* Parameters as words, "solver.tolerance=1e-10 amg.cycle=w", or as a JSON object, nested or with
 * dotted keys: those of `tessera params` (docs/guide/parameters.md). All are set, or none. */
tessera_status tessera_set(tessera_solver* solver, const char* words);
tessera_status tessera_set_json(tessera_solver* solver, const char* json);

/* Where to solve: "auto" (the GPU that the library was built for, if it was), "host" or "device". */
tessera_status tessera_set_device(tessera_solver* solver, const char* device);
/* On a GPU the stream (a cudaStream_t or hipStream_t) on which the arrays of later calls are written:
 * each call from now on starts after the work that it has by then. Null: they start after work on
 * the default stream, as they do anyway. Calls return when their results are there, so that nothing
 * need wait for them. Set null, or another one, before the stream goes; the solver may outlive it.
 * An error in builds for hosts. */
tessera_status tessera_set_stream(tessera_solver* solver, void* stream);
/* Where the arrays of all later calls are, if the library is not to find out itself. */
tessera_status tessera_set_memory(tessera_solver* solver, tessera_memory memory);

/* Unknowns per node, such as 3 displacements; 0: found from the pattern, or the blocks' size. */
tessera_status tessera_set_block_size(tessera_solver* solver, int32_t block_size);
/* Near-nullspace vectors, such as rigid body modes: `count` (at most 10) columns of `rows` entries,
 * column j at vectors + j * leading_dimension. They are copied. A count of 0 removes them. */
tessera_status tessera_set_near_nullspace(tessera_solver* solver, tessera_type type, int64_t rows,
                                          int32_t count, const void* vectors,
                                          int64_t leading_dimension);
/* The nullspace of the matrix, all vectors that it takes to zero, in any basis: `count` columns as above,
 * which are copied and projected out of every solve. A setup fails where the matrix does not take one of
 * them to zero. A count of 0 removes them. */
tessera_status tessera_set_nullspace(tessera_solver* solver, tessera_type type, int64_t rows,
                                     int32_t count, const void* vectors,
                                     int64_t leading_dimension);
/* Beside that of a nonsymmetric matrix, the nullspace of its transpose, to which b is to be orthogonal: with
 * it a solve for another b is TESSERA_LEAST_SQUARES. A symmetric matrix needs none. */
tessera_status tessera_set_left_nullspace(tessera_solver* solver, tessera_type type, int64_t rows,
                                          int32_t count, const void* vectors,
                                          int64_t leading_dimension);
/* Coordinates of the nodes, for elasticity: `dimension` (2 or 3) columns of `nodes` entries. Their
 * rigid body modes become the near-nullspace vectors, numbered as the matrix numbers its unknowns.
 * They are copied. 0 nodes remove them. */
tessera_status tessera_set_coordinates(tessera_solver* solver, tessera_type type, int64_t nodes,
                                       int32_t dimension, const void* coordinates,
                                       int64_t leading_dimension);

/* Called at the start of a solve and after every iteration, with the relative residual and the time
 * since the start; anything but 0 stops the solve as TESSERA_INTERRUPTED. A solve that is one
 * launch on a GPU tells its iterations when it is over, or after a second. It must not call
 * functions of this solver. */
typedef int (*tessera_progress)(void* context, int32_t iteration, double relative_residual,
                                double elapsed_ms);
/* In force from the next solve on; a null function removes it. */
tessera_status tessera_set_progress(tessera_solver* solver, tessera_progress progress,
                                    void* context);

/* ---- A solver: setting up and solving --------------------------------------------------------- */

/* Picks what the parameters leave open, and builds the preconditioner. Arrays that lie where the
 * solver works are shared, not copied: they must stay as they are until the next setup, update or
 * destroy. After an error the solver is as before its first setup, with its settings. */
tessera_status tessera_setup(tessera_solver* solver, const tessera_matrix* A);

/* What tessera_setup of A and solves after it are expected to take with the settings as they are, in bytes beside
 * A, b and x, in the memory that the solver works in: the most at once in setup, what setup leaves, and what a solve
 * for one right-hand side adds to that; any of the pointers may be null. What is set up stays. It costs the setup of a
 * piece of A, or of A where that has at most 400,000 entries. The parameter max_memory_mb is a limit. */
tessera_status tessera_forecast(tessera_solver* solver, const tessera_matrix* A,
                                int64_t* setup_bytes, int64_t* kept_bytes, int64_t* solve_bytes);

/* Takes new values in the pattern that the last setup was given: those that its arrays hold by now
 * (A null), or those of A, whose arrays are shared from then on. The parameter amg.reuse says what
 * is kept of a hierarchy. Another pattern is an error that names the first row that differs. */
tessera_status tessera_update(tessera_solver* solver, const tessera_matrix* A);

/* Solves A x = b from the guess in x, for `columns` right-hand sides of `rows` entries: column j at
 * b + j * b_leading and x + j * x_leading. b and x do not overlap. */
tessera_status tessera_solve(tessera_solver* solver, tessera_type type, int64_t rows,
                             int32_t columns, const void* b, int64_t b_leading, void* x,
                             int64_t x_leading);

/* z = M r, where M approximates the inverse of A: the preconditioner that setup made, for a method
 * of your own. */
tessera_status tessera_apply(tessera_solver* solver, tessera_type type, int64_t rows,
                             int32_t columns, const void* r, int64_t r_leading, void* z,
                             int64_t z_leading);

/* ---- A solver: what came out ------------------------------------------------------------------- */

/* Of the last solve; any pointer may be null. The residual is ||b - A x|| / ||b|| of the x
 * returned, the largest of all columns; setup_ms is that of the last setup or update. */
tessera_status tessera_result(tessera_solver* solver, int32_t* iterations,
                              double* relative_residual, double* setup_ms, double* solve_ms);
/* The same of one right-hand side, with how it ended. */
tessera_status tessera_column_result(tessera_solver* solver, int32_t column, tessera_status* status,
                                     int32_t* iterations, double* relative_residual);
/* The residuals before the first iteration and after each one, at most `capacity` of them into
 * `residuals` (null with a capacity of 0), and how many there are. */
tessera_status tessera_history(tessera_solver* solver, double* residuals, int64_t capacity,
                               int64_t* count);
/* All that is known, as JSON: picks with their reasons, levels, parameters, times, residuals; keys
 * as `tessera solve --report` has them (docs/guide/reading_the_output.md). Before the first solve
 * the status is null. The text is the solver's, and valid until the next call with it. */
tessera_status tessera_report(tessera_solver* solver, const char** json);

/* ---- Model problems ------------------------------------------------------------------------------ */

/* A problem of the gallery (docs/gallery.md), in host memory. */
typedef struct tessera_problem tessera_problem;

/* `words` is the problem's name and its options: "poisson3d n=40", "elasticity2d n=20
 * poisson_ratio=0.4". */
tessera_status tessera_problem_create(tessera_problem** problem, const char* words,
                                      tessera_type value_type, tessera_type offset_type);
tessera_status tessera_problem_destroy(tessera_problem* problem);

/* The matrix, in arrays that the problem owns. */
tessera_status tessera_problem_matrix(tessera_problem* problem, tessera_matrix* matrix);

/* The vectors that come with it. */
typedef TESSERA_ENUM(tessera_part) {
  TESSERA_RIGHT_HAND_SIDE = 0,
  TESSERA_NEAR_NULLSPACE = 1, /* the constant, or the rigid body modes */
  TESSERA_COORDINATES = 2     /* of the nodes, for elasticity, graph and unstructured problems; else
                                 0 by 0 */
} tessera_part;
/* `columns` columns of `rows` entries side by side, of the matrix's value type, in memory of the
 * problem's. */
tessera_status tessera_problem_vectors(tessera_problem* problem, tessera_part part,
                                       const void** data, int64_t* rows, int32_t* columns);
/* Unknowns per node, and a line about the problem; each pointer may be null. */
tessera_status tessera_problem_about(tessera_problem* problem, int32_t* block_size,
                                     const char** description);

#ifdef __cplusplus
}
#endif

#endif
