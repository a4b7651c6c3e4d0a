// What the command can do. A verb's code is imported only when it is the one that runs.

import type { OptionName, Values } from '../options/option-table.ts'
import type { Terminal } from '../terminal.ts'

export interface VerbRow {
  readonly summary: string
  /** The arguments after the verb, as shown in help. */
  readonly operands: string
  readonly options: readonly OptionName[]
  /** Runs the verb to its end and answers the exit code. */
  run(values: Values<OptionName>, operands: readonly string[], terminal: Terminal): Promise<number>
}

export const storeOptions = [
  'store',
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
  'event-ttl',
  'events-limit',
  'log-level',
  'log-format',
  'shutdown-timeout',
  ...storeOptions,
] as const
export const dataOptions = ['data-dir'] as const
export const typesOptions = ['server', 'kubeconfig', 'group', 'out'] as const

export const verbTable: Readonly<Record<string, VerbRow>> = {
  up: {
    summary: 'Start the server.',
    operands: '',
    options: upOptions,
    run: async (values, operands, terminal) => (await import('./up.ts')).up(values, operands, terminal),
  },
  backup: {
    summary: 'Write a copy of the data to a new file; the server may be running.',
    operands: 'FILE',
    options: dataOptions,
    run: async (values, operands, terminal) => (await import('./backup.ts')).backup(values, operands, terminal),
  },
  restore: {
    summary: 'Put a backup into an empty data directory; every client lists anew.',
    operands: 'FILE',
    options: dataOptions,
    run: async (values, operands, terminal) => (await import('./restore.ts')).restore(values, operands, terminal),
  },
  types: {
    summary: "Write TypeScript types for a server's kinds.",
    operands: '',
    options: typesOptions,
    run: async (values, operands, terminal) => (await import('./types.ts')).types(values, operands, terminal),
  },
  version: {
    summary: 'Print the version.',
    operands: '',
    options: [],
    run: async (_values, operands, terminal) => (await import('./version.ts')).version(operands, terminal),
  },
  help: {
    summary: 'Explain the command, or one verb.',
    operands: '[VERB]',
    options: [],
    run: async (_values, operands, terminal) => (await import('./help.ts')).help(operands, terminal),
  },
}
