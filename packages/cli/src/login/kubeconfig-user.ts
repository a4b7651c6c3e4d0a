// Adds a user who logs in by this command to a kubeconfig, and a context that uses it. The rest of the text stays as it is. Pure.

import { isMap, isSeq, parseDocument } from 'yaml'
import { Fault } from '../fault.ts'
import { type LoginRequest, pluginArguments } from './login-request.ts'

const HINT = 'homeostat is needed to log in: npm install --global @homeostat/cli'

/** Throws a Fault for a kubeconfig that has no cluster to log in to. */
export function withLogin(text: string, file: string, name: string, request: LoginRequest): string {
  const document = parseDocument(text)
  const [problem] = document.errors
  if (problem !== undefined) throw new Fault(`${file} is no kubeconfig: ${problem.message.split('\n')[0]}`)
  if (!isMap(document.contents)) throw new Fault(`${file} is no kubeconfig: it is empty`)
  const config = document.toJS() as Config
  const { cluster, namespace } = current(config, name)
  if (cluster === undefined)
    throw new Fault(
      `${file} names no server to log in to; add it: kubectl config set-cluster NAME --server https://HOST:6443`,
    )
  const exec = {
    apiVersion: 'client.authentication.k8s.io/v1',
    command: 'homeostat',
    args: pluginArguments(request),
    interactiveMode: 'IfAvailable',
    installHint: HINT,
  }
  put('users', { name, user: { exec } })
  put('contexts', { name, context: { cluster, user: name, ...(namespace !== undefined && { namespace }) } })
  document.set('current-context', name)
  return document.toString()

  function put(
    list: 'users' | 'contexts',
    entry: { readonly name: string; readonly user?: object; readonly context?: object },
  ): void {
    const at = config[list]?.findIndex((one) => one?.name === entry.name) ?? -1
    if (!isSeq(document.get(list))) document.set(list, document.createNode([entry]))
    else if (at === -1) document.addIn([list], document.createNode(entry))
    else document.setIn([list, at], document.createNode(entry))
  }
}

interface Config {
  readonly 'current-context'?: string
  readonly clusters?: readonly ({ readonly name?: string } | null)[] | null
  readonly contexts?:
    | readonly ({
        readonly name?: string
        readonly context?: { readonly cluster?: string; readonly namespace?: string }
      } | null)[]
    | null
  readonly users?: readonly ({ readonly name?: string } | null)[] | null
}

/** The cluster of the current context, or the only one. */
function current(config: Config, name: string): { cluster?: string; namespace?: string } {
  const named = config['current-context'] ?? name
  const context = config.contexts?.find((one) => one?.name === named)?.context
  if (context?.cluster !== undefined) return context
  const [only, ...more] = config.clusters ?? []
  return only?.name === undefined || more.length > 0 ? {} : { cluster: only.name }
}
