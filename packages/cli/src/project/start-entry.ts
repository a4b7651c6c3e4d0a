// Starts the program of a project as a process of its own, on the Node that runs this command, with one module before
// it that sets the operator host. Type stripping is part of Node, so an entry in TypeScript needs no build.

import { type ChildProcess, type StdioOptions, spawn } from 'node:child_process'
import { nodeFlags } from '../own-command.ts'
import type { Project } from './read-project.ts'

export interface EntryOptions {
  /** The module that runs first, found by its place so that it is part of the bundle. */
  readonly host: URL
  readonly stdio: StdioOptions
  readonly env?: Readonly<Record<string, string | undefined>>
  /** Whether it leads a process group of its own. Then the terminal's Ctrl-C does not reach it. Default false. */
  readonly detached?: boolean
}

/** The caller ends the process, and waits for it. */
export function startEntry(
  { folder, entry }: Project,
  { host, stdio, env = process.env, detached = false }: EntryOptions,
): ChildProcess {
  const flags = [...nodeFlags, '--disable-warning=ExperimentalWarning', '--import', host.href]
  return spawn(process.execPath, [...flags, entry], { cwd: folder, env, stdio, detached })
}
