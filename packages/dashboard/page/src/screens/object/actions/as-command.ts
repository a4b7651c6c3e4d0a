// The same as commands: what to paste into a terminal to see this object there. Pure.

import { fullName, type Kind, type ObjectName, objectPath } from '../../../kinds/kind.ts'

export function kubectlCommand(kind: Kind, { namespace, name }: ObjectName): string {
  const within = namespace === undefined ? '' : ` -n ${quoted(namespace)}`
  return `kubectl get ${fullName(kind)} ${quoted(name)}${within} -o yaml`
}

export interface ApiPlace {
  /** Origin of the API, with the path below which it is. */
  readonly root: string
  /** Whether it wants a token, which a command cannot know. */
  readonly wantsToken: boolean
}

export function curlCommand(kind: Kind, of: ObjectName, { root, wantsToken }: ApiPlace): string {
  const token = wantsToken ? '-H "Authorization: Bearer $TOKEN" ' : ''
  return `curl ${token}${quoted(root + objectPath(kind, of))}`
}

/** For a POSIX shell. */
function quoted(text: string): string {
  return /^[\w@%+=:,./-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`
}
