// A wing of NACA 0012, span 6, chord 1, through an ellipsoid of length 8 and diameter 1, in metres.
SetFactory("OpenCASCADE");
n = 24;
For i In {0 : n}
  x = 0.5 * (1 - Cos(Pi * i / n));
  z = 0.6 * (0.2969 * Sqrt(x) - 0.1260 * x - 0.3516 * x^2 + 0.2843 * x^3 - 0.1036 * x^4);
  If (i == n)
    z = 0;
  EndIf
  Point(1 + i) = {x, -3, z};
  If (i > 0 && i < n)
    Point(101 + i) = {x, -3, -z};
  EndIf
EndFor
Spline(1) = {1 : 1 + n};
Spline(2) = {1, 102 : 100 + n, 1 + n};
Curve Loop(1) = {1, -2};
Plane Surface(1) = {1};
wing[] = Extrude {0, 6, 0} { Surface{1}; };
fuselage = newv;
Sphere(fuselage) = {0, 0, 0, 0.5};
Dilate {{0, 0, 0}, {8, 1, 1}} { Volume{fuselage}; }
Translate {0.5, 0, 0} { Volume{fuselage}; }
whole[] = BooleanUnion { Volume{fuselage}; Delete; } { Volume{wing[1]}; Delete; };
skin[] = Boundary { Volume{whole[]}; };
// Small at nose and trailing edge of the wing, and where it meets the body.
Field[1] = MathEval;
Field[1].F = "0.03 + 0.25 * Sqrt(Min(x^2, (x - 1)^2) + z^2)";
Field[2] = MathEval;
Field[2].F = "0.12";
Field[3] = Min;
Field[3].FieldsList = {1, 2};
Background Field = 3;
Mesh.MeshSizeFromPoints = 0;
Mesh.MeshSizeExtendFromBoundary = 0;
Physical Surface("aircraft") = {skin[]};
