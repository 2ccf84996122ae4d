# SPDX-License-Identifier: GPL-2.0-only
"""
Formulas of others, in pfmon's grammar.

Both inputs have expressions that Python's own parser reads, once the names, which may have dots,
options and escapes, are replaced by identifiers.
"""
import ast
import re

from .model import Unsupported

# has_event() asks if an event can be counted. It is a name like others: pfmon has a constant for it.
HAS_EVENT = r"has_event\(\s*([^()\s]+)\s*\)"
TOKEN = re.compile(r"""
    (?P<name>""" + HAS_EVENT + r"""|\#?[A-Za-z_](?:[\w.]|\\.|(?<=\w):(?=\w))*(?:@[^@]*@)?)
  | (?P<number>(?:0[xX][0-9a-fA-F]+|(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?))
  | (?P<sign><=|>=|==|!=|[-+*/%()<>,&|])
  | (?P<blank>\s+)
  | (?P<stray>.)
    """, re.VERBOSE)
WORDS = ("if", "else")
FUNCTIONS = ("min", "max", "d_ratio", "abs")
# The meaning of "&" and "|" in perf, where they bind less than comparisons.
LOGICAL = {"&": " and ", "|": " or "}
SIGNS = {ast.Add: ("+", 4), ast.Sub: ("-", 4), ast.Mult: ("*", 5), ast.Div: ("/", 5)}
COMPARISONS = {ast.Lt: "<", ast.LtE: "<=", ast.Gt: ">", ast.GtE: ">=", ast.Eq: "==",
               ast.NotEq: "!="}
ATOM = 9


def translate(text, resolve):
    """Returns text in pfmon's grammar; resolve(name) gives what stands for a name."""
    names, source = [], []
    for token in TOKEN.finditer(text):
        kind, word = token.lastgroup, token.group()
        if kind == "stray":
            raise Unsupported(f"'{word}' in its formula")
        if kind == "name" and word not in WORDS and word not in FUNCTIONS:
            # A function that is not known is followed by its arguments.
            if text[token.end():].lstrip().startswith("("):
                raise Unsupported(f"the function {word}()")
            source.append(f" n{len(names)} ")
            names.append(word)
        else:
            source.append(LOGICAL.get(word, word))
    try:
        tree = ast.parse("".join(source).strip(), mode="eval").body
    except (SyntaxError, ValueError) as error:
        raise Unsupported("its formula cannot be read") from error
    return write(tree, [resolve(name) for name in names])[0]


def within(part, least):
    text, binding = part
    return text if binding >= least else f"({text})"


def write(node, names):
    """Returns text, and how tightly it binds."""
    if isinstance(node, ast.Constant) and isinstance(node.value, (int, float)):
        return f"{node.value:.15g}", ATOM
    if isinstance(node, ast.Name):
        return names[int(node.id[1:])], ATOM
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub):
        return "-" + within(write(node.operand, names), 6), 6
    if isinstance(node, ast.BinOp) and type(node.op) in SIGNS:
        sign, binding = SIGNS[type(node.op)]
        left = within(write(node.left, names), binding)
        return f"{left} {sign} {within(write(node.right, names), binding + 1)}", binding
    if isinstance(node, ast.Compare) and len(node.ops) == 1:
        left, right = write(node.left, names), write(node.comparators[0], names)
        return f"{within(left, 4)} {COMPARISONS[type(node.ops[0])]} {within(right, 4)}", 3
    if isinstance(node, ast.BoolOp):
        sign, binding = ("&&", 2) if isinstance(node.op, ast.And) else ("||", 1)
        parts = (within(write(value, names), binding + 1) for value in node.values)
        return f" {sign} ".join(parts), binding
    if isinstance(node, ast.IfExp):
        test, first, second = (within(write(part, names), 1)
                               for part in (node.test, node.body, node.orelse))
        return f"{test} ? {first} : {second}", 0
    if isinstance(node, ast.Call):
        return write_call(node, names)
    raise Unsupported(f"{type(node).__name__} in its formula")


def write_call(node, names):
    arguments = [write(argument, names) for argument in node.args]
    if node.func.id == "d_ratio" and len(arguments) == 2:
        # perf takes 0 where the divisor is 0; pfmon has no value then.
        return f"{within(arguments[0], 5)} / {within(arguments[1], 6)}", 5
    if node.func.id == "abs" and len(arguments) == 1:
        return f"abs({arguments[0][0]})", ATOM
    if node.func.id not in ("min", "max") or len(arguments) < 2:
        raise Unsupported(f"{node.func.id}() with {len(arguments)} arguments")
    text = arguments[0][0]
    for argument, _ in arguments[1:]:
        text = f"{node.func.id}({text}, {argument})"
    return text, ATOM
