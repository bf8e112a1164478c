# SPDX-FileCopyrightText: The Tessera Authors
# SPDX-License-Identifier: BSD-3-Clause
"""What choices.py measures: systems, and the ways to solve them, of each step."""

AGGREGATION, CLASSICAL = "amg.coarsening=smoothed_aggregation", "amg.coarsening=classical"
REDUCTION = "amg.coarsening=reduction"
FLOWS = ("convdiff", "vortex", "recirculating3d", "triangles", "tetrahedra")

COARSENINGS = {
    "auto": "",
    "smoothed_aggregation": AGGREGATION,
    "MIS(2)": f"{AGGREGATION} amg.smoothed_aggregation.aggregation=mis2",
    "groups of 4, K-cycle": "amg.coarsening=pairwise amg.cycle=k amg.pairwise.passes=2",
    "classical": CLASSICAL,
    "fronts": f"{CLASSICAL} amg.classical.splitting=advancing_front",
    "aggressive": f"{CLASSICAL} amg.classical.aggressive_levels=1",
    "reduction": REDUCTION,
    "smoothed_aggregation, jacobi": f"{AGGREGATION} amg.smoother.type=jacobi",
    "classical, jacobi": f"{CLASSICAL} amg.smoother.type=jacobi",
    "classical, l1_jacobi": f"{CLASSICAL} amg.smoother.type=l1_jacobi",
    "classical, chebyshev": f"{CLASSICAL} amg.smoother.type=chebyshev",
}
SMOOTHER = "amg.smoother.type="
SMOOTHERS = {
    "auto": "",
    "jacobi": f"{SMOOTHER}jacobi",
    "jacobi, 2 sweeps": f"{SMOOTHER}jacobi amg.smoother.sweeps=2",
    "l1_jacobi": f"{SMOOTHER}l1_jacobi",
    "spai0": f"{SMOOTHER}spai0",
    "chebyshev": f"{SMOOTHER}chebyshev",
    "chebyshev, degree 3": f"{SMOOTHER}chebyshev amg.smoother.chebyshev.degree=3",
    "chebyshev, fourth": f"{SMOOTHER}chebyshev amg.smoother.chebyshev.kind=fourth",
    "chebyshev, fourth_optimized": f"{SMOOTHER}chebyshev amg.smoother.chebyshev.kind=fourth_optimized",
    "block_jacobi, found": f"{SMOOTHER}block_jacobi",
    "block_jacobi, nodes": f"{SMOOTHER}block_jacobi amg.smoother.block_jacobi.blocks=nodes",
    "block_jacobi, 4 rows": f"{SMOOTHER}block_jacobi amg.smoother.block_jacobi.block_rows=4",
    "gauss_seidel": f"{SMOOTHER}gauss_seidel",
    "gauss_seidel, symmetric": f"{SMOOTHER}gauss_seidel amg.smoother.gauss_seidel.symmetric=true",
    "two_stage_gauss_seidel": f"{SMOOTHER}two_stage_gauss_seidel",
    "two_stage_gauss_seidel, 2 inner sweeps": f"{SMOOTHER}two_stage_gauss_seidel amg.smoother.gauss_seidel.inner_sweeps=2",
    "fsai": f"{SMOOTHER}fsai",
    "fsai, pattern of A²": f"{SMOOTHER}fsai amg.smoother.fsai.pattern_power=2",
    "ilu": f"{SMOOTHER}ilu",
    "classical": CLASSICAL,
    **{
        f"classical: {smoother}{points and ', '}{points}": f"{CLASSICAL} {SMOOTHER}{smoother}"
        + (f" amg.smoother.points={points}" if points else "")
        for smoother, sets in (("jacobi", ("", "f", "fc", "cf")), ("l1_jacobi", ("", "cf")), ("gauss_seidel", ("", "cf")))
        for points in sets
    },
    "classical: two_stage_gauss_seidel": f"{CLASSICAL} {SMOOTHER}two_stage_gauss_seidel",
    "classical: fsai": f"{CLASSICAL} {SMOOTHER}fsai",
    "classical: chebyshev": f"{CLASSICAL} {SMOOTHER}chebyshev",
}
CONVECTION = {"auto": "", "smoothed_aggregation": AGGREGATION, "classical": CLASSICAL, "reduction": REDUCTION}


def reduction_below(levels):
    """Classical coarsening on the finest `levels`, whose sweeps of Jacobi are two, and reduction below."""
    types = ("classical",) * levels + ("reduction",)
    settings = " ".join(f"amg.levels.{level}.coarsening.type={name}" for level, name in enumerate(types))
    return f"{REDUCTION} {settings} amg.levels.0.smoother.type=jacobi amg.levels.0.smoother.sweeps=2"


GROWTH = {
    "auto": "",
    "aggregation, 2 sweeps": f"{AGGREGATION} {SMOOTHER}jacobi amg.smoother.sweeps=2",
    "classical, 2 sweeps": f"{CLASSICAL} {SMOOTHER}jacobi amg.smoother.sweeps=2",
    "classical, 3 sweeps": f"{CLASSICAL} {SMOOTHER}jacobi amg.smoother.sweeps=3",
    **{f"classical, 2 sweeps, {c.upper()}-cycle": f"{CLASSICAL} {SMOOTHER}jacobi amg.smoother.sweeps=2 amg.cycle={c}" for c in "fw"},
    **{f"classical on {levels}, reduction below": reduction_below(levels) for levels in (1, 2, 3)},
}

