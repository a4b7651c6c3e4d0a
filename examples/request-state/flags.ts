// The flags of the program, in the spelling of Go: `-mode worker`, `-mode=worker`, or with two dashes.

export interface Flags {
  readonly mode: 'director' | 'worker'
  readonly namespace: string
  readonly kubeconfig: string | undefined
  /** An existing request to continue, instead of a new one. */
  readonly requestUid: string | undefined
  readonly help: boolean
}

const NAMES = ['mode', 'namespace', 'kubeconfig', 'request-uid']

export const USAGE = `Usage: main.ts [flags]
  -mode director|worker   what to be (default director)
  -namespace NAME         where the director's request is made (default "default"); it is created when absent
  -kubeconfig FILE        which server; default: KUBECONFIG, the pod's own credentials, .homeostat/kubeconfig, ~/.kube/config
  -request-uid UID        the director's request; one that exists is gone on with (default: a new one)
`

/** Throws for unknown flags, with a message for the user. */
export function parseFlags(args: readonly string[]): Flags {
  const given = new Map<string, string>()
  for (let i = 0; i < args.length; i++) {
    const [, name = '', inline] = /^--?([\w-]+)(?:=(.*))?$/.exec(args[i] ?? '') ?? []
    if (name === 'help' || name === 'h') return { ...DEFAULTS, help: true }
    if (!NAMES.includes(name)) throw new Error(`unknown argument ${args[i]}`)
    const value = inline ?? args[++i]
    if (value === undefined) throw new Error(`-${name} needs a value`)
    given.set(name, value)
  }
  const mode = given.get('mode') ?? 'director'
  if (mode !== 'director' && mode !== 'worker') throw new Error(`-mode ${mode}: there are director and worker`)
  return {
    mode,
    namespace: given.get('namespace') ?? DEFAULTS.namespace,
    kubeconfig: given.get('kubeconfig'),
    requestUid: given.get('request-uid'),
    help: false,
  }
}

const DEFAULTS: Flags = {
  mode: 'director',
  namespace: 'default',
  kubeconfig: undefined,
  requestUid: undefined,
  help: false,
}
