#!/bin/sh
# The whole story at once: server, controller and steps in one process, nothing left behind.
here=$(cd "$(dirname "$0")" && pwd)
exec node "$here/../../bootstrap.mjs" homeostat demo "$@"
