"""Ten thousand small conducting balls in a cloud, all at 1 V: their charges by GMRES of scipy.

The potential of ball i is q_i / a from its own charge, and the sum of q_j / r_ij from the others.
"""

import matplotlib.pyplot as plt
import numpy as np
from scipy.sparse.linalg import LinearOperator, gmres

import rankine

rng = np.random.default_rng(1)
n, radius = 10_000, 0.002
points = rng.normal(size=(n, 3))
points *= (rng.random((n, 1)) ** (1 / 3)) / np.linalg.norm(points, axis=1, keepdims=True)

fmm = rankine.FMM(points, tolerance=1e-6)
A = LinearOperator((n, n), matvec=lambda q: fmm(np.ravel(q)) + np.ravel(q) / radius)
steps = []
q, failed = gmres(A, np.ones(n), rtol=1e-5, callback=steps.append, callback_type="pr_norm")
print(f"{len(steps)} products of GMRES")
print(f"capacity {q.sum():.4f}; of a closed sphere 1, of balls that are far apart {n * radius:.0f}")

distance = np.linalg.norm(points, axis=1)
edges = np.linspace(0.15, 1, 18)
shell = np.digitize(distance, edges)
means = [q[shell == k].mean() for k in range(1, len(edges))]
figure, axes = plt.subplots(figsize=(5, 3.4))
axes.semilogy(0.5 * (edges[:-1] + edges[1:]), np.array(means) / radius, "o-", markersize=4)
axes.set(xlabel="distance from the centre", ylabel="mean charge / that of a ball alone")
axes.set_title("the outer balls shield the inner ones", fontsize=10)
figure.tight_layout()
figure.savefig("charges_by_gmres.png", dpi=80)

some = rng.integers(0, n, 50)
r = np.linalg.norm(points[some, None] - points[None], axis=2)
r[r == 0] = radius
assert not failed and np.allclose((1 / r) @ q, 1, atol=1e-3)
assert 0.8 < q.sum() < 1
