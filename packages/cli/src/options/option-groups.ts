// Options that several verbs share, and those of the verbs without a noun. They are apart from the verbs, so that help
// and completion know them without loading a verb.

export const serverOptions = ['server', 'kubeconfig'] as const
export const colonyOptions = [...serverOptions, 'namespace'] as const

export const storeOptions = [
  'store',
  'on-loss',
  'horizon',
  'horizon-changes',
  'history-versions',
  'history-age',
  'history-size',
  'max-pending-writes',
] as const
export const upOptions = [
  'port',
  'host',
  'data-dir',
  'with',
  'runtime',
  'local-users',
  'allow-origin',
  'event-ttl',
  'events-limit',
  'max-requests-inflight',
  'max-mutating-requests-inflight',
  'max-connections',
  'log-level',
  'log-format',
  'shutdown-timeout',
  ...storeOptions,
] as const
/** Where the options of a verb are read from besides flags and variables. */
export const configOptions = ['config', 'print-config'] as const
export const dataOptions = ['data-dir'] as const
export const typesOptions = ['server', 'kubeconfig', 'group', 'out'] as const
export const synthVerbOptions = ['image', 'synth-namespace', 'synth-output', 'check', 'stdout'] as const
