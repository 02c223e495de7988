import json
import os

import rudderstack.analytics as analytics

calls = json.load(open(os.environ["CALLS"], encoding="utf-8"))
user = calls["userId"]
analytics.write_key = os.environ["WRITE_KEY"]
analytics.dataPlaneUrl = os.environ["HOST"]
analytics.identify(user_id=user, traits=calls["identify"]["traits"])
analytics.track(user_id=user, event=calls["track"]["event"], properties=calls["track"]["properties"])
analytics.page(user_id=user, name=calls["page"]["name"], properties=calls["page"]["properties"])
analytics.screen(user_id=user, name=calls["screen"]["name"], properties=calls["screen"]["properties"])
analytics.group(user_id=user, group_id=calls["group"]["groupId"], traits=calls["group"]["traits"])
analytics.alias(previous_id=calls["alias"]["previousId"], user_id=user)
analytics.flush()
