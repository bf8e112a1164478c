# SPDX-FileCopyrightText: The Tessera Authors
# SPDX-License-Identifier: BSD-3-Clause
"""A program of dolfinx's: `poisson` on the unit cube or, as `elasticity`, a beam that bends under its weight.

    PETSC_OPTIONS="-dll_append libtessera_petsc.so" python3 dolfinx_beam.py elasticity 12 1 tessera

The problem, points along an edge, order of the elements, and types of PC, each of which solves it.
"""

import sys
import time

try:
    import dolfinx
    import numpy as np
    import ufl
    from dolfinx import default_scalar_type, fem, mesh
    from dolfinx.fem.petsc import LinearProblem
    from mpi4py import MPI
    from petsc4py import PETSc
except ImportError as error:
    print(f"skipped: there is no dolfinx for {sys.executable}: {error}")
    sys.exit(0)


def poisson(n, order):
    """-div grad u = x on the unit cube, u = 0 on one face: the forms, the conditions, and no near-nullspace."""
    cube = mesh.create_unit_cube(MPI.COMM_WORLD, n, n, n)
    V = fem.functionspace(cube, ("Lagrange", order))
    facets = mesh.locate_entities_boundary(cube, 2, lambda x: np.isclose(x[0], 0))
    held = fem.dirichletbc(default_scalar_type(0), fem.locate_dofs_topological(V, 2, facets), V)
    u, v = ufl.TrialFunction(V), ufl.TestFunction(V)
    x = ufl.SpatialCoordinate(cube)
    return ufl.inner(ufl.grad(u), ufl.grad(v)) * ufl.dx, x[0] * v * ufl.dx, [held], None


def elasticity(n, order):
    """A beam, four times as long as high, that is held at one end."""
    beam = mesh.create_box(MPI.COMM_WORLD, [[0.0, 0.0, 0.0], [4.0, 1.0, 1.0]], [4 * n, n, n])
    V = fem.functionspace(beam, ("Lagrange", order, (3,)))
    facets = mesh.locate_entities_boundary(beam, 2, lambda x: np.isclose(x[0], 0))
    held = fem.dirichletbc(np.zeros(3), fem.locate_dofs_topological(V, 2, facets), V)
    u, v = ufl.TrialFunction(V), ufl.TestFunction(V)
    strain = ufl.sym(ufl.grad(u))
    stress = 2 * strain + 1.5 * ufl.tr(strain) * ufl.Identity(3)  # a Poisson ratio of 0.3
    weight = fem.Constant(beam, (0.0, 0.0, -1e-3))
    return (ufl.inner(stress, ufl.sym(ufl.grad(v))) * ufl.dx, ufl.inner(weight, v) * ufl.dx, [held],
            rigid_body_modes(V))


#! [modes]
def rigid_body_modes(V):
    """Three translations and three rotations of the nodes, as PETSc's near-nullspace."""
    x = V.tabulate_dof_coordinates()[: V.dofmap.index_map.size_local]
    modes = [dolfinx.la.petsc.create_vector([(V.dofmap.index_map, 3)]) for _ in range(6)]
    for mode, values in zip(modes, (
        lambda i: np.eye(3)[0], lambda i: np.eye(3)[1], lambda i: np.eye(3)[2],
        lambda i: np.stack([-x[:, 1], x[:, 0], 0 * x[:, 0]], axis=1),
        lambda i: np.stack([x[:, 2], 0 * x[:, 0], -x[:, 0]], axis=1),
        lambda i: np.stack([0 * x[:, 0], -x[:, 2], x[:, 1]], axis=1),
    )):
        mode.array[:] = np.broadcast_to(values(mode), x.shape).ravel()
    for k, mode in enumerate(modes):  # orthonormal, as PETSc wants them
        for earlier in modes[:k]:
            mode.axpy(-mode.dot(earlier), earlier)
        mode.normalize()
    return PETSc.NullSpace().create(vectors=modes, comm=V.mesh.comm)
#! [modes]


def solve(forms, pc_type):
    """Solves by CG with that type of PC; returns the solution's norm, iterations, and milliseconds."""
    a, L, conditions, near_nullspace = forms
    #! [problem]
    problem = LinearProblem(
        a, L, bcs=conditions, petsc_options_prefix="beam_",
        petsc_options={"ksp_type": "cg", "ksp_rtol": 1e-8, "pc_type": pc_type, "ksp_error_if_not_converged": True},
    )
    if near_nullspace is not None:
        problem.A.setNearNullSpace(near_nullspace)
    solution = problem.solve()
    #! [problem]
    # Once more, of the matrix alone: what was measured above has its assembly in it.
    solver, b, x = problem.solver, problem.b, problem.x.duplicate()
    solver.setUp()
    solver.getPC().reset()
    times = [time.perf_counter(), time.process_time()]
    solver.setOperators(problem.A)
    solver.setUp()
    setup = time.perf_counter()
    solver.solve(b, x)
    clock = 1e3 * (np.array([time.perf_counter(), time.process_time()]) - times)
    return solution.x.petsc_vec.norm(), solver.getIterationNumber(), 1e3 * (setup - times[0]), clock


def main():
    kind, n, order = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])
    forms = {"poisson": poisson, "elasticity": elasticity}[kind](n, order)
    norms = []
    for pc_type in sys.argv[4:]:
        norm, iterations, setup, (clock, processor) = solve(forms, pc_type)
        norms.append(norm)
        if MPI.COMM_WORLD.rank == 0:
            print(f"| {kind} n={n}, order {order} | {MPI.COMM_WORLD.size} | {pc_type} | {iterations} | {setup:.0f} | "
                  f"{clock - setup:.0f} | {processor:.0f} |", flush=True)
    if max(norms) - min(norms) > 1e-5 * max(norms):
        print(f"the solutions differ: norms {norms}")
        sys.exit(1)


main()
