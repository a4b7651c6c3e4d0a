# A Python operator on kopf and its user, which speaks through the official Python client. kopf runs in a process of its
# own, as operators do; it adds its finalizer, reacts to changes and writes the status.
# One line "ok STEP" for each step is read by the matrix test.
import os
import subprocess
import sys
import threading
import time

from kubernetes import client, config, dynamic, watch
from kubernetes.client.rest import ApiException
from kubernetes.leaderelection import electionconfig, leaderelection
from kubernetes.leaderelection.resourcelock.configmaplock import ConfigMapLock

NAMESPACE = os.environ["CLIENT_NAMESPACE"]
WIDGETS = ("clients.example.com", "v1", NAMESPACE, "widgets")


def done(step):
    print(f"ok {step}", flush=True)


def expect(fine, text):
    if not fine:
        sys.exit(f"expected {text}")


def eventually(text, ask):
    end = time.monotonic() + 120
    while time.monotonic() < end:
        if ask():
            return
        time.sleep(0.05)
    sys.exit(f"not within 120 s: {text}")


def refusal(call):
    try:
        call()
    except ApiException as error:
        return error.status
    return None


def widget(name, size):
    return {
        "apiVersion": "clients.example.com/v1",
        "kind": "Widget",
        "metadata": {"name": name, "namespace": NAMESPACE},
        "spec": {"size": size},
    }


def main():
    config.load_kube_config()
    core = client.CoreV1Api()
    custom = client.CustomObjectsApi()
    expect(len(core.list_namespace(limit=2).items) == 2, "a first page of two namespaces")
    expect(custom.list_namespaced_custom_object(*WIDGETS)["items"] == [], "no widgets yet")
    done("list")

    operator = subprocess.Popen(
        [sys.executable, "-m", "kopf", "run", "--standalone", "-n", NAMESPACE, os.path.join(os.path.dirname(__file__), "operator_widget.py")]
    )
    try:
        drive(custom)
    finally:
        operator.terminate()
        operator.wait(20)
    elect(core)


def drive(custom):
    seen = set()
    stream = watch.Watch()

    def follow():
        for event in stream.stream(custom.list_namespaced_custom_object, *WIDGETS, timeout_seconds=60):
            seen.add(event["type"] + " " + event["object"]["metadata"]["name"])

    threading.Thread(target=follow, daemon=True).start()
    made = custom.create_namespaced_custom_object(*WIDGETS, widget("first", 3))
    expect(made["metadata"]["uid"], "the widget back")
    expect(refusal(lambda: custom.create_namespaced_custom_object(*WIDGETS, widget("bad", "large"))) == 422, "422 for a text as a number")
    done("create")

    eventually("the operator writes the status", lambda: custom.get_namespaced_custom_object(*WIDGETS, "first").get("status", {}).get("phase") == "Ready")
    done("status")
    eventually("the watch tells of both", lambda: {"ADDED first", "MODIFIED first"} <= seen)
    done("watch")

    api = dynamic.DynamicClient(client.ApiClient())
    kind = api.resources.get(api_version="clients.example.com/v1", kind="Widget")
    apply = lambda size, manager, force=False: api.server_side_apply(
        kind, widget("applied", size), namespace=NAMESPACE, field_manager=manager, force_conflicts=force
    )
    apply(5, "one")
    expect(refusal(lambda: apply(6, "two")) == 409, "a conflict between managers")
    expect(apply(7, "two", True).spec.size == 7, "the forced size")
    done("apply")

    live = custom.get_namespaced_custom_object(*WIDGETS, "first")
    expect("kopf.zalando.org/KopfFinalizerMarker" in live["metadata"]["finalizers"], "the operator's finalizer")
    custom.delete_namespaced_custom_object(*WIDGETS, "first")
    eventually("the operator lets go", lambda: refusal(lambda: custom.get_namespaced_custom_object(*WIDGETS, "first")) == 404)
    eventually("the watch tells of the end", lambda: "DELETED first" in seen)
    done("finalizer")


def elect(core):
    def leading():
        done("election")
        sys.stdout.flush()
        os._exit(0)

    lock = ConfigMapLock("election", NAMESPACE, "python")
    leaderelection.LeaderElection(
        electionconfig.Config(lock, lease_duration=4, renew_deadline=3, retry_period=1, onstarted_leading=leading, onstopped_leading=None)
    ).run()


main()
