"""What in an openapi.yaml would break a client of an older one.

The rule is the one that the document itself promises: requests may be allowed more, answers may tell more
(fields, values of an enum, kinds in a union, statuses). What was taken is still taken, what was told is still
told, and no number or text is outside of what a client made room for. A keyword that is not understood here
is an error, never a pass. Names of schemas are no part of the contract.
"""

import math

_METHODS = ("get", "put", "post", "delete", "patch", "options", "head", "trace")
_TEXTS = {"title", "description", "summary", "example", "examples", "deprecated", "$comment", "externalDocs"}
_LEAST = {"minimum": -math.inf, "minLength": 0, "minItems": 0, "minProperties": 0}
_MOST = ("maximum", "maxLength", "maxItems", "maxProperties")
_EXACT = ("pattern", "format", "multipleOf")
_INSIDE = {"items", "properties", "required", "additionalProperties", "propertyNames", "oneOf", "anyOf"}
_OTHER = {"$ref", "type", "enum", "const", "default", "uniqueItems", "discriminator"}
_OTHER |= {"contentMediaType", "contentSchema"}  # annotations: what a text holds is for its reader
_KNOWN = {*_TEXTS, *_LEAST, *_MOST, *_EXACT, *_INSIDE, *_OTHER}


def breaking(old, new):
    """What breaks, a line each, from two parsed documents; raises `ValueError` for what it can't compare."""
    return list(_Comparison(old, new).lines())


def may_break(old, new):
    """Whether the new document's version admits it (SemVer: the first number, or below 1.0 the second)."""
    was, is_now = (tuple(map(int, one["info"]["version"].split(".")[:2])) for one in (old, new))
    return is_now[0] > was[0] or (is_now[0] == 0 and is_now > was)


def _resolve(document, node):
    """The node, with what it refers to under what it says itself."""
    while "$ref" in node:
        found = document
        for key in node["$ref"].removeprefix("#/").split("/"):
            found = found[key.replace("~1", "/").replace("~0", "~")]
        node = found | {key: value for key, value in node.items() if key != "$ref"}
    return node


def _kinds(document, schema):
    """What a value may be: schemas of one type each, without unions."""
    schema = _resolve(document, schema)
    if unknown := {key for key in schema if key not in _KNOWN and not key.startswith("x-")}:
        raise ValueError(f"can't compare {sorted(unknown)}")
    variants = schema.get("oneOf") or schema.get("anyOf")
    if variants:
        rest = {key: value for key, value in schema.items() if key not in ("oneOf", "anyOf", "discriminator")}
        return [rest | kind for variant in variants for kind in _kinds(document, variant)]
    if "const" in schema:
        schema = schema | {"enum": [schema["const"]]}
    types = schema.get("type", "any")
    return [_of_type(schema, name) for name in ([types] if isinstance(types, str) else types)]


def _of_type(schema, name):
    """The part of a schema that is about values of that type."""
    if name == "null":
        return {"type": name}
    enum = {"enum": [value for value in schema["enum"] if value is not None]} if "enum" in schema else {}
    return schema | enum | {"type": name}


