// The triaxial ellipsoid with semi-axes 3, 2, 1 m: about 20 000 triangles, graded with the curvature.
SetFactory("OpenCASCADE");
Sphere(1) = {0, 0, 0, 1};
Dilate {{0, 0, 0}, {3, 2, 1}} { Volume{1}; }
Physical Surface("body") = Surface{:};
Mesh.MeshSizeMin = 0.07;
Mesh.MeshSizeMax = 0.07;
Mesh.Algorithm = 6;
