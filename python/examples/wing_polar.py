"""Lift and induced drag of a wing over the angle of attack, next to lifting-line theory."""

import matplotlib.pyplot as plt
import numpy as np

import rankine

SPAN, CHORD = 6.0, 1.0
wing = rankine.wing(2000, "0012", span=SPAN, chord=CHORD)
angles = np.array([0.0, 4.0, 8.0])
streams = [(np.cos(a), 0, np.sin(a)) for a in np.radians(angles)]
runs = rankine.Flow(wing, wakes=True).solve(velocity=streams)

scale = 0.5 * SPAN * CHORD
CL = [run.lift["force"] @ (-run.stream[2], 0, run.stream[0]) / scale for run in runs]
CD = [run.lift["induced_drag"] / scale for run in runs]
for angle, lift, drag in zip(angles, CL, CD):
    print(f"{angle:.0f} degrees: CL {lift:.3f}, CD {drag:.5f}")


def lifting_line(terms=40):
    """Slope of the lift, per radian, of a rectangular wing with the section's slope 2 pi."""
    theta = np.pi * (np.arange(terms) + 0.5) / terms / 2
    n = 2 * np.arange(terms) + 1
    mu = 2 * np.pi * CHORD / (4 * SPAN)
    rows = np.sin(np.outer(theta, n)) * (n * mu / np.sin(theta)[:, None] + 1)
    return np.pi * SPAN / CHORD * np.linalg.solve(rows, mu * np.ones(terms))[0]


slope = lifting_line()
figure, (left, right) = plt.subplots(1, 2, figsize=(9, 3.4))
left.plot(angles, slope * np.radians(angles), label="lifting line")
left.plot(angles, CL, "ko", markersize=5, label="2 000 panels, 12 % thick")
left.set(xlabel="angle of attack, degrees", ylabel="CL")
left.legend()
edges, circulation = runs[2].lift["edges"], runs[2].lift["circulation"]
y = edges[:, :, 1].mean(axis=1)
order = np.argsort(y)
right.plot(y[order], np.abs(circulation[order]), "o-", markersize=3)
right.set(xlabel="y, m", ylabel="circulation at 8 degrees, m^2/s", ylim=(0, None))
figure.tight_layout()
figure.savefig("wing_polar.png", dpi=80)

assert abs(CL[0]) < 1e-3 and abs(CL[1] / (slope * np.radians(4)) - 1) < 0.1
assert abs(CD[2] * np.pi * SPAN / CHORD / CL[2] ** 2 - 1) < 0.1  # of an elliptic wing 1
