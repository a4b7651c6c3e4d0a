# What the operator does: the status follows the spec, and a deletion waits for it.
import kopf


@kopf.on.startup()
def settings(settings: kopf.OperatorSettings, **_):
    settings.posting.enabled = True


@kopf.on.create("clients.example.com", "v1", "widgets")
def created(spec, patch, body, **_):
    kopf.info(body, reason="Made", message=f"size {spec.get('size')}")
    patch.status["phase"] = "Ready"


@kopf.on.delete("clients.example.com", "v1", "widgets")
def deleted(**_):
    pass
