// Starts the program of a project to learn what it calls `run()` with. Each way in which that fails is a Fault.

import { relative } from 'node:path'
import type { RunDescription } from '@homeostat/operator/host'
import { Fault } from '../fault.ts'
import type { Project } from '../project/read-project.ts'
import { startEntry } from '../project/start-entry.ts'

const LIMIT_MS = 30_000
/** Node's code for a program that ends while its top-level await is pending, as `await run(...).done` does here. */
const UNSETTLED = 13

export interface DescribeOptions {
  readonly env: Readonly<Record<string, string | undefined>>
  /** How long the program may take. */
  readonly limitMs?: number
}

export async function describeEntry(project: Project, options: DescribeOptions): Promise<readonly RunDescription[]> {
  const { env, limitMs = LIMIT_MS } = options
  const shown = relative(project.folder, project.entry)
  const { descriptions, code, isLate, error } = await describe(project, env, limitMs)
  if (isLate && descriptions.length === 0) {
    throw new Fault(
      `${shown} did not call run() within ${limitMs / 1000} s: what it waits for before has to be there without a server`,
    )
  }
  if (isLate) throw new Fault(`${shown} called run(), but did not end within ${limitMs / 1000} s${said(error)}`)
  if (code !== 0 && code !== UNSETTLED) throw new Fault(`${shown} failed${said(error)}`)
  if (descriptions.length > 0) return descriptions
  throw new Fault(
    `${shown} ended without calling run() of @homeostat/operator; name the file that does, as \`homeostat synth FILE\``,
  )
}

interface Ended {
  readonly descriptions: readonly RunDescription[]
  readonly code: number | null
  readonly isLate: boolean
  readonly error: string
}

async function describe(project: Project, env: DescribeOptions['env'], limitMs: number): Promise<Ended> {
  const host = new URL('./describe-host.ts', import.meta.url)
  // What the program prints is no part of the manifests.
  const child = startEntry(project, { host, env, stdio: ['ignore', 'ignore', 'pipe', 'ipc'] })
  const descriptions: RunDescription[] = []
  let error = ''
  let isLate = false
  child.on('message', (description) => void descriptions.push(description as unknown as RunDescription))
  child.stderr?.setEncoding('utf8').on('data', (text: string) => {
    error = (error + text).slice(-MOST_ERROR)
  })
  const late = setTimeout(() => {
    isLate = true
    child.kill('SIGKILL')
  }, limitMs)
  try {
    const code = await new Promise<number | null>((resolve, reject) => {
      child.on('error', reject)
      child.on('close', resolve)
    })
    return { descriptions, code, isLate, error }
  } finally {
    clearTimeout(late)
  }
}

/** The end of what the program wrote to standard error. */
const MOST_ERROR = 4000

function said(error: string): string {
  const text = error.trim()
  return text === '' ? '' : `:\n${text}`
}
