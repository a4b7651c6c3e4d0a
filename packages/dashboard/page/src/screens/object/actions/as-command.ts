// The same as commands: what to paste into a terminal to see this object there. Pure.

import { fullName, type Kind, type ObjectName, objectPath } from '../../../kinds/kind.ts'

export function kubectlCommand(kind: Kind, { namespace, name }: ObjectName): string {
  const within = namespace === undefined ? '' : ` -n ${quoted(namespace)}`
  return `kubectl get ${fullName(kind)} ${quoted(name)}${within} -o yaml`
}

/** `origin` is that of the API, without a path. */
export function curlCommand(kind: Kind, of: ObjectName, origin: string): string {
  return `curl ${quoted(origin + objectPath(kind, of))}`
}

/** For a POSIX shell. */
function quoted(text: string): string {
  return /^[\w@%+=:,./-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`
}
