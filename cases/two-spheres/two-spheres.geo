// Two unit spheres, centres 3 m apart along y: about 20 000 triangles.
SetFactory("OpenCASCADE");
Sphere(1) = {0, -1.5, 0, 1};
Sphere(2) = {0, 1.5, 0, 1};
Physical Surface("left") = Boundary{ Volume{1}; };
Physical Surface("right") = Boundary{ Volume{2}; };
Mesh.MeshSizeMin = 0.054;
Mesh.MeshSizeMax = 0.054;
Mesh.Algorithm = 6;
