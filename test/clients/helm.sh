#!/usr/bin/env bash
# A release from its installation to its end, with the helm and the kubectl that are given. The chart is what
# `helm create` writes, and Jobs: one is a part of the release, two are hooks. Prints "ok STEP" for what worked.
set -euo pipefail
helm=$1
kubectl=$2
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
export HELM_CACHE_HOME=$folder/cache HELM_CONFIG_HOME=$folder/config HELM_DATA_HOME=$folder/data
chart=$folder/demo
label=app.kubernetes.io/instance=demo
h() { "$helm" --namespace "$CLIENT_NAMESPACE" "$@"; }
k() { "$kubectl" --cache-dir "$folder/kubectl" --namespace "$CLIENT_NAMESPACE" "$@"; }
is() { # expected, resource, jsonpath
  local value
  value=$(k get "$2" -o jsonpath="$3")
  test "$value" = "$1" || { echo "$2 $3 is '$value', expected '$1'"; k get all; exit 1; }
}
none() { # resources and selector
  local found
  found=$(k get "$@" -o name)
  test -z "$found" || { echo "still there: $found"; exit 1; }
}
job() { # name, annotations in JSON
  cat <<EOF
apiVersion: batch/v1
kind: Job
metadata: {name: $1, annotations: $2}
spec:
  backoffLimit: 1
  template:
    spec:
      restartPolicy: Never
      containers: [{name: main, image: busybox, command: ["true"]}]
EOF
}
wait=(--wait --wait-for-jobs --timeout 100s)

(cd "$folder" && h create demo)
job import '{}' >"$chart/templates/import.yaml"
job before '{"helm.sh/hook": "pre-install,pre-upgrade", "helm.sh/hook-delete-policy": "before-hook-creation"}' \
  >"$chart/templates/before.yaml"
job after '{"helm.sh/hook": "post-install", "helm.sh/hook-delete-policy": "hook-succeeded"}' >"$chart/templates/after.yaml"

h install demo "$chart" "${wait[@]}"
is 1 deployment/demo '{.status.readyReplicas}'
is 1 job/import '{.status.succeeded}'
is 1 job/before '{.status.succeeded}'
hook_end=$(k get job before -o jsonpath='{.status.completionTime}')
release_start=$(k get deployment demo -o jsonpath='{.metadata.creationTimestamp}')
if [[ $hook_end > $release_start ]]; then echo "the hook ended at $hook_end, after $release_start"; exit 1; fi
none jobs --field-selector metadata.name=after
h status demo | grep 'STATUS: deployed' >/dev/null
echo ok install

h test demo --timeout 100s | grep 'Phase: *Succeeded' >/dev/null
is Succeeded pod/demo-test-connection '{.status.phase}'
echo ok test

first_hook=$(k get job before -o jsonpath='{.metadata.uid}')
h upgrade demo "$chart" --set replicaCount=2 "${wait[@]}"
is 2 deployment/demo '{.status.readyReplicas}'
is 1 job/before '{.status.succeeded}'
second_hook=$(k get job before -o jsonpath='{.metadata.uid}')
test "$second_hook" != "$first_hook"
echo ok upgrade

h rollback demo 1 "${wait[@]}"
is 1 deployment/demo '{.spec.replicas}'
is 1 deployment/demo '{.status.readyReplicas}'
h history demo | grep '^3.*Rollback to 1' >/dev/null
echo ok rollback

h uninstall demo --wait --timeout 100s
releases=$(h list --short)
test -z "$releases"
none deployments,services,serviceaccounts,secrets --selector "$label"
none secrets --selector owner=helm
none jobs --field-selector metadata.name=import
# The garbage collector ends what the Deployment and the Jobs made. What hooks made stays, as Helm leaves it.
k wait --for delete --timeout 60s replicasets,pods --selector "$label,pod-template-hash"
k wait --for delete --timeout 60s pods --selector job-name=import
is 1 job/before '{.status.succeeded}'
echo ok uninstall