MODELS = (
    "poisson2d:n=512 poisson3d:n=64 anisotropic2d:n=400,epsilon=1e-2,theta=0.5236 unstructured2d:n=400,epsilon=1e-2,theta=0.5236 "
    "unstructured3d:n=48,epsilon=1 elasticity3d:n=24 beam:order=2,refine=3 convdiff2d:n=512,peclet=1e4 jump3d:n=64,contrast=1e6 "
    "vortex:n=512,peclet=1e4 graph:n=400 lshape:order=3,refine=6 poisson2d9:n=400 poisson3d27:n=48 jump2d:n=512,contrast=1e3 "
    "anisotropic2d:n=400,epsilon=1e-3,theta=0 anisotropic2d:n=400,epsilon=1e-3,theta=0.7854 "
    "anisotropic3d:n=48,epsilon=1e-2,theta=0.5236 unstructured2d:n=400,epsilon=1 unstructured2d:n=400,epsilon=1e-3,theta=0.7854 "
    "unstructured3d:n=48,epsilon=1e-2,theta=0.5236 unstructured3d:n=48,epsilon=1e-3,theta=0 elasticity2d:n=160 "
    "unstructured_elasticity3d:n=24 convdiff2d:n=512,peclet=1e2 convdiff2d:n=512,peclet=1e7 convdiff3d:n=48,peclet=1e2 "
    "convdiff3d:n=48,peclet=1e6 lshape:order=1,refine=9 beam:order=3,refine=3 jump2d:n=512,contrast=1e6"
).split()
MESHES = (
    "quadrilaterals:n=90 quadrilaterals:n=90,epsilon=1e-3,degrees=45 vortex:n=512,peclet=1e2 vortex:n=512,peclet=1e6 "
    "vortex:n=256,peclet=1e2,shuffled vortex:n=256,peclet=1e4,shuffled vortex:n=256,peclet=1e6,shuffled "
    "quadrilaterals:n=90,epsilon=1e-3 quadrilaterals:n=80,epsilon=0.1"
).split()
# Those that a host solves by multigrid, and of those that it factors what multigrid solves.
MATRICES = (
    "G2_circuit rail_79841 swh_elasticity_p1 mdual_lap brack2_lap bcsstk32_lap cvxbqp1 jnlbrng1 Grond4e4 CSky3d30 memplus "
    "rss_laplace_A0 Dubcova1 Lshape_matrices4 ani5_crop anisotropic3d7816 matrices_homogeneous4 bcsstk16 bcsstk38 s3rmt3m3 bratu3d "
    "rail_20209 rocker_arm_surface EVSL_A CSky3d20 BentPipe2D100 CSky2d100 poisson4009 ginkgo_A_multigrid add32 saylr4 vem2 sherman3 "
    "add20 pde2961 orsreg_1 rdb2048"
).split()
SMOOTHED = (
    "poisson3d:n=64 anisotropic2d:n=400,epsilon=1e-2,theta=0.5236 unstructured3d:n=48,epsilon=1 elasticity3d:n=24 "
    "beam:order=3,refine=3 convdiff2d:n=512,peclet=1e4 vortex:n=512,peclet=1e4 unstructured2d:n=400,epsilon=1e-2,theta=0.5236"
).split()
PECLETS = ("1e2", "1e4", "1e5", "1e7")
FLOWING = [
    *(f"vortex:n={n},peclet={p}" for n in (512, 256) for p in PECLETS),
    *(f"convdiff2d:n={n},peclet={p}" for n in (512, 256) for p in PECLETS),
    *(f"convdiff3d:n={n},peclet={p}" for n in (64, 32) for p in PECLETS),
    *(f"vortex:n={n},peclet={p},shuffled" for n in (512, 256) for p in PECLETS if (n, p) != (512, "1e5")),
    *(f"convdiff2d:n=256,peclet={p},shuffled" for p in ("1e2", "1e4", "1e7")),
    *(f"{flow}:n=1024,peclet={p}" for flow in ("vortex", "convdiff2d") for p in ("1e2", "1e4", "1e7")),
    *(f"{flow}:n=128,peclet={p}" for flow in ("vortex", "convdiff2d") for p in PECLETS),
]
# Of MATRICES those without symmetry, which two sweeps would be picked for.
UNSYMMETRIC = "Grond4e4 CSky3d30 memplus CSky3d20 BentPipe2D100 CSky2d100 saylr4 sherman3 add20 pde2961 orsreg_1 rdb2048".split()
# Each flow from one size to the next; the ends of the range of Péclet numbers first.
BY_PECLET = [name for p in ("1e2", "1e7", "1e4", "1e5") for name in FLOWING if f"peclet={p}" in name]
# Straight flows and vortices on meshes, from one size to the next.
ON_SIMPLICES = [f"triangles:n={n},peclet={p}{v}" for n in (128, 256, 512, 1024) for p in ("1e2", "1e4", "1e7") for v in ("", ",vortex")]
ON_SIMPLICES += [f"tetrahedra:n={n},peclet={p}" for n in (24, 48) for p in ("1e2", "1e4", "1e7")]
SIMPLICES = {**CONVECTION, **{way: GROWTH[way] for way in ("aggregation, 2 sweeps", "classical, 2 sweeps", "classical, 2 sweeps, F-cycle",
                                                          "classical on 1, reduction below")}}
