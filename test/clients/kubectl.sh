#!/usr/bin/env bash
# What a person types, with the kubectl that is given. Prints "ok STEP" for what worked.
set -euo pipefail
kubectl=$1
folder=$(mktemp -d)
trap 'kill $(jobs -p) 2>/dev/null || true; rm -rf "$folder"' EXIT
k() { "$kubectl" --cache-dir "$folder/cache" --namespace "$CLIENT_NAMESPACE" "$@"; }
widget() { # name, size
  printf '{"apiVersion":"clients.example.com/v1","kind":"Widget","metadata":{"name":"%s"},"spec":{"size":%s}}' "$1" "$2"
}
fails() { # what, words that the error has to say, command...
  local what=$1 words=$2
  shift 2
  if "$@" 2>"$folder/error"; then echo "expected $what to be refused"; exit 1; fi
  grep -q "$words" "$folder/error" || { cat "$folder/error"; exit 1; }
}

k get namespaces --chunk-size 2 | grep kube-system >/dev/null
k get widgets 2>&1 | grep 'No resources found' >/dev/null
k api-resources --api-group clients.example.com | grep widgets >/dev/null
echo ok list

# Not through the function: the shell must know the program itself, to end it.
"$kubectl" --cache-dir "$folder/cache" --namespace "$CLIENT_NAMESPACE" get widgets --watch -o name >"$folder/seen" 2>&1 &
k create configmap plain --from-literal=a=1
k create deployment web --image nginx:1
k create role reader --verb get --resource configmaps
widget first 3 | k create -f -
fails 'a second create' 'already exists' k create configmap plain
fails 'a text as a number' 'spec.size' k create -f <(widget bad '"large"')
echo ok create

widget applied 5 | k apply -f -
widget applied 6 | k apply -f - | grep configured >/dev/null
widget applied 6 | k apply -f - | grep unchanged >/dev/null
widget server 1 | k apply --server-side -f - | grep serverside-applied >/dev/null
fails 'another manager' 'conflict with "kubectl"' k apply --server-side --field-manager other -f <(widget server 2)
widget server 2 | k apply --server-side --field-manager other --force-conflicts -f -
# From the client's own bookkeeping to the server's.
widget applied 7 | k apply --server-side -f -
k get deployment web -o yaml | sed 's/nginx:1/nginx:2/' | k apply -f - 2>/dev/null
test "$(k get deployment web -o jsonpath='{.spec.template.spec.containers[0].image}')" = nginx:2
k explain widget.spec.size | grep integer >/dev/null
echo ok apply

k patch widget first --subresource status --type merge -p '{"status":{"phase":"Ready"},"spec":{"size":9}}'
test "$(k get widget first -o jsonpath='{.status.phase} {.spec.size}')" = 'Ready 3'
k wait widget/first --for jsonpath='{.status.phase}'=Ready --timeout 20s
k describe widget first | grep 'Phase: *Ready' >/dev/null
echo ok status

k patch widget first --type merge -p '{"metadata":{"finalizers":["clients.example.com/hold"]}}'
k delete widget first --wait=false
test -n "$(k get widget first -o jsonpath='{.metadata.deletionTimestamp}')"
k patch widget first --type json -p '[{"op":"remove","path":"/metadata/finalizers"}]'
k wait widget/first --for delete --timeout 20s
k delete deployment web
echo ok finalizer

for _ in $(seq 200); do grep -q widget.clients.example.com/applied "$folder/seen" && break; sleep 0.05; done
grep -q widget.clients.example.com/first "$folder/seen"
grep -q widget.clients.example.com/applied "$folder/seen"
echo ok watch
