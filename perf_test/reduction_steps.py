# SPDX-FileCopyrightText: The Tessera Authors
# SPDX-License-Identifier: BSD-3-Clause
"""The steps of a reduction multigrid in NumPy and SciPy, for local_restrictions.py: points, inverse, restriction, levels, cycle.

All but `local_weights` is what src/tessera/amg/coarsening does, with its parameters' defaults: points by PMIS and by dominance
(reduction_coarsening.cpp, dominance.cpp), the inverse among fine points by a GMRES polynomial of order 4 in the pattern of A_ff
(fine_inverse.cpp, gmres_polynomial.cpp), R without weights below 0.01 of their row's largest and P of one entry in a row
(ideal_restriction.cpp), R A P without entries below 1e-5 of theirs (kept_entries.cpp). Multiplications are counted as they are done.
"""
import numpy as np
import scipy.linalg
import scipy.sparse as sparse

STRENGTH, SHARE, ORDER, RESTRICTION_DROP, OPERATOR_DROP = 0.5, 0.2, 4, 0.01, 1e-5
COARSE_SIZE, MAX_RATIO, MAX_COMPLEXITY = 200, 0.85, 12
BINS, PER_UNIT = 2048, 512
DENSE_AT_ONCE = 1 << 22


def hash32(x, seed=None):
    """kernels/graph/hash.hpp."""
    x = np.asarray(x, np.uint32)
    if seed is not None:
        x = x ^ hash32(np.uint32((seed + 0x9E3779B9) & 0xFFFFFFFF))
    for shift, factor in ((16, 0x7FEB352D), (15, 0x846CA68B)):
        x = (x ^ (x >> np.uint32(shift))).astype(np.uint64) * np.uint64(factor)
        x = (x & np.uint64(0xFFFFFFFF)).astype(np.uint32)
    return x ^ (x >> np.uint32(16))


def hashed(n):
    return hash32(np.arange(n), 0) * 2.0**-31 - 1


def lengths(A):
    return np.diff(A.indptr)


def rows_of(A):
    return np.repeat(np.arange(A.shape[0]), lengths(A))


def where(A, keep):
    """The entries of which `keep` is true."""
    counts = np.bincount(rows_of(A)[keep], minlength=A.shape[0])
    return sparse.csr_matrix((A.data[keep], A.indices[keep], np.concatenate(([0], np.cumsum(counts)))), A.shape)


def largest_of_rows(A, values):
    result = np.zeros(A.shape[0], values.dtype)
    np.maximum.at(result, rows_of(A), values)
    return result


def kept(A, drop, keeps_diagonal):
    sizes = np.abs(A.data.astype(np.float32))
    bound = (drop * largest_of_rows(A, sizes).astype(np.float64)).astype(np.float32)
    rows = rows_of(A)
    stays = (sizes >= bound[rows]) & (sizes != 0)
    return where(A, stays | (A.indices == rows) if keeps_diagonal else stays)


def strong(A, theta):
    """Couplings of more than theta of the largest of their row, of either sign."""
    sizes = np.where(A.indices == rows_of(A), 0.0, np.abs(A.data))
    return where(A, (sizes > theta * largest_of_rows(A, sizes)[rows_of(A)]) & (sizes > 0))


def pmis(S):
    """1 for coarse points; S: couplings of both directions."""
    n = S.shape[0]
    rows, columns = rows_of(S), S.indices
    dependents = np.bincount(columns, minlength=n)
    weight = dependents.astype(np.uint64) << np.uint64(32) | hash32(np.arange(n), 0).astype(np.uint64)
    undecided = (lengths(S) > 0) & (dependents > 0)
    coarse = np.zeros(n, bool)
    while undecided.any():
        both = undecided[rows] & undecided[columns]
        v, w = rows[both], columns[both]
        leads = undecided.copy()
        leads[np.where(weight[v] > weight[w], w, v)] = False
        coarse |= leads
        fine = np.zeros(n, bool)
        fine[rows[coarse[columns]]] = True
        undecided &= ~leads & ~fine
    return coarse


def convert_undominated(A, coarse):
    """Fine rows that are dominated least become coarse."""
    rows = rows_of(A)
    off = A.indices != rows
    beside = np.bincount(rows, np.where(off & ~coarse[A.indices], np.abs(A.data), 0.0), A.shape[0])
    ratio = (beside / np.abs(A.diagonal())).astype(np.float32)
    bins = np.where(beside == 0, 0, np.minimum(1 + ratio * PER_UNIT, BINS - 1).astype(int))
    bins[coarse] = -1
    counts = np.bincount(bins[bins >= 0], minlength=BINS)
    left, last, below = SHARE * counts.sum(), BINS, 0
    for bin_ in range(BINS - 1, 0, -1):
        if counts[bin_] > left:
            last, below = bin_, int(left / counts[bin_] * 2.0**32)
            break
        left -= counts[bin_]
        last = bin_ - 1
    return coarse | (bins > last) | ((bins == last) & (hash32(np.arange(A.shape[0]), 1) < below))


