// The flags of the program, in the spelling of Go: `-mode submit`, `-mode=submit`, or with two dashes.

import { RUNTIMES, type RuntimeName } from '@homeostat/executor-deployment'

const MODES = ['register-crd', 'controller', 'submit'] as const

export interface Flags {
  readonly mode: (typeof MODES)[number]
  readonly crd: string
  readonly resource: string
  readonly allowCommands: boolean
  /** Where the controller is. */
  readonly location: string | undefined
  /** What the controller can start executors with. */
  readonly runtimes: readonly RuntimeName[]
  readonly help: boolean
}

const DEFAULTS: Flags = {
  mode: 'register-crd',
  crd: 'executor-deployment-definition.json',
  resource: 'ml-executor-deployment.json',
  allowCommands: false,
  location: undefined,
  runtimes: RUNTIMES,
  help: false,
}

export const USAGE = `Usage: crd-example -mode register-crd|controller|submit [flags]
  -mode register-crd   registers the definition of a kind
  -mode controller     looks after ExecutorDeployments until Ctrl+C
  -mode submit         creates a resource, or changes it
  -crd FILE            the definition (default ${DEFAULTS.crd})
  -resource FILE       the resource (default ${DEFAULTS.resource})
  -location PLACE      where this controller is: it takes resources whose spec.location is this, or that name none
  -runtimes LIST       what it can start executors with (default ${RUNTIMES.join(',')})
  -allow-commands      lets resources name what runs on the controller's machine

The server: COLONIES_SERVER_HOST (default 127.0.0.1), COLONIES_SERVER_PORT (default 3000), COLONIES_INSECURE (default true:
http), or the kubeconfig in KUBECONFIG when no host is named. The colony: COLONIES_COLONY_NAME (default dev). The controller's
name: COLONIES_EXECUTOR_NAME.
`

/** Throws for unknown flags, with a message for the user. */
export function parseFlags(args: readonly string[]): Flags {
  const given = new Map<string, string>()
  for (let i = 0; i < args.length; i++) {
    const [, name = '', inline] = /^--?([\w-]+)(?:=(.*))?$/.exec(args[i] ?? '') ?? []
    if (name === 'help' || name === 'h') return { ...DEFAULTS, help: true }
    if (name === 'allow-commands') {
      given.set(name, inline ?? 'true')
      continue
    }
    if (!['mode', 'crd', 'resource', 'location', 'runtimes'].includes(name))
      throw new Error(`unknown argument ${args[i]}`)
    const value = inline ?? args[++i]
    if (value === undefined || value === '') throw new Error(`-${name} needs a value`)
    given.set(name, value)
  }
  const wanted = given.get('mode')
  const mode = MODES.find((known) => known === wanted)
  if (mode === undefined) throw new Error(`-mode ${wanted ?? ''}: say one of ${MODES.join(', ')}`)
  return {
    mode,
    crd: given.get('crd') ?? DEFAULTS.crd,
    resource: given.get('resource') ?? DEFAULTS.resource,
    allowCommands: given.get('allow-commands') === 'true',
    location: given.get('location'),
    runtimes: readRuntimes(given.get('runtimes')),
    help: false,
  }
}

function readRuntimes(list: string | undefined): readonly RuntimeName[] {
  if (list === undefined) return RUNTIMES
  const names = list.split(',').map((name) => RUNTIMES.find((known) => known === name))
  if (names.every((name) => name !== undefined)) return [...new Set(names)]
  throw new Error(`-runtimes ${list}: a list of ${RUNTIMES.join(', ')}, with commas`)
}
