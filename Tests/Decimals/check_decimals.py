"""Computes expressions of numbers with Python's `decimal`, and compares them with what a program gave.

    python3 check_decimals.py FILE

Each line of FILE is an object: `expression`, a list of a function's name and its arguments; `row`, the values of
the columns that it reads; `kind` and `value`, what the program gave. The rules are those of the article HopFiles:
38 digits, halves away from zero, exponents from -128 to 127.
"""

import decimal
import json
import math
import sys
from decimal import Decimal

CONTEXT = decimal.Context(
    prec=38, rounding=decimal.ROUND_HALF_UP, Emin=-91, Emax=164, clamp=0, traps=[]
)
LEAST, GREATEST = -(2**63), 2**63 - 1


def finite(number):
    """The number; nothing where it is none, or too great."""
    return number.normalize(CONTEXT) if number.is_finite() else None


def real(number):
    return None if math.isnan(number) else number


def as_decimal(number):
    """The decimal number that a number is; nothing for doubles that are too great or too small."""
    if isinstance(number, Decimal):
        return number
    if isinstance(number, int):
        return Decimal(number)
    if not math.isfinite(number):
        return None
    if number == int(number) and LEAST <= int(number) <= GREATEST:
        return Decimal(int(number))
    digits = Decimal(repr(number))
    sign, figures, exponent = digits.as_tuple()
    while figures and figures[-1] == 0:
        figures, exponent = figures[:-1], exponent + 1
    return digits if exponent >= -128 and digits.adjusted() <= 164 else None


def remainder(left, right):
    """The exact remainder of a division toward zero."""
    least = min(left.as_tuple().exponent, right.as_tuple().exponent)
    one, other = (abs(int(n.scaleb(-least, decimal.Context(prec=1000)))) for n in (left, right))
    rest = Decimal(one % other).scaleb(least, decimal.Context(prec=1000))
    return finite(CONTEXT.plus(rest.copy_negate() if left < 0 else rest))


def power(base, exponent):
    """A whole power by squares, each product rounded."""
    if exponent < 0:
        below = power(base, -exponent)
        return None if below is None or below == 0 else finite(CONTEXT.divide(Decimal(1), below))
    result = Decimal(1)
    while True:
        if exponent % 2:
            result = CONTEXT.multiply(result, base)
        exponent //= 2
        if not result.is_finite():
            return None
        if exponent == 0:
            return finite(result)
        base = CONTEXT.multiply(base, base)
        if not base.is_finite():
            return None


def real_power(base, exponent):
    try:
        return math.pow(base, exponent)
    except (ZeroDivisionError, ValueError):
        return math.inf
    except OverflowError:
        return -math.inf if base < 0 and exponent % 2 else math.inf


def raised(left, right):
    if isinstance(left, int) and isinstance(right, int):
        plain = real_power(float(left), float(right))
        if abs(plain) <= 2**53:
            return plain
        whole = power(Decimal(left), right)
        return plain if whole is None else whole
    if isinstance(left, Decimal) or isinstance(right, Decimal):
        base, exponent = as_decimal(left), as_decimal(right)
        if base is not None and exponent is not None and exponent == int(exponent):
            return power(base, int(exponent))
    return real(real_power(float(left), float(right)))


def whole(name, left, right):
    """The result for two whole numbers, and whether 64 bits hold it."""
    if name in ("divide:by:", "modulus:by:") and right == 0:
        return None, True
    result = {
        "add:to:": lambda: left + right,
        "from:subtract:": lambda: left - right,
        "multiply:by:": lambda: left * right,
        "divide:by:": lambda: abs(left) // abs(right) * (1 if left * right >= 0 else -1),
        "modulus:by:": lambda: int(math.copysign(1, left)) * (abs(left) % abs(right)),
    }[name]()
    return result, LEAST <= result <= GREATEST


