"""Reads a compose file by the types of the Compose Specification; fails with the first problem."""

import re
import sys

import compose_spec
import yaml

# ${NAME}, ${NAME:-default} and ${NAME:?message}; a variable without a default gets a sample.
VARIABLE = re.compile(r"\$\{\w+(?::(?P<operator>[-?])(?P<text>[^}]*))?\}")


def value(match):
    return match["text"] if match["operator"] == "-" else "sample"


with open(sys.argv[1], encoding="utf-8") as file:
    # YAML's own merges (<<) first, as Compose does.
    composed = yaml.safe_load(VARIABLE.sub(value, file.read()))
compose = compose_spec.PyCompose.from_yaml(yaml.safe_dump(composed))
compose.validate()
print(" ".join(sorted(compose.services)))
