// Submits jobs to a batch system, finds them again after a crash, and collects how they ended. Its memory is a folder for each
// job, which the nodes share: the script, the id, the output and the exit code. It decides nothing.

import { execFile } from 'node:child_process'
import { mkdir, open, readFile, rename, rm, stat, writeFile } from 'node:fs/promises'
import { isAbsolute, join } from 'node:path'
import { promisify } from 'node:util'
import { messageOf } from '@homeostat/base'
import type { BatchJob, BatchState } from './batch-job.ts'
import type { BatchSystem, Command } from './batch-system.ts'
import { type JobFiles, jobProblems, jobScript } from './job-script.ts'

export interface BatchRuntimeOptions {
  readonly system: BatchSystem
  /** An absolute folder that this machine and the nodes share, such as one in a home on NFS. */
  readonly directory: string
  /** How long one command may take. Default 60 s. */
  readonly commandMs?: number
}

const run = promisify(execFile)
const COMMAND_MS = 60_000
const MAX_PRINTED = 4 << 20

export class BatchRuntime {
  readonly #system: BatchSystem
  readonly #directory: string
  readonly #commandMs: number

  constructor({ system, directory, commandMs = COMMAND_MS }: BatchRuntimeOptions) {
    if (!isAbsolute(directory)) throw new Error(`the folder of batch jobs must be absolute, and is ${directory}`)
    this.#system = system
    this.#directory = directory
    this.#commandMs = commandMs
  }

  /** The job's id. A job that was submitted under this name before, also by a program that died meanwhile, is not submitted again. */
  async submit(job: BatchJob): Promise<string> {
    const problems = jobProblems(job)
    if (problems.length > 0) throw new Error(`the job cannot be submitted: ${problems.join('; ')}`)
    const known = await this.#idOf(job.name)
    if (known !== undefined) return known
    const folder = join(this.#directory, job.name)
    await mkdir(folder, { recursive: true, mode: 0o700 })
    const files = this.#files(job.name)
    await writeFile(files.script, withInterpreter(job.script), { mode: 0o700 })
    const wrapper = join(folder, 'job.sh')
    await writeFile(wrapper, jobScript(this.#system, job, files), { mode: 0o700 })
    // A crash after the submit and before the next line leaves a job without its id; it has the name.
    const found = await this.#find(job.name)
    const id = found ?? this.#system.submittedId(await this.#command(this.#system.submit(wrapper)))
    if (id === undefined) throw new Error(`${this.#system.name} took the job ${job.name} and named no id`)
    await this.#keepId(job.name, id)
    return id
  }

  /** Undefined for a name that was never submitted. */
  async state(name: string): Promise<BatchState | undefined> {
    const id = (await this.#idOf(name)) ?? (await this.#find(name))
    if (id === undefined) return undefined
    // The order matters: a job that ends in between is still known when its exit code is not there yet.
    const report = await this.#report(id)
    const exitCode = await this.#exitCode(name)
    const code = exitCode === undefined ? {} : { exitCode }
    if (report !== undefined && (report.phase === 'Pending' || report.phase === 'Running')) return { id, ...report }
    if (report?.phase === 'Cancelled' || (report?.phase === 'Failed' && exitCode === undefined))
      return { id, ...report, ...code }
    if (exitCode !== undefined) {
      const reason = exitCode === 0 ? {} : { reason: report?.reason ?? `exit code ${exitCode}` }
      return { id, phase: exitCode === 0 ? 'Succeeded' : 'Failed', ...reason, ...code }
    }
    if (report !== undefined) return { id, ...report }
    return {
      id,
      phase: 'Failed',
      reason: `${this.#system.name} does not know the job any more, and it left no exit code`,
    }
  }

  /** The end of what the job has printed, at most so many bytes. */
  async output(name: string, bytes: number): Promise<string> {
    const file = await open(this.#files(name).output).catch(() => undefined)
    if (file === undefined) return ''
    try {
      const { size } = await file.stat()
      const length = Math.min(size, bytes)
      const { buffer, bytesRead } = await file.read(Buffer.alloc(length), 0, length, size - length)
      return buffer.toString('utf8', 0, bytesRead)
    } finally {
      await file.close()
    }
  }

  /** Ends the job if it waits or runs. An unknown one is no error. */
  async cancel(name: string): Promise<void> {
    const id = (await this.#idOf(name)) ?? (await this.#find(name))
    if (id === undefined) return
    await this.#command(this.#system.cancel(id)).catch((error: unknown) => {
      if (!this.#system.isUnknown(messageOf(error))) throw error
    })
  }

  /** Removes what is kept of a job. Cancel it before. */
  async forget(name: string): Promise<void> {
    await rm(join(this.#directory, name), { recursive: true, force: true })
  }

  #files(name: string): JobFiles {
    const folder = join(this.#directory, name)
    return { script: join(folder, 'script'), output: join(folder, 'output'), exitCode: join(folder, 'exit-code') }
  }

  async #idOf(name: string): Promise<string | undefined> {
    const text = await readFile(join(this.#directory, name, 'id'), 'utf8').catch(() => '')
    return text.trim() === '' ? undefined : text.trim()
  }

  async #keepId(name: string, id: string): Promise<void> {
    const file = join(this.#directory, name, 'id')
    await writeFile(`${file}.new`, `${id}\n`, { flush: true })
    await rename(`${file}.new`, file)
  }

  async #find(name: string): Promise<string | undefined> {
    const here = await stat(join(this.#directory, name)).catch(() => undefined)
    if (here === undefined) return undefined
    return this.#system.foundIds(await this.#command(this.#system.find(name)), name)[0]
  }

  async #report(id: string) {
    try {
      return this.#system.report(await this.#command(this.#system.query(id)))
    } catch (error) {
      if (this.#system.isUnknown(messageOf(error))) return undefined
      throw error
    }
  }

  async #exitCode(name: string): Promise<number | undefined> {
    const text = await readFile(this.#files(name).exitCode, 'utf8').catch(() => '')
    return /^\d+\n$/.test(text) ? Number(text) : undefined
  }

  async #command([program, ...args]: Command): Promise<string> {
    try {
      const { stdout } = await run(program, args, { timeout: this.#commandMs, maxBuffer: MAX_PRINTED })
      return stdout
    } catch (error) {
      const { code, stderr = '' } = error as { code?: unknown; stderr?: string }
      if (code === 'ENOENT')
        throw new Error(`there is no program ${program} on this machine: install it, or name another`)
      throw new Error(`${program} failed: ${stderr.trim() || messageOf(error)}`, { cause: error })
    }
  }
}

function withInterpreter(script: string): string {
  const text = script.endsWith('\n') ? script : `${script}\n`
  return text.startsWith('#!') ? text : `#!/bin/sh\n${text}`
}
