"""Small errors ("mutants") in C++ sources, and sources with switches for them (mutate.py)."""
import bisect, collections, pathlib, re, zlib

ROOT = pathlib.Path(__file__).resolve().parent.parent
NUMBERS = 1 << 24  # of mutants
# Included by sources with switches. RANKINE_MUTANT is the number of the mutant that is on; the file
# RANKINE_MUTANTS_MET gets a byte 1 at the number of each that is executed.
SWITCH = f"""#pragma once
#include <fcntl.h>
#include <sys/mman.h>
#include <cstdlib>
// Set before main, since a confined program may open no file later.
inline const int rankine_mutant_on = [] {{
  const char* chosen = std::getenv("RANKINE_MUTANT");
  return chosen ? std::atoi(chosen) + 1 : 0;
}}();
inline char* const rankine_mutants_met = [] {{
  const char* file = std::getenv("RANKINE_MUTANTS_MET");
  const int opened = file ? ::open(file, O_RDWR) : -1;
  void* at = opened < 0 ? MAP_FAILED
                        : ::mmap(nullptr, {NUMBERS}, PROT_WRITE, MAP_SHARED, opened, 0);
  return at == MAP_FAILED ? nullptr : static_cast<char*>(at);
}}();
inline bool rankine_mutant(int number) {{
  if (rankine_mutants_met && !rankine_mutants_met[number]) rankine_mutants_met[number] = 1;
  return number + 1 == rankine_mutant_on;
}}
"""

OPERAND = r"[\w.:]+(?:\([^()]*\)|\[[^\[\]]*\])*"
SWAPPED = [("sign", " + ", " - "), ("sign", " += ", " -= "), ("comparison", " < ", " <= "),
           ("comparison", " > ", " >= "), ("comparison", " == ", " != "),
           ("logic", " && ", " || "), ("logic", "true", "false"), ("bound", "min(", "max(")]
RULES = [(kind, re.compile(r"\b" * old[0].isalpha() + re.escape(old) + r"\b" * old[-1].isalpha()),
          new) for kind, a, b in SWAPPED for old, new in ((a, b), (b, a))]
RULES += [(kind, re.compile(old, re.M), new) for kind, old, new in [
    ("sign", r"(?:(?<=\()|(?<=[,=?:] )|(?<=return ))-(?=[\w(])", ""),
    ("factor", OPERAND + r" \* ", ""), ("factor", r" [*/] " + OPERAND, ""),
    ("term", OPERAND + r" [+-] ", ""), ("term", r" [+-] " + OPERAND + r"(?=[;,)\]])", ""),
    ("constant", r"(?<![\w.'<])(?:\d+\.\d*(?:e[-+]?\d+)?|\d+)(?![\w.'>])", None),
    ("condition", r"\b(?:if|while) \(", "!"), ("branch", r"\bif \(", "false"),
    ("statement", r"^ +[\w:.\[\]>-]+(?:\([^;{}]*\)| [-+*/]?= [^;{}]*);$", ";")]]
# Text without effect on results: comments, strings, preprocessor lines, assertions, reserve().
NOT_CODE = re.compile(
    r"""//[^\n]*|/\*.*?\*/|R"\(.*?\)"|"(?:\\.|[^"\\\n])*"|(?<![0-9a-fA-F])'(?:\\.|[^'\\\n])+'"""
    r"""|^[ ]*\#(?:\\\n|[^\n])*|\b(?:static_)?assert\([^;]*;|[\w.]+\breserve\([^;]*;"""
    r"""|\btemplate <[^{;]*?>\n""", re.S | re.M)

COMMENT = re.compile(r"//|/\*")
HEADER = re.compile(r"(?:if|while|switch|for)(?: constexpr)? $")
SCOPE = re.compile(
    r"(?:\s|\w+:(?!:)|inline |typedef )*(?:namespace|struct|class|enum|union|extern)\b")
BLOCK = re.compile(r"(?:[)\]:]|\b(?:else|do|try|const|noexcept|override|final|mutable)"
                   r"|->\s*[\w:<>,*& ]+)\s*$")
LABEL = re.compile(r"\s+|(?:case [\w:]+|default|public|private|protected):(?!:)|(?:else|do)\b"
                   r"|(?:if|for|while|switch)(?: constexpr)? (?=\()")
