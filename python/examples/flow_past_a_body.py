"""Flow past an ellipsoid that is turned by 20 degrees: streamlines and pressure."""

import matplotlib.pyplot as plt
import numpy as np

import rankine

# Arrays of nodes and faces are a mesh.
body = rankine.ellipsoid(5120, (2.0, 1.0, 0.5))
angle = np.radians(20)
turn = np.array([[np.cos(angle), 0, -np.sin(angle)], [0, 1, 0], [np.sin(angle), 0, np.cos(angle)]])
run = rankine.Flow((body.nodes @ turn, body.faces)).solve(velocity=(1, 0, 0))
print(run)
print(f"estimated errors: Cp {run.errors['cp_l2']:.1e}, velocity {run.errors['velocity_l2']:.1e}")

# The flow in the plane y = 0.
x, z = np.linspace(-3, 3, 121), np.linspace(-1.8, 1.8, 73)
points = np.array([(px, 0, pz) for pz in z for px in x])
u = run.velocity(points).reshape(len(z), len(x), 3)
speed = np.ma.masked_equal(np.linalg.norm(u, axis=2), 0)  # zero in the body

figure, (left, right) = plt.subplots(1, 2, figsize=(10, 3.4), width_ratios=(1.5, 1))
colours = left.pcolormesh(x, z, speed, cmap="viridis", shading="gouraud", vmin=0.6, vmax=1.5)
figure.colorbar(colours, ax=left, label="|u|, m/s")
left.streamplot(x, z, u[:, :, 0], u[:, :, 2], color="white", linewidth=0.6, arrowsize=0.7)
turns = np.linspace(0, 2 * np.pi, 100)
outline = np.array([2.0 * np.cos(turns), 0 * turns, 0.5 * np.sin(turns)]).T @ turn
left.set_facecolor("0.8")
left.fill(outline[:, 0], outline[:, 2], color="0.8", zorder=3)
left.set(aspect="equal", xlabel="x, m", ylabel="z, m", title="streamlines at y = 0")
near = np.abs(run.centroid[:, 1]) < 0.05
right.plot(run.centroid[near, 0], run.Cp[near], ".", markersize=4)
right.set(xlabel="x, m", ylabel="Cp", title="pressure on the wall")
figure.tight_layout()
figure.savefig("flow_past_a_body.png", dpi=80)

assert 0.98 < run.Cp.max() < 1.001, "a panel is near the stagnation point"
assert np.linalg.norm(run.force) < 1e-6, "no force without wakes"