def binary(name, left, right):
    if left is None or right is None:
        return None
    if name == "raise:toPower:":
        return raised(left, right)
    areWhole = isinstance(left, int) and isinstance(right, int)
    if areWhole:
        result, fits = whole(name, left, right)
        if fits:
            return result
    one, other = as_decimal(left), as_decimal(right)
    isDecimal = isinstance(left, Decimal) or isinstance(right, Decimal)
    if (areWhole or isDecimal) and one is not None and other is not None:
        if name in ("divide:by:", "modulus:by:") and other == 0:
            return None
        if name == "modulus:by:":
            return remainder(one, other)
        function = {
            "add:to:": CONTEXT.add,
            "from:subtract:": CONTEXT.subtract,
            "multiply:by:": CONTEXT.multiply,
            "divide:by:": CONTEXT.divide,
        }[name]
        return finite(function(one, other))
    if isDecimal:
        return None
    left, right = float(left), float(right)
    if name in ("divide:by:", "modulus:by:") and right == 0:
        return None
    if name == "modulus:by:":
        return None if math.isinf(left) else real(math.fmod(left, right))
    return real(
        {
            "add:to:": lambda: left + right,
            "from:subtract:": lambda: left - right,
            "multiply:by:": lambda: left * right,
            "divide:by:": lambda: left / right,
        }[name]()
    )


def unary(name, value):
    if value is None:
        return None
    if name == "NSNumber":
        return value
    if name == "NSDecimalNumber":
        if isinstance(value, str):
            value = Decimal(value)
        digits = as_decimal(value)
        if digits is None:
            # Too great or too small for a decimal number: it stays the double that it is.
            return value if math.isfinite(value) else None
        return finite(CONTEXT.plus(digits))
    if isinstance(value, int):
        if name == "abs:":
            return abs(value) if abs(value) <= GREATEST else Decimal(abs(value))
        return value
    if isinstance(value, Decimal):
        rounding = {
            "ceiling:": decimal.ROUND_CEILING,
            "floor:": decimal.ROUND_FLOOR,
            "trunc:": decimal.ROUND_DOWN,
        }
        if name == "abs:":
            return value.copy_abs()
        return finite(value.to_integral_value(rounding[name]))
    if math.isinf(value):
        return abs(value) if name == "abs:" else value
    function = {"abs:": abs, "ceiling:": math.ceil, "floor:": math.floor, "trunc:": math.trunc}
    return float(function[name](value))


def read(kind, value):
    if kind == "nothing":
        return None
    if kind == "integer":
        return int(value)
    if kind == "real":
        return float(value)
    return Decimal(value) if kind == "decimal" else value


def evaluate(expression, row):
    name, rest = expression[0], expression[1:]
    if name == "column":
        return read(row[rest[0]]["kind"], row[rest[0]]["value"])
    if name in ("integer", "real"):
        return read(name, rest[0])
    if name == "decimal":
        return finite(CONTEXT.plus(Decimal(rest[0])))
    values = [evaluate(part, row) for part in rest]
    return unary(name, *values) if len(values) == 1 else binary(name, *values)


def kind(value):
    names = {int: "integer", float: "real", Decimal: "decimal", type(None): "nothing"}
    return names[type(value)]


def main(path):
    wrong = 0
    with open(path, encoding="utf-8") as lines:
        for line in lines:
            case = json.loads(line)
            expected = evaluate(case["expression"], case["row"])
            found = read(case["kind"], case["value"])
            if kind(expected) == case["kind"] and expected == found:
                continue
            # Beyond the exponents of decimal numbers, a double and its digits are the same.
            if None not in (expected, found) and float(expected) == float(found):
                if abs(float(found)) > 1e164 or abs(float(found)) < 1e-100:
                    continue
            wrong += 1
            if wrong <= 5:
                print("%s\n  expected %s %s" % (line.strip(), kind(expected), expected))
    return 1 if wrong else 0


sys.exit(main(sys.argv[1]))
