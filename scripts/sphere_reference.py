#!/usr/bin/env python3
"""Drag of a sphere of diameter 1 that starts at once in a stream of speed 1, while the flow is
axisymmetric.

    sphere_reference.py [REYNOLDS] [CELLS_ALONG_R] [CELLS_ALONG_THETA] [STEP] [END] [MEAN]

Stream function psi and vorticity w on a grid of ln r and theta, central differences of second
order, Heun's method, wall vorticity by Thom's formula of second order. It begins with the layer of
Rayleigh. Prints time, drag over pi R^2 / 2 as a mean over the last MEAN seconds, and the part of
friction at that time. The drag is minus the change of the impulse, which is second order on the
grid; the pressure on the wall, from the slope of the vorticity there, is first order. Needs numpy
and scipy.
"""
import sys

import numpy as np
from scipy import sparse
from scipy.sparse.linalg import splu

RADIUS, FARTHEST = 0.5, 10.0


class Flow:
    def __init__(self, reynolds, cells_r, cells_theta):
        self.viscosity = 1.0 / reynolds
        ln_r = np.linspace(0.0, np.log(FARTHEST / RADIUS), cells_r + 1)
        self.theta = np.linspace(0.0, np.pi, cells_theta + 1)
        self.a, self.b = ln_r[1], self.theta[1]  # steps of the grid
        self.r, self.sine = RADIUS * np.exp(ln_r)[:, None], np.sin(self.theta)[None, :]
        self.half = np.sin(self.theta[:-1] + 0.5 * self.b)[None, :]
        self.far = 0.5 * self.r[-1] ** 2 * self.sine[0] ** 2
        along_r = sparse.diags([1 / self.a**2 + 0.5 / self.a, -2 / self.a**2,
                                1 / self.a**2 - 0.5 / self.a], [-1, 0, 1],
                               shape=(cells_r - 1, cells_r - 1))
        up = self.sine[0, 1:-1] / self.half[0, 1:] / self.b**2
        down = self.sine[0, 1:-1] / self.half[0, :-1] / self.b**2
        along_theta = sparse.diags([down[1:], -up - down, up[:-1]], [-1, 0, 1])
        self.inverse = splu(sparse.csc_matrix(
            sparse.kron(along_r, sparse.eye(cells_theta - 1)) +
            sparse.kron(sparse.eye(cells_r - 1), along_theta)))

    def layer(self, time):
        spread = 4.0 * self.viscosity * time
        return (-1.5 * self.sine * np.exp(-(self.r - RADIUS) ** 2 / spread) /
                np.sqrt(0.25 * np.pi * spread))

    def close(self, w):
        """psi of this vorticity, whose values on the wall are set."""
        right = (-self.r**3 * self.sine * w)[1:-1, 1:-1]
        right[-1] -= (1 / self.a**2 - 0.5 / self.a) * self.far[1:-1]
        psi = np.zeros_like(w)
        psi[-1] = self.far
        psi[1:-1, 1:-1] = self.inverse.solve(right.ravel()).reshape(right.shape)
        bend = (8.0 * psi[1] - psi[2]) / (2.0 * self.a**2)
        w[0, 1:-1] = -bend[1:-1] / (RADIUS**3 * self.sine[0, 1:-1])
        return psi

    def rate(self, w, psi):
        inner = slice(1, -1)
        along_r, along_theta = np.zeros_like(w), np.zeros_like(w)
        along_theta[:, inner] = (psi[:, 2:] - psi[:, :-2]) / (2.0 * self.b)
        along_r[inner] = (psi[2:] - psi[:-2]) / (2.0 * self.a)
        along_r[-1] = (3.0 * psi[-1] - 4.0 * psi[-2] + psi[-3]) / (2.0 * self.a)
        area = np.where(self.sine > 1e-12, self.r**2 * self.sine, np.inf)
        flux_r, flux_theta = self.r * along_theta / area * w, -along_r / area * w
        r, w_sine = self.r[inner], self.sine * w
        carried = ((flux_r[2:, inner] - flux_r[:-2, inner]) / (2.0 * self.a) / r +
                   (flux_theta[inner, 2:] - flux_theta[inner, :-2]) / (2.0 * self.b)) / r
        slope = (w_sine[inner, 1:] - w_sine[inner, :-1]) / self.half
        diffused = ((w[2:, inner] - 2.0 * w[inner, inner] + w[:-2, inner]) / self.a**2 +
                    (w[2:, inner] - w[:-2, inner]) / (2.0 * self.a) +
                    (slope[:, 1:] - slope[:, :-1]) / self.b**2)
        rate = np.zeros_like(w)
        rate[inner, inner] = self.viscosity * diffused / r**2 - carried
        return rate

    def impulse(self, w):
        """pi int w (r sin theta)^2 dr r dtheta."""
        of_rows = np.sum(w * self.sine**2, axis=1) * self.r[:, 0]**4
        return np.pi * self.a * self.b * (np.sum(of_rows) - 0.5 * of_rows[0])

    def friction(self, w):
        sine = self.sine[0]
        return -4.0 * self.viscosity * np.trapezoid(w[0] * sine**2, self.theta)


def main():
    given = [float(each) for each in sys.argv[1:]]
    given += [300, 320, 90, 0.001, 3.0, 0.02][len(given):]
    flow, step, end = Flow(given[0], int(given[1]), int(given[2])), given[3], given[4]
    first, steps = round(0.008 / step), round(given[5] / step)  # of the layer, and of a mean
    area = 0.5 * np.pi * RADIUS**2
    w = flow.layer(first * step)
    psi = flow.close(w)
    impulses = []
    for k in range(first, round(end / step) + 1):
        impulses.append(flow.impulse(w))
        if k % round(0.1 / step) == 0:
            drag = (impulses[-1 - steps] - impulses[-1]) / (steps * step * area)
            print("{:.2f} {:.4f} {:.4f}".format(k * step, drag, flow.friction(w)), flush=True)
        rate = flow.rate(w, psi)
        guess = w + step * rate
        w = w + 0.5 * step * (rate + flow.rate(guess, flow.close(guess)))
        psi = flow.close(w)


if __name__ == "__main__":
    main()