DECLARATION = re.compile(
    r"(?:(?:const|static|constexpr|thread_local|mutable|inline)\s+)*"
    r"(?!(?:return|throw|delete|goto|new|using|co_\w+)\b)([\w:]+(?:<[^;]*?>)?(?:::\w+)*)"
    r"(?:\s*([&*])+\s*(?:const\s+)?|\s+)(?:\w+|\[[\w, ]+\])\s*(\[[^\]]*\]\s*)*[=({,;]")

Mutant = collections.namedtuple("Mutant", "file line kind old new begin end text number")


def replaced(kind, new, match, code):
    """What a mutant replaces, and what it puts there; None where there is no such mutant."""
    begin, end = match.span()
    if kind == "constant":
        digits = match[0]
        return begin, end, str(int(digits) + 1 if digits.isdigit() else 2 * float(digits) or 1.0)
    if kind in ("condition", "branch"):
        depth, begin = 1, end
        while depth and end < len(code):
            depth += {"(": 1, ")": -1}.get(code[end], 0)
            end += 1
        condition = code[begin:end - 1]
        if depth or ";" in condition or re.match(r"(const )?auto\b|.*[^=!<>+*/-]= ", condition):
            return None
        return begin, end - 1, f"!({condition})" if new == "!" else "false"
    if kind == "statement":
        begin += len(match[0]) - len(match[0].lstrip())
    return begin, end, new


