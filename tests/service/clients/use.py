"""Uses the generated Python client. Arguments: the server's address, the number of a result set with leaks."""
import sys
from typing import Any, Dict, Optional

import profdepot_client as api

server = api.Server(sys.argv[1])
listed = api.get_v1_result_sets(server, limit=1, label=["kind=leaks"])
row = listed["result_sets"][0]["rows"][0]
labels: dict[str, str] = row["labels"]
number = row["inst_id"]
leaks = api.get_v1_result_sets_inst_id_reports_leaks(server, inst_id=sys.argv[2], by="class", top=1)
changed = api.patch_v1_result_sets_inst_id(server, inst_id=int(sys.argv[2]), body=b'{"labels": {"client": "python"}}')
try:
    api.get_v1_result_sets_inst_id(server, inst_id="999999")
    code = "none"
except api.Problem as e:
    code = e.error["code"]


class Cut(api.Server):
    """Loses the last member of each answer, like a proxy that repairs a part of a document."""

    def send(self, method: str, path: str, query: Dict[str, Any], body: Optional[bytes], headers: Dict[str, Any]) -> bytes:
        return super().send(method, path, query, body, headers).replace(b',"complete":true', b"")


try:
    api.get_v1_result_sets(Cut(sys.argv[1]), limit=1)
    cut = "accepted"
except api.Incomplete:
    cut = "refused"
print(number, labels["kind"], leaks["report"], len(leaks["result_sets"][0]["rows"]), changed["labels"]["client"], code, cut)
