// The part below the water of an ellipsoid 10 m long, 2 m wide and 1.2 m deep: about 6 000 triangles, open at z = 0.
SetFactory("OpenCASCADE");
Sphere(1) = {0, 0, 0, 1, -Pi/2, 0};
Dilate {{0, 0, 0}, {5, 1, 0.6}} { Volume{1}; }
hull() = Boundary{ Volume{1}; };
hull() -= Surface In BoundingBox{-6, -2, -0.01, 6, 2, 0.01};
Physical Surface("hull") = hull();
Mesh.MeshSizeMin = 0.1;
Mesh.MeshSizeMax = 0.1;
Mesh.Algorithm = 6;
