"""Added mass of ellipsoids of revolution, next to Lamb's formula."""

import matplotlib.pyplot as plt
import numpy as np

import rankine


def of_lamb(ratio):
    """Added mass over displaced mass, along and across the axis [Lamb, section 114]."""
    e = np.sqrt(1 - 1 / ratio**2)
    log = np.log((1 + e) / (1 - e))
    alpha = 2 * (1 - e**2) / e**3 * (log / 2 - e)
    beta = 1 / e**2 - (1 - e**2) / (2 * e**3) * log
    return alpha / (2 - alpha), beta / (2 - beta)


ratios = np.array([1.2, 2.0, 3.0, 5.0])
found = []
for ratio in ratios:
    M = rankine.added_mass(rankine.ellipsoid(1280, (ratio, 1, 1)), density=1.0)
    found.append(np.diag(M)[:2] / (4 / 3 * np.pi * ratio))
    print(f"length over breadth {ratio}: {found[-1][0]:.4f} along, {found[-1][1]:.4f} across")
found = np.array(found)

curve = np.linspace(1.05, 5, 100)
figure, axes = plt.subplots(figsize=(5, 3.4))
axes.plot(curve, of_lamb(curve)[0], label="along the axis, exact")
axes.plot(curve, of_lamb(curve)[1], label="across, exact")
axes.plot(ratios, found, "ko", markersize=5, label=["1 280 panels", "_"])
axes.set(xlabel="length / breadth", ylabel="added mass / displaced mass", ylim=(0, 1))
axes.legend()
figure.tight_layout()
figure.savefig("added_mass.png", dpi=80)

assert np.allclose(found.T, of_lamb(ratios), rtol=0.01)