class Source:
    """A file of C++: its mutants, and its text with switches for some of them."""

    def __init__(self, name):
        def blank(part):
            return re.sub(r"[^\n]", " ", part[0])
        self.name, self.text = name, (ROOT / name).read_text()
        self.code = NOT_CODE.sub(blank, self.text)
        self.plain = NOT_CODE.sub(
            lambda part: blank(part) if COMMENT.match(part[0]) else part[0], self.text)
        self.find_brackets()

    def find_brackets(self):
        """Of each bracket its partner; of those that open also the kind and the bracket around."""
        self.partner, self.kind, self.around, stack = {}, {None: "scope"}, {}, [None]
        self.opened = []
        for match in re.finditer(r"[()\[\]{}]", self.code):
            at = match.start()
            if match[0] in "([{":
                self.around[at] = stack[-1]
                self.kind[at] = self.kind_of(at)
                self.opened.append(at)
                stack.append(at)
            elif len(stack) > 1:
                self.partner[at] = stack.pop()
                self.partner[self.partner[at]] = at

    def kind_of(self, at):
        before = self.code[max(self.code.rfind(each, 0, at) for each in ";{}") + 1:at]
        if self.code[at] != "{":
            is_header = self.code[at] == "(" and HEADER.search(self.code, max(0, at - 20), at)
            return "header" if is_header else "expression"
        if SCOPE.match(before):
            return "scope"
        is_bare = not before.strip() and self.kind[self.around[at]] != "expression"
        return "block" if is_bare or BLOCK.search(before) else "expression"

    def mutants(self):
        lines = [0] + [match.end() for match in re.finditer("\n", self.text)]
        found, repeated = {}, collections.Counter()
        for kind, old, new in RULES:
            for match in old.finditer(self.code):
                what = replaced(kind, new, match, self.code)
                if what is None:
                    continue
                begin, end, instead = what
                line = bisect.bisect(lines, begin)
                before = self.text[lines[line - 1]:begin]
                after = self.text[end:self.text.find("\n", end)]
                was, now = (" ".join((before + part + after).split())
                            for part in (self.text[begin:end], instead))
                if (line, now) in found:
                    continue
                repeated[was, now] += 1
                number = zlib.crc32(f"{self.name} {was} {now} {repeated[was, now]}".encode())
                found[line, now] = Mutant(self.name, line, kind, was, now, begin, end, instead,
                                          number % NUMBERS)
        return list(found.values())

    def part(self, begin, end, at, separator):
        """What a separator outside brackets begins and ends around `at`, from `begin` to `end`."""
        first = k = begin
        while k < end:
            if k in self.kind:
                k = self.partner.get(k, end)
            elif self.code.startswith(separator, k):
                if k >= at:
                    return first, k
                first = k + len(separator)
            k += 1
        return first, end

    def statement(self, block, begin, end):
        """Where the statement in a block begins and ends that contains a piece of code."""
        first, lowest = begin - 1, -1 if block is None else block
        while first > lowest and self.code[first] != ";":
            opened = self.partner.get(first, first)
            if opened < first:
                follows = self.code[first + 1:].lstrip()[:1]
                if self.code[first] == "}" and self.kind[opened] != "expression" \
                        and follows not in ").,;(]?:+-*/|&<>=":
                    break
            first = opened - 1 if opened < first else first - 1
        first += 1
        while match := LABEL.match(self.code, first):
            first = match.end()
            if self.code[first] == "(" and match[0].strip():
                first = self.partner[first] + 1
        if self.code[end - 1] != ";":
            while end < len(self.code) and self.code[end] not in ";}":
                end = self.partner.get(end, end) + 1 if self.code[end] in "([{" else end + 1
            end += 1
        return first, end

    def slot(self, mutant):
        """Where the switch of a mutant is put (place()); None if it cannot have one."""
        try:
            found = self.place(mutant)
        except (KeyError, TypeError):
            return None
        return found if found and found[0] <= mutant.begin and mutant.end <= found[1] else None

    def place(self, mutant):
        """Begin, end and form of what a switch chooses between: a statement, a condition or a
        value, of which the form is the type, if it is known. None for code that only the compiler
        evaluates."""
        begin, end = mutant.begin, mutant.end
        k = bisect.bisect_left(self.opened, begin) - 1
        inner = self.opened[k] if k >= 0 else None
        while inner is not None and self.partner.get(inner, 0) < end:
            inner = self.around[inner]
        outer, top = inner, end
        while self.kind[outer] == "expression":
            top, outer = self.partner[outer] + 1, self.around[outer]
        if self.is_constexpr(outer):
            return None
        if self.kind[outer] == "header":
            first, last = self.part(outer + 1, self.partner[outer], begin, ";")
            whole = first
            for separator in (" : ", ",", " = "):
                first, last = self.part(first, last, begin, separator)
            is_for = self.code[:outer].endswith("for ")
            return first, last, "" if is_for or first > whole else "condition"
        first, last = self.statement(outer, begin, top)
        declared = DECLARATION.match(self.plain, first, last)
        if "constexpr" in self.plain[first:begin].split():
            return None
        if self.kind[outer] == "block" and not declared:
            return first, last, "statement"
        whole = self.part(first, last - 1, begin, " = ")
        value = self.part(*whole, begin, ",")
        if whole[0] > first and value[0] <= begin and not (declared and declared[3]):
            plain = declared and self.kind[outer] == "block" and not declared[2]
            return *value, declared[1] if plain and declared[1] != "auto" else ""
        first, last = self.part(inner + 1, self.partner[inner], begin, ",")
        return *self.part(first, last, begin, " = "), ""

    def is_constexpr(self, block):
        """Whether the function around a block is."""
        while self.kind[self.around.get(block)] != "scope":
            block = self.around[block]
        begin = max(self.code.rfind(each, 0, block or 0) for each in ";{}")
        return block is not None and "constexpr" in self.code[begin + 1:block].split()

    def switched(self, mutants, header):
        """The text with a switch for each of the mutants; no line moves."""
        slots = collections.defaultdict(list)
        for mutant in mutants:
            slots[self.slot(mutant)].append(mutant)
        ordered = sorted(slots, key=lambda slot: (slot[0], -slot[1], slot[2]))

        def render(begin, end):
            text = ""
            while ordered and ordered[0][1] <= end:
                first, last, form = slot = ordered.pop(0)
                text += self.text[begin:first]
                for mutant in slots[slot]:
                    on = f"rankine_mutant({mutant.number})"
                    other = " ".join((self.plain[first:mutant.begin] + mutant.text +
                                      self.plain[mutant.end:last]).split("\n"))
                    text += {"statement": f"if ({on}) {{ {other} }} else ",
                             "condition": f"{on} ? !!({other}) : !!(",
                             "": f"{on} ? ({other}) : ("}.get(
                                 form, f"[&]() -> {form} {{ if ({on}) return {other}; return ")
                kept = render(first, last)
                closed = {"statement": "", "condition": ")", "": ")"}.get(form, "; }()")
                text += kept + closed * len(slots[slot])
                begin = last
            return text + self.text[begin:end]
        return f'#include "{header}"\n#line 1\n' + render(0, len(self.text))
