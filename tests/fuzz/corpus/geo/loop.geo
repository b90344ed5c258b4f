n = 3;
For i In {1:n}
  Point(i) = {Cos(i), Sin(i), 0, 1};
EndFor
If (n > 3)
  Error("n");
EndIf
