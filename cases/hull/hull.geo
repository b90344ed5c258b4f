// Starboard half of a hull under water, y > 0 and z < 0: a quarter of the ellipsoid with semi-axes
// 10, 1.5 and 1 m. Its rims lie on the planes y = 0 (the middle) and z = 0 (the waterline); about
// 3 500 triangles. The poles of the sphere are at the ends of the hull: where the keel has one,
// Gmsh takes thirty times as long.
SetFactory("OpenCASCADE");
Sphere(1) = {0, 0, 0, 1, -Pi/2, Pi/2, Pi/2};
Rotate {{0, 1, 0}, {0, 0, 0}, Pi/2} { Volume{1}; }
Dilate {{0, 0, 0}, {10, 1.5, 1}} { Volume{1}; }
Delete { Volume{1}; }
Recursive Delete { Surface{2, 3}; }
Physical Surface("hull") = {1};
Mesh.MeshSizeMax = 0.148;
Mesh.MeshSizeMin = 0.148;
Mesh.Algorithm = 6;