def split(A):
    S = strong(A, STRENGTH)
    S.data[:] = 1
    coarse = convert_undominated(A, pmis((S + S.T).tocsr()))
    return np.flatnonzero(~coarse), np.flatnonzero(coarse)


def polynomial(N):
    """Coefficients that leave the least of a hashed vector, by its powers."""
    v = [hashed(N.shape[0])]
    for _ in range(ORDER + 1):
        v.append(N @ v[-1])
    basis = np.stack([v[k] - v[k + 1] for k in range(ORDER + 1)], axis=1)
    sizes = np.linalg.norm(basis, axis=0)
    scale = np.where(sizes > 0, 1 / np.where(sizes > 0, sizes, 1), 0)
    return scale * np.linalg.lstsq(basis * scale, v[0], rcond=1e-5)[0]


def multiplications(X, Y):
    return int(lengths(Y)[X.indices].sum())


def fine_inverse(A_ff, work):
    """The polynomial, assembled in the pattern of A_ff."""
    n = A_ff.shape[0]
    inverse = 1 / A_ff.diagonal()
    N = where(A_ff, A_ff.indices != rows_of(A_ff))
    N.data = -inverse[rows_of(N)] * N.data
    c = polynomial(N)
    pattern = A_ff.copy()
    pattern.data[:] = 1
    eye = sparse.identity(n, format="csr")
    M = c[ORDER] * eye
    for k in range(ORDER - 1, -1, -1):
        work["inverse"] += multiplications(N, pattern)
        M = ((N @ M).multiply(pattern) + c[k] * eye).tocsr()
    return (M @ sparse.diags(inverse)).tocsr()


def local_sets(A_cf, A_ff, distance):
    """By coarse point the fine points near it, as rows of ones."""
    near = A_cf.copy()
    near.data[:] = 1
    if distance == 2:
        further = A_ff.copy()
        further.data[:] = 1
        near = (near + near @ further).tocsr()
    near.sort_indices()
    return near


