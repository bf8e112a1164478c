/* SPDX-FileCopyrightText: The Tessera Authors
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * Tessera's algebraic multigrid for hypre's matrices: a preconditioner for hypre's Krylov methods, and a
 * solver by itself.
 *
 *     HYPRE_Solver solver;
 *     HYPRE_TesseraCreate(&solver);
 *     HYPRE_TesseraSetParameter(solver, "amg.cycle", "w");
 *     HYPRE_PCGSetPrecond(pcg, (HYPRE_PtrToSolverFcn)HYPRE_TesseraSolve,
 *                         (HYPRE_PtrToSolverFcn)HYPRE_TesseraSetup, solver);
 *
 * Every function returns hypre's error flag. What goes wrong sets it, with a message that begins with the
 * function's name: HYPRE_ERROR_ARG with the number of the argument, HYPRE_ERROR_MEMORY, HYPRE_ERROR_CONV for a
 * solve that has not reached its tolerance, HYPRE_ERROR_GENERIC for the rest. The flag stays set until
 * HYPRE_ClearAllErrors, as hypre's own functions leave it. No exception leaves these functions.
 *
 * One thread at a time uses a solver. Setup and Solve are collective over the matrix's communicator; the others are
 * not, and are called with the same arguments on all of its processes. Kokkos is initialised in the first Setup
 * unless the program has done so, and then finalised at the end of the program.
 *
 * The matrix of the last Setup is read where it lies, as hypre's own solvers do: it has to stay, and its arrays as
 * they are, until the next Setup or HYPRE_TesseraDestroy. Shared are the values of `diag` and `offd`, and of HYPRE_Int
 * of 32 bits the columns, of 64 bits the offsets; of HYPRE_BigInt of 64 bits the column map; the others of these are
 * copied. hypre's communication package is used where the matrix has one, and has to stay as well: of HYPRE_Int of 32
 * bits its list of what is sent is shared. hypre replaces that list in a product with a vector of several columns, and
 * again in the next one with one: Solve looks where it is, and between the two it is an error. On one process, with rows that ascend, that is all; else setup makes a
 * copy with sorted rows, diagonals in their places, which is freed at its end, but with "amg.reuse" other than "none"
 * stays; so do copies of the column map and of what is sent. A storage format, a scalar or a smoother that needs
 * another form of the matrix has its own copy, and so have levels with "amg.reuse" = "hierarchy", "reproducible",
 * "numbering" = "by_unknown" and a Tessera for a GPU.
 *
 * HYPRE_Int and HYPRE_BigInt may be of 32 or 64 bits, with fewer than 2^31 rows per process. Matrices and vectors lie
 * in the memory of the host.
 */
#ifndef HYPRE_TESSERA_HEADER
#define HYPRE_TESSERA_HEADER

#include <HYPRE_parcsr_ls.h>

#ifdef __cplusplus
extern "C" {
#endif

/** Makes a solver with Tessera's own choices. */
HYPRE_Int HYPRE_TesseraCreate(HYPRE_Solver* solver);

/** Frees the solver. Null is allowed. */
HYPRE_Int HYPRE_TesseraDestroy(HYPRE_Solver solver);

/** Sets a parameter by its name, such as "amg.cycle" to "w": those of the guide's page "Setting parameters", "gather_rows"
 *  and "block_size" of several processes, "numbering" (by_node, by_unknown), and
 *
 *  "apply"  what HYPRE_TesseraSolve is: "preconditioner", x = M b, the default; or "solve", a solve of A x = b from
 *           the guess in x to "solver.tolerance" by Tessera's own method.
 *
 *  The next Setup begins from the start. An unknown name is an error that suggests the nearest one. */
HYPRE_Int HYPRE_TesseraSetParameter(HYPRE_Solver solver, const char* name, const char* value);

/** The same for words "name=value" with blanks between them. Those before one that is wrong are set. */
HYPRE_Int HYPRE_TesseraSetParameters(HYPRE_Solver solver, const char* words);

/** Unknowns per node, of systems such as elasticity: the parameter "block_size". 0, the default: found from the
 *  pattern. They are numbered node by node unless the parameter "numbering" is "by_unknown". */
HYPRE_Int HYPRE_TesseraSetNumFunctions(HYPRE_Solver solver, HYPRE_Int num_functions);

/** At most 10 vectors that the matrix almost maps to zero, such as the rigid body modes, over its rows. Copied; 0
 *  vectors, the default: the constant of each unknown of a node. The next Setup begins from the start. */
HYPRE_Int HYPRE_TesseraSetNearNullspace(HYPRE_Solver solver, HYPRE_Int num_vectors, HYPRE_ParVector* vectors);

/** What process 0 prints to standard output: 0, the default, nothing; 1 the levels after a setup; 2 each iteration
 *  of a solve; 3 both. */
HYPRE_Int HYPRE_TesseraSetPrintLevel(HYPRE_Solver solver, HYPRE_Int print_level);

/** Sets up for the matrix, which is shared, not copied: see above. With the pattern of before and nothing else changed
 *  it takes the new values, in the same arrays or others, and the parameter "amg.reuse" says what of the levels is
 *  kept. Values that change without a Setup are those of the finest level's products, and of nothing else. b and x are
 *  not looked at. */
HYPRE_Int HYPRE_TesseraSetup(HYPRE_Solver solver, HYPRE_ParCSRMatrix A, HYPRE_ParVector b, HYPRE_ParVector x);

/** Solves, or preconditions, with the matrix of the last Setup, whatever A is: the parameter "apply". */
HYPRE_Int HYPRE_TesseraSolve(HYPRE_Solver solver, HYPRE_ParCSRMatrix A, HYPRE_ParVector b, HYPRE_ParVector x);

/** Of the last solve; an error where the last call was an application of the preconditioner. */
HYPRE_Int HYPRE_TesseraGetNumIterations(HYPRE_Solver solver, HYPRE_Int* iterations);

/** || b - A x || / || b || after the last solve, computed from x. */
HYPRE_Int HYPRE_TesseraGetFinalRelativeResidualNorm(HYPRE_Solver solver, HYPRE_Real* norm);

/** Levels of the last setup, those of the first process included that goes on with the coarsest; 0 without
 *  multigrid. */
HYPRE_Int HYPRE_TesseraGetNumLevels(HYPRE_Solver solver, HYPRE_Int* levels);

/** Entries of all levels' operators over those of the matrix. */
HYPRE_Int HYPRE_TesseraGetOperatorComplexity(HYPRE_Solver solver, HYPRE_Real* complexity);

/** Of all calls of Setup, how many began from the start and how many took new values. */
HYPRE_Int HYPRE_TesseraGetNumSetups(HYPRE_Solver solver, HYPRE_Int* setups, HYPRE_Int* updates);

/** The message of this thread's last call of these functions that failed, each once; else the empty string. It is
 *  valid until the next failure. hypre keeps and prints messages, too, where it was built with HYPRE_PRINT_ERRORS. */
HYPRE_Int HYPRE_TesseraGetErrorMessage(const char** message);

#ifdef __cplusplus
}
#endif

#endif
