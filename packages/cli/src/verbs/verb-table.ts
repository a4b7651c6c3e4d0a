// The verbs and nouns of the command. The code of a verb is imported when the verb runs, so that --help stays quick.

import {
  backupOptions,
  configOptions,
  dashboardOptions,
  dataOptions,
  devVerbOptions,
  doctorOptions,
  kubeconfigOptions,
  loginOptions,
  migrateOptions,
  synthVerbOptions,
  typesOptions,
  upOptions,
} from '../options/option-groups.ts'
import { objectVerbs } from './objects/object-verbs.ts'
import type { CommandTable } from './verb-row.ts'

const completionNotes = [
  'bash: source <(homeostat completion bash)',
  'zsh:  source <(homeostat completion zsh)',
  'fish: homeostat completion fish | source',
]

export const verbTable: CommandTable = {
  up: {
    summary: 'Start the server.',
    operands: '',
    options: [...upOptions, ...configOptions],
    run: async (values, operands, terminal) => (await import('./up.ts')).up(values, operands, terminal),
  },
  dev: {
    summary: 'Run the operator of a project on a server of its own, and start it again on save.',
    operands: '[ENTRY]',
    options: devVerbOptions,
    completes: 'file',
    run: async (values, operands, terminal) => (await import('./dev.ts')).dev(values, operands, terminal),
  },
  dashboard: {
    summary: 'Show any cluster in a browser, with the credentials of a kubeconfig.',
    operands: '',
    options: dashboardOptions,
    run: async (values, operands, terminal) => (await import('./dashboard.ts')).dashboard(values, operands, terminal),
  },
  ...objectVerbs,
  backup: {
    summary: 'Write a copy of the data to a new file; the server may be running.',
    operands: 'FILE',
    options: backupOptions,
    completes: 'file',
    run: async (values, operands, terminal) => (await import('./backup.ts')).backup(values, operands, terminal),
  },
  restore: {
    summary: 'Put a backup into an empty data directory; every client lists anew.',
    operands: 'FILE',
    options: dataOptions,
    completes: 'file',
    run: async (values, operands, terminal) => (await import('./restore.ts')).restore(values, operands, terminal),
  },
  migrate: {
    summary: 'Copy all objects from the data directory to etcd, or back, and compare them; no server may run.',
    operands: '',
    options: migrateOptions,
    notes: ['It may be ended at any time; the same command continues it.'],
    run: async (values, operands, terminal) => (await import('./migrate.ts')).migrate(values, operands, terminal),
  },
  check: {
    summary: 'Read the whole store and name every damaged record; the server may be running.',
    operands: '',
    options: dataOptions,
    run: async (values, operands, terminal) => (await import('./check.ts')).check(values, operands, terminal),
  },
  doctor: {
    summary: 'Say what is wrong with a server, its definitions and executors, and what to do.',
    operands: '',
    options: doctorOptions,
    notes: ['Exit codes: 0 all is well, 1 there are warnings, 2 there are errors'],
    run: async (values, operands, terminal) => (await import('./doctor/doctor.ts')).doctor(values, operands, terminal),
  },
  salvage: {
    summary: 'Make a whole store out of a damaged data directory; the old files are moved aside.',
    operands: '',
    options: dataOptions,
    run: async (values, operands, terminal) => (await import('./salvage.ts')).salvage(values, operands, terminal),
  },
  init: {
    summary: 'Write a project with an operator of your own.',
    operands: '[FOLDER]',
    options: [],
    unparsed: true,
    candidates: async (before, prefix) => (await import('create-homeostat')).candidates(before, prefix),
    run: async (_values, words, terminal) => (await import('./init.ts')).init(words, terminal),
  },
  kubeconfig: {
    summary: 'Write a kubeconfig with a certificate for somebody, or for an administrator who has none.',
    operands: '',
    options: kubeconfigOptions,
    run: async (values, operands, terminal) => (await import('./kubeconfig.ts')).kubeconfig(values, operands, terminal),
  },
  login: {
    summary: 'Log in at an OIDC issuer, and tell kubectl how to.',
    operands: '',
    options: loginOptions,
    notes: ['kubectl calls it with --exec; BROWSER=none opens no browser.'],
    run: async (values, operands, terminal) => (await import('./login.ts')).login(values, operands, terminal),
  },
  'token-key': {
    summary: 'Keys of service account tokens, in the data directory.',
    verbs: async () => (await import('./token-key/token-key-verbs.ts')).tokenKeyVerbs,
  },
  ca: {
    summary: "The server's certificate authority, in the data directory.",
    verbs: async () => (await import('./ca/ca-verbs.ts')).caVerbs,
  },
  keys: {
    summary: "The server's keys in a file, for other servers of the same store.",
    verbs: async () => (await import('./keys/keys-verbs.ts')).keysVerbs,
  },
  server: {
    summary: 'The servers of one store.',
    verbs: async () => (await import('./server/server-verbs.ts')).serverVerbs,
  },
  crd: {
    summary: 'Definitions of kinds, with the handlers of their resources.',
    verbs: async () => (await import('./crd/crd-verbs.ts')).crdVerbs,
  },
  resource: {
    summary: 'Resources whose kind has a handler.',
    verbs: async () => (await import('./resource/resource-verbs.ts')).resourceVerbs,
  },
  process: {
    summary: 'Work in the queue of a colony.',
    verbs: async () => (await import('./process/process-verbs.ts')).processVerbs,
  },
  graph: {
    summary: 'Processes that depend on each other.',
    verbs: async () => (await import('./graph/graph-verbs.ts')).graphVerbs,
  },
  schedule: {
    summary: 'Processes and graphs at certain times.',
    verbs: async () => (await import('./schedule/schedule-verbs.ts')).scheduleVerbs,
  },
  executor: {
    summary: 'Those who take work from the queue.',
    verbs: async () => (await import('./executor/executor-verbs.ts')).executorVerbs,
  },
  queue: {
    summary: 'The queue of a colony as a whole.',
    verbs: async () => (await import('./queue/queue-verbs.ts')).queueVerbs,
  },
  demo: {
    summary: 'Show a resource from its definition to its end, with executors as processes of this machine.',
    operands: '',
    options: [],
    run: async (_values, operands, terminal) => (await import('./demo.ts')).demo(operands, terminal),
  },
  types: {
    summary: "Write TypeScript types for a server's kinds.",
    operands: '',
    options: typesOptions,
    run: async (values, operands, terminal) => (await import('./types.ts')).types(values, operands, terminal),
  },
  synth: {
    summary: 'Write the manifests of an operator, as a Kustomize base or a Helm chart.',
    operands: '[ENTRY]',
    options: synthVerbOptions,
    completes: 'file',
    run: async (values, operands, terminal) => (await import('./synth.ts')).synth(values, operands, terminal),
  },
  completion: {
    summary: 'Print the script that makes a shell complete this command.',
    operands: 'bash|zsh|fish',
    options: [],
    notes: completionNotes,
    completes: ['bash', 'zsh', 'fish'],
    run: async (_values, operands, terminal) => (await import('./completion.ts')).completion(operands, terminal),
  },
  // Called by the completion scripts with the words so far; the last one is being typed.
  __complete: {
    summary: 'Print what the last word may become.',
    operands: 'WORD...',
    options: [],
    hidden: true,
    unparsed: true,
    run: async (_values, operands, terminal) => (await import('./complete.ts')).complete(verbTable, operands, terminal),
  },
  version: {
    summary: 'Print the version.',
    operands: '',
    options: [],
    run: async (_values, operands, terminal) => (await import('./version.ts')).version(operands, terminal),
  },
  help: {
    summary: 'Explain the command, or one verb.',
    operands: '[VERB...]',
    options: [],
    run: async (_values, operands, terminal) => (await import('./help.ts')).help(verbTable, operands, terminal),
  },
}
