"""Makes a typed Python client from an API description: TypedDicts for the schemas, and one function per operation.
Arguments: the description, the module to write."""
import json
import keyword
import sys

HEAD = '''"""Generated from the API description. Do not edit."""
import json
import urllib.error
import urllib.parse
import urllib.request
from typing import Any, Dict, List, Literal, NotRequired, Optional, TypedDict, Union


class Problem(Exception):
    """An answer with an error."""

    def __init__(self, error: "Error") -> None:
        super().__init__(error["detail"])
        self.error = error


class Incomplete(Exception):
    """An object that does not end with "complete": true."""


def _whole(data: bytes) -> Any:
    answer = json.loads(data)
    if answer.get("complete") is not True:
        raise Incomplete("a part of the answer is missing")
    return answer


class Server:
    def __init__(self, url: str, token: Optional[str] = None) -> None:
        self.url, self.token = url, token

    def send(self, method: str, path: str, query: Dict[str, Any], body: Optional[bytes], headers: Dict[str, Any]) -> bytes:
        given = {k: str(v).lower() if isinstance(v, bool) else v for k, v in query.items() if v is not None}
        url = self.url + path + ("?" + urllib.parse.urlencode(given, doseq=True) if given else "")
        request = urllib.request.Request(url, data=body, method=method, headers={k: v for k, v in headers.items() if v})
        if self.token:
            request.add_header("Authorization", "Bearer " + self.token)
        try:
            with urllib.request.urlopen(request) as answer:
                data: bytes = answer.read()
                return data
        except urllib.error.HTTPError as e:
            raise Problem(json.load(e)) from None


def _part(value: Any) -> str:
    return urllib.parse.quote(str(value), safe="")

'''
PLAIN = {"string": "str", "integer": "int", "number": "float", "boolean": "bool", "null": "None"}


class Maker:
    def __init__(self, document):
        self.document, self.out = document, [HEAD]

    def type_of(self, schema, name):
        """Returns the annotation for a schema. Objects inside other schemas become classes called `name`."""
        if "$ref" in schema:
            return '"%s"' % schema["$ref"].rsplit("/", 1)[1]
        if "anyOf" in schema:
            return "Union[%s]" % ", ".join(self.type_of(s, "%s%d" % (name, i)) for i, s in enumerate(schema["anyOf"]))
        if "enum" in schema:
            return "Literal[%s]" % ", ".join(repr(v) for v in schema["enum"])
        if "const" in schema:
            return "Literal[%r]" % schema["const"]
        kind = schema.get("type")
        if kind == "array":
            return "List[%s]" % self.type_of(schema["items"], name + "Item")
        if kind == "object" and "properties" in schema:
            self.put_object(name, schema)
            return '"%s"' % name
        if kind == "object":
            return "Dict[str, %s]" % self.type_of(schema.get("additionalProperties", {}), name + "Value")
        return PLAIN[kind] if kind else "Any"

    def put_object(self, name, schema):
        members = []
        for key, value in schema["properties"].items():
            kind = self.type_of(value, name + "".join(w.capitalize() for w in key.split("_")))
            members.append("    %r: %s,\n" % (key, kind if key in schema["required"] else "NotRequired[%s]" % kind))
        self.out.append("\n%s = TypedDict(%r, {\n%s})\n" % (name, name, "".join(members)))

    def put_schemas(self):
        for name, schema in self.document["components"]["schemas"].items():
            if "properties" in schema:
                self.put_object(name, schema)
            else:
                self.out.append("\n%s = %s\n" % (name, self.type_of(schema, name + "Value")))

    @staticmethod
    def result_of(operation):
        """Returns the annotation of a successful answer, and whether it is JSON."""
        answers = [r for s, r in operation["responses"].items() if s[0] == "2"]
        types = [r.get("content", {}) for r in answers]
        kinds = [t["application/json"].get("schema", {}) for t in types if "application/json" in t]
        if not kinds or any(len(t) > 1 and "application/json" not in t for t in types):
            return "bytes", False
        return kinds, True

    def ends(self, schema):
        """Returns whether every value of the schema is an object that ends with "complete": true."""
        if "$ref" in schema:
            schema = self.document["components"]["schemas"][schema["$ref"].rsplit("/", 1)[1]]
        if "anyOf" in schema:
            return all(self.ends(s) for s in schema["anyOf"])
        return "complete" in schema.get("required", [])

    def put_operation(self, method, path, operation):
        wanted, query, headers, target = [], [], [], repr(path)
        name = operation["operationId"]
        for p in sorted(operation["parameters"], key=lambda p: not p.get("required")):
            local = p["name"].replace("-", "_").lower()
            local += "_" if keyword.iskeyword(local) or local in ("body", "server") else ""
            kind = self.type_of(p["schema"], "")
            wanted.append("%s: %s" % (local, kind if p.get("required") else "Optional[%s] = None" % kind))
            if p["in"] == "path":
                target += ".replace(%r, _part(%s))" % ("{%s}" % p["name"], local)
            else:
                (query if p["in"] == "query" else headers).append("%r: %s" % (p["name"], local))
        if "requestBody" in operation:
            wanted.insert(0, "body: bytes")
            headers.append('"Content-Type": %r' % next(iter(operation["requestBody"]["content"])))
        kinds, is_json = self.result_of(operation)
        names = sorted({self.type_of(k, name) for k in kinds}) if is_json else []
        kind = kinds if not is_json else names[0] if len(names) == 1 else "Union[%s]" % ", ".join(names)
        call = "server.send(%r, %s, {%s}, %s, {%s})" % (
            method.upper(), target, ", ".join(query), "body" if "requestBody" in operation else "None", ", ".join(headers))
        if is_json:
            call = ("_whole(%s)" if all(self.ends(k) for k in kinds) else "json.loads(%s or b'null')") % call
        self.out.append("\n\ndef %s(%s) -> %s:\n    \"\"\"%s\"\"\"\n    answer: %s = %s\n    return answer\n" % (
            name, ", ".join(["server: Server"] + (["*"] + wanted if wanted else [])), kind,
            operation["summary"].capitalize() + ".", kind, call))

    def make(self):
        self.put_schemas()
        for path, methods in self.document["paths"].items():
            for method, operation in methods.items():
                self.put_operation(method, path, operation)
        return "".join(self.out)


with open(sys.argv[1], encoding="utf-8") as f:
    text = Maker(json.load(f)).make()
with open(sys.argv[2], "w", encoding="utf-8") as f:
    f.write(text)