def local_weights(A_cf, A_ff, near, work, most):
    """Rows r with r A_ff = -A_cf on the points of `near`, zero elsewhere; None beyond `most` multiplications."""
    sizes = lengths(near).astype(np.int64)
    work["restriction"] += int((sizes**3 // 3 + sizes**2).sum())
    if work["restriction"] > most:
        return None
    order = np.argsort(sizes, kind="stable")
    weights = np.zeros(near.nnz)
    n = A_ff.shape[0]
    begin = np.searchsorted(sizes[order], 1)
    while begin < len(order):
        longest = sizes[order[begin]]
        end = begin + 1
        # A batch of systems of nearly one size.
        while end < len(order) and sizes[order[end]] <= max(longest, 8) * 5 // 4 and (end - begin) * sizes[order[end]] ** 2 < DENSE_AT_ONCE:
            end += 1
        batch = order[begin:end]
        begin, size = end, int(sizes[order[end - 1]])
        chosen = near[batch]
        count, owner = len(batch), rows_of(chosen)
        place = np.arange(chosen.nnz) - chosen.indptr[owner]
        keys = owner.astype(np.int64) * n + chosen.indices
        dense = np.zeros((count, size, size))
        dense[:] = np.eye(size)
        right = np.zeros((count, size))
        dense[owner, place, place] = 0
        rows = A_ff[chosen.indices]
        entry = rows_of(rows)
        found, at = places_of(keys, owner[entry].astype(np.int64) * n + rows.indices)
        # Transposed: what is solved for stands on the left.
        dense[owner[entry][found], place[at[found]], place[entry[found]]] = rows.data[found]
        given = A_cf[batch]
        found, at = places_of(keys, rows_of(given).astype(np.int64) * n + given.indices)
        right[rows_of(given)[found], place[at[found]]] = -given.data[found]
        solved = np.linalg.solve(dense, right[:, :, None])[:, :, 0]
        starts = near.indptr[batch]
        weights[starts[owner] + place] = solved[owner, place]
    return sparse.csr_matrix((weights, near.indices, near.indptr), near.shape)


def places_of(keys, wanted):
    """Whether each is among the ascending `keys`, and where."""
    at = np.minimum(np.searchsorted(keys, wanted), len(keys) - 1)
    return keys[at] == wanted, at


def one_point(A, fine, coarse):
    """P: a fine point takes the value of the coarse one that it is coupled to most."""
    n = A.shape[0]
    number = np.full(n, -1)
    number[coarse] = np.arange(len(coarse))
    rows = rows_of(A)
    sizes = np.where((number[A.indices] >= 0) & (A.indices != rows), np.abs(A.data.astype(np.float32)), 0)
    largest = largest_of_rows(A, sizes)
    is_first = (sizes == largest[rows]) & (sizes > 0)
    i, first = np.unique(rows[is_first], return_index=True)
    target = np.full(n, -1)
    target[i] = number[A.indices[is_first][first]]
    target[coarse] = number[coarse]
    has = np.flatnonzero(target >= 0)
    return sparse.csr_matrix((np.ones(len(has)), (has, target[has])), (n, len(coarse)))


class TooMuchWork(Exception):
    """More multiplications than allowed."""


class Level:
    def __init__(self, A, way, work, most):
        self.A, fine, coarse = A, *split(A)
        self.fine, self.coarse, self.way = fine, coarse, way
        if not 0 < len(coarse) <= MAX_RATIO * A.shape[0]:
            self.coarse = None
            return
        A_ff, A_cf = A[fine][:, fine].tocsr(), A[coarse][:, fine].tocsr()
        self.A_f = A[fine]
        couplings = strong(A, way.theta) if way.theta else A
        near_ff, near_cf = couplings[fine][:, fine].tocsr(), couplings[coarse][:, fine].tocsr()
        if way.distance:
            if way.by_polynomial:
                self.M = fine_inverse(A_ff, work)
            weights = local_weights(A_cf, A_ff, local_sets(near_cf, near_ff, way.distance), work, most)
            if weights is None:
                raise TooMuchWork
        else:
            self.M = fine_inverse(near_ff + sparse.diags(A_ff.diagonal()) if way.theta else A_ff, work)
            weights = -(near_cf @ self.M).tocsr()
            work["restriction"] += multiplications(near_cf, self.M)
        if not way.by_polynomial:
            self.M = sparse.diags(1 / A_ff.diagonal()).tocsr()
            self.coarse_inverse = 1 / A.diagonal()[coarse]
        weights = kept(weights, RESTRICTION_DROP, False)
        n, to_all = A.shape[0], sparse.csr_matrix((np.ones(len(fine)), (np.arange(len(fine)), fine)), (len(fine), A.shape[0]))
        own = sparse.csr_matrix((np.ones(len(coarse)), (np.arange(len(coarse)), coarse)), (len(coarse), n))
        self.R = (weights @ to_all + own).tocsr()
        self.P = one_point(A, fine, coarse)
        work["product"] += multiplications(self.R, A)
        self.next = kept((self.R @ A @ self.P).tocsr(), OPERATOR_DROP, True)
        self.next.sort_indices()

    def entries_of_cycle(self):
        """What is read: R, P, and of each relaxation rows of A and of M."""
        sweeps = 2 * (self.A_f.nnz + self.M.nnz)
        if not self.way.by_polynomial:
            sweeps += self.A.nnz - self.A_f.nnz + len(self.coarse)
        return self.R.nnz + self.P.nnz + sweeps


class Hierarchy:
    """Levels by one way, and their cycle."""

    def __init__(self, A, way, most):
        self.work = {"inverse": 0, "restriction": 0, "product": 0}
        self.levels, self.entries = [], [A.nnz]
        here = A
        while here.shape[0] > COARSE_SIZE:
            level = Level(here, way, self.work, most * A.nnz)
            if level.coarse is None or sum(self.entries) + level.next.nnz > MAX_COMPLEXITY * A.nnz:
                break
            self.levels.append(level)
            here = level.next
            self.entries.append(here.nnz)
        self.coarsest_rows = here.shape[0]
        self.factors = scipy.linalg.lu_factor(here.toarray())

    def apply(self, b, depth=0):
        if depth == len(self.levels):
            return scipy.linalg.lu_solve(self.factors, b)
        level = self.levels[depth]
        x = level.P @ self.apply(level.R @ b, depth + 1)
        for _ in range(2):
            x[level.fine] += level.M @ (b[level.fine] - level.A_f @ x)
        if not level.way.by_polynomial:
            x[level.coarse] += level.coarse_inverse * (b - level.A @ x)[level.coarse]
        return x

    def entries_of_cycle(self):
        return sum(level.entries_of_cycle() for level in self.levels) + self.coarsest_rows**2

    def entries_of_R(self):
        return sum(level.R.nnz for level in self.levels)
