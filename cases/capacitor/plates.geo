// Two square plates, 1 m wide and 0.05 m thick, 0.2 m apart.
SetFactory("OpenCASCADE");
Box(1) = {-0.5, -0.5, 0.1, 1.0, 1.0, 0.05};
Box(2) = {-0.5, -0.5, -0.15, 1.0, 1.0, 0.05};
Physical Surface("upper") = {1 : 6};
Physical Surface("lower") = {7 : 12};
Mesh.MeshSizeMax = 0.05;
Mesh.MeshSizeMin = 0.05;