# From weak convection to next to no diffusion, where the matrix is that of convection alone as far as twelve digits go; each flow from one size to the next.
ADVECTION = [f"{flow}:n={n},peclet=1e12" for n in (128, 256, 512) for flow in ("convdiff2d", "vortex")]
ADVECTION += [f"convdiff3d:n={n},peclet=1e12" for n in (32, 64)]
ADVECTION += [f"triangles:n={n},peclet={p}{v}" for p in ("1e12", "1e7", "1e2", "1e4") for n in (128, 256, 512) for v in ("", ",vortex")]
ADVECTION += [f"tetrahedra:n={n},peclet={p}" for p in ("1e12", "1e7", "1e2", "1e4") for n in (24, 48)]
ADVECTING = {"auto": "", "reduction": REDUCTION, **{way: GROWTH[way] for way in ("classical, 2 sweeps, F-cycle", "classical on 1, reduction below")}}
# What keeps iterations few on all of these, from weak convection to next to none of diffusion; the ends of the ranges first.
FLOWS_OF_ALL_KINDS = list(dict.fromkeys([*BY_PECLET, *ON_SIMPLICES, *ADVECTION]))
FLOWS_OF_ALL_KINDS.sort(key=lambda name: ("shuffled" in name, "n=256" in name, "peclet=1e4" in name or "peclet=1e5" in name))
# What of these is missing in space: one that recirculates, 64^3 on a mesh, and a vortex there; the ends of the ranges first.
ENDS = ("1e2", "1e12", "1e4", "1e7")
IN_SPACE = [f"{flow},peclet={p}" for p in ENDS for flow in ("recirculating3d:n=64", "tetrahedra:n=64", "recirculating3d:n=32", "tetrahedra:n=48", "tetrahedra:n=24")]
IN_SPACE += [f"tetrahedra:n={n},peclet={p},vortex" for p in ENDS for n in (64, 48, 24)]
TWO_SWEEPS = f"{SMOOTHER}jacobi amg.smoother.sweeps=2"


def reduction_above(levels, smoother=TWO_SWEEPS):
    """Reduction on the finest `levels` by an inverse in the pattern of the second power, classical coarsening below, F-cycles."""
    types = ("same",) * levels + ("classical",)
    settings = " ".join(f"amg.levels.{level}.coarsening.type={name}" for level, name in enumerate(types))
    return f"{REDUCTION} amg.reduction.polynomial_sparsity=2 {smoother} amg.cycle=f {settings}"


FEWEST = {
    "auto": "",
    "reduction on 1, classical below": reduction_above(1),
    "the same, one sweep below": reduction_above(1, f"{SMOOTHER}jacobi"),
    "the same, one sweep of the inverse": f"amg.reduction.fine_sweeps=1 {reduction_above(1)}",
    "reduction on 2, classical below": reduction_above(2),
    "classical, 4 sweeps on the finest level, F-cycle": f"{GROWTH['classical, 2 sweeps, F-cycle']} amg.levels.0.smoother.sweeps=4",
}
# A reduction without weak couplings in its inverse, beside what is picked without sparse factors and beside Jacobi.
REDUCED = [f"{flow},peclet={p}" for flow in ("convdiff2d:n=512", "convdiff3d:n=64", "vortex:n=512") for p in ("1e2", "1e4", "1e7", "1e12")]
REDUCED += [f"vortex:n=256,peclet={p},shuffled" for p in ("1e2", "1e4", "1e7")]
REDUCING = {"auto": "direct.max_memory_mb=0", "reduction": REDUCTION}
REDUCING |= {f"above {drop}": f"{REDUCTION} amg.reduction.coupling_drop={drop}" for drop in ("0.01", "0.03", "0.1")}
# (systems, ways, most iterations, repeats)
STEPS = {
    "coarsenings": ([*MODELS[:12], *MESHES[:2], *MATRICES[:12], *MODELS[12:], *MESHES[2:], *MATRICES[12:]], COARSENINGS, 500, 5),
    "smoothers": (SMOOTHED, SMOOTHERS, 500, 5),
    "convection": (FLOWING, CONVECTION, 600, 3),
    "simplices": (ON_SIMPLICES, SIMPLICES, 600, 3),
    "advection": (ADVECTION, ADVECTING, 600, 3),
    "fewest": (FLOWS_OF_ALL_KINDS, FEWEST, 300, 3),
    "space": (IN_SPACE, FEWEST, 300, 3),
    "reductions": (REDUCED, REDUCING, 400, 3),
    "growth": ([*BY_PECLET, *UNSYMMETRIC], GROWTH, 300, 3),
}
