"""The capacitance matrix of two spheres of 1 m, next to the series of images."""

import matplotlib.pyplot as plt
import numpy as np

import rankine

EPSILON = 8.8541878128e-12  # F/m


def exact(gap):
    """C_11 and C_12 by images [Smythe, Static and dynamic electricity, section 5.08]."""
    beta = np.arccosh(1 + gap / 2)
    n = np.arange(1, 100)
    scale = 4 * np.pi * EPSILON * np.sinh(beta)
    own = scale * np.sum(1 / np.sinh((2 * n - 1) * beta))
    return own, -scale * np.sum(1 / np.sinh(2 * n * beta))


gaps = np.array([0.25, 0.5, 1.0, 2.0])
found = []
for gap in gaps:
    spheres = [rankine.sphere(1280), rankine.sphere(1280, 1.0, (2 + gap, 0, 0))]
    C = rankine.capacitance(spheres)
    found.append(C[0])
    print(f"gap {gap} m: C11 {C[0, 0] * 1e12:.2f} pF, C12 {C[0, 1] * 1e12:.2f} pF")
found = np.array(found)

curve = np.linspace(0.1, 2.2, 100)
own, mutual = np.array([exact(gap) for gap in curve]).T * 1e12
figure, axes = plt.subplots(figsize=(5, 3.4))
axes.plot(curve, own, label="C11, exact")
axes.plot(curve, -mutual, label="-C12, exact")
axes.plot(gaps, found * 1e12 * [1, -1], "ko", markersize=5, label=["1 280 panels a sphere", "_"])
axes.set(xlabel="gap, m", ylabel="pF", ylim=(0, None))
axes.legend()
figure.tight_layout()
figure.savefig("capacitance.png", dpi=80)

assert np.allclose(found, [exact(gap) for gap in gaps], rtol=0.01)