class _Comparison:
    def __init__(self, old, new):
        self.old, self.new = old, new

    def resolved(self, old, new):
        return _resolve(self.old, old), _resolve(self.new, new)

    def lines(self):
        there = self.schemes(self.new)
        for name, scheme in self.schemes(self.old).items():
            if scheme != there.get(name):
                yield f"{name}: was {scheme}, is {there.get(name)}"
        for path, was in self.old["paths"].items():
            item = self.new["paths"].get(path, {})
            for method in _METHODS:
                where = f"{method.upper()} {path}"
                if method in was and method not in item:
                    yield f"{where}: removed"
                elif method in was:
                    yield from self.operation(where, (was, was[method]), (item, item[method]))

    def operation(self, where, old, new):
        (_, was), (_, now) = old, new
        for key in ("operationId", "tags"):
            if was.get(key) != now.get(key):
                yield f"{where}: {key} was {was.get(key)}, is {now.get(key)}, a name in clients"
        yield from self.security(where, was, now)
        yield from self.sent(where, self.parameters(self.old, *old), self.parameters(self.new, *new))
        yield from self.body(where, was.get("requestBody"), now.get("requestBody"))
        for status, told in was["responses"].items():
            if status not in now["responses"]:
                yield f"{where}: status {status} removed"
            else:
                yield from self.answer(f"{where} -> {status}", told, now["responses"][status])

    @staticmethod
    def schemes(document):
        schemes = document["components"].get("securitySchemes", {}).items()
        return {name: {key: one[key] for key in one if key not in _TEXTS} for name, one in schemes}

    def security(self, where, was, now):
        before, there = (
            operation.get("security", document.get("security")) or [{}]
            for document, operation in ((self.old, was), (self.new, now))
        )
        for way in before:
            if not any(other.keys() <= way.keys() for other in there):
                yield f"{where}: {' and '.join(way) or 'no credentials'} was enough, and is not any more"

    @staticmethod
    def parameters(document, item, operation):
        listed = [_resolve(document, one) for part in (item, operation) for one in part.get("parameters", [])]
        return {(one["in"], one["name"].lower()): one for one in listed}

    def sent(self, where, was, now):
        for key, parameter in was.items():
            told = f"{where}, {' '.join(key)}"
            if key not in now:
                yield f"{told}: removed"
            else:
                yield from self.schema(told, parameter["schema"], now[key]["schema"], asked=True)
        for key, parameter in now.items():
            if parameter.get("required") and not was.get(key, {}).get("required"):
                yield f"{where}, {' '.join(key)}: required now"

    def body(self, where, was, now):
        was, now = self.resolved(was or {}, now or {})
        if now.get("required") and not was.get("required"):
            yield f"{where}, body: required now"
        yield from self.content(f"{where}, body", was, now, asked=True)

    def answer(self, where, was, now):
        was, now = self.resolved(was, now)
        for name, header in was.get("headers", {}).items():
            if name not in now.get("headers", {}):
                yield f"{where}, {name}: removed"
                continue
            header, other = self.resolved(header, now["headers"][name])
            if header.get("required") and not other.get("required"):
                yield f"{where}, {name}: not always there now"
            yield from self.schema(f"{where}, {name}", header["schema"], other["schema"], asked=False)
        yield from self.content(where, was, now, asked=False)

    def content(self, where, was, now, asked):
        for media, told in was.get("content", {}).items():
            other = now.get("content", {}).get(media)
            if other is None:
                yield f"{where}: {media} removed"
            else:
                yield from self.schema(where, told.get("schema", {}), other.get("schema", {}), asked)

    def schema(self, where, old, new, asked):
        """`asked`: whether clients send it; else they get it."""
        was, now = _kinds(self.old, old), _kinds(self.new, new)
        for kind in was:
            if kind["type"] == "null" and not asked:
                continue
            ways = [list(self.kind(where, kind, one, asked)) for one in now if _fits(kind, one, asked)]
            yield from min(ways, key=len, default=[f"{where}: {kind['type']} removed"])
        if not asked:
            for one in now:
                if not any(_fits(kind, one, asked) for kind in was):
                    yield f"{where}: may be {one['type']} now"

    def kind(self, where, was, now, asked):
        inner, outer = (was, now) if asked else (now, was)
        for key in (*_LEAST, *_MOST, *_EXACT):
            if not _within(key, inner, outer):
                yield f"{where}: {key} was {was.get(key)}, is {now.get(key)}"
        if outer.get("uniqueItems") and not inner.get("uniqueItems"):
            yield f"{where}: uniqueItems was {was.get('uniqueItems')}, is {now.get('uniqueItems')}"
        if asked and was.get("default") != now.get("default"):
            yield f"{where}: default was {was.get('default')}, is {now.get('default')}"
        if "enum" in was and "enum" in now:
            for value in was["enum"]:
                if value not in now["enum"]:
                    yield f"{where}: {value!r} removed"
        elif "enum" in outer:
            yield f"{where}: enum was {was.get('enum')}, is {now.get('enum')}"
        yield from self.fields(where, was, now, asked)
        for key, below in (("items", "*"), ("additionalProperties", "*"), ("propertyNames", "(name)")):
            less, more = inner.get(key, True), outer.get(key, True)
            if isinstance(less, dict) and isinstance(more, dict):
                yield from self.schema(f"{where}/{below}", was[key], now[key], asked)
            elif less is not False and more is not True and (asked or isinstance(more, dict)):
                yield f"{where}: {key} was {was.get(key)}, is {now.get(key)}"

    def fields(self, where, was, now, asked):
        fields, others = was.get("properties", {}), now.get("properties", {})
        for name, schema in fields.items():
            if name in others:
                yield from self.schema(f"{where}/{name}", schema, others[name], asked)
            else:
                yield f"{where}/{name}: removed"
        must, must_now = set(was.get("required", ())), set(now.get("required", ()))
        for name in sorted(must_now - must if asked else (must - must_now) & others.keys()):
            yield f"{where}/{name}: {'required' if asked else 'not always there'} now"


def _fits(was, now, asked):
    """Whether one type may stand for the other."""
    whole, number = (was, now) if asked else (now, was)
    return was["type"] == now["type"] or (whole["type"], number["type"]) == ("integer", "number")


def _within(key, inner, outer):
    """Whether the keyword lets nothing through for `inner` that it stops for `outer`."""
    if key not in outer:
        return True
    if key in _LEAST:
        return inner.get(key, _LEAST[key]) >= outer[key]
    if key in _MOST:
        return inner.get(key, math.inf) <= outer[key]
    return inner.get(key) == outer[key]
