// Tells on the screen what the operator's process says and does.

import { relative } from 'node:path'
import { writeJson } from '@homeostat/meta'
import { humanDuration } from '@homeostat/meta/duration'
import type { InstalledDefinition, RunDescription } from '@homeostat/operator/host'
import type { Tone } from '../output/style.ts'
import { type DefinitionSpec, definitionChanges } from './definition-changes.ts'
import { type Level, type LogEntry, readLogLine } from './log-entry.ts'
import type { ProcessEnd } from './operator-process.ts'
import { ProgramOutput, projectFrames } from './program-output.ts'
import type { Screen, ScreenLine } from './screen.ts'

const TONES: Readonly<Record<Level, Tone | undefined>> = { debug: 'quiet', info: undefined, warn: 'busy', error: 'bad' }
const SIGN_TONES = { '+': 'good', '-': 'bad', '~': 'busy' } as const

/** Files named in one line. */
const MAX_FILES = 3

export class OperatorReport {
  readonly #screen: Screen
  readonly #folder: string
  readonly #entry: string
  #output: ProgramOutput

  /** `folder` is that of the project; paths are shown relative to it. */
  constructor(screen: Screen, { folder, entry }: { readonly folder: string; readonly entry: string }) {
    this.#screen = screen
    this.#folder = folder
    this.#entry = relative(folder, entry)
    this.#output = new ProgramOutput(folder)
  }

  starting(): void {
    this.#output = new ProgramOutput(this.#folder)
  }

  changed(files: readonly string[]): void {
    const names = files.slice(0, MAX_FILES).map((file) => relative(this.#folder, file))
    const more = files.length > MAX_FILES ? ` and ${files.length - MAX_FILES} more` : ''
    this.#screen.say({ text: `${names.join(', ')}${more} changed`, aside: 'the operator restarts' })
  }

  line(line: string): void {
    const entry = readLogLine(line)
    if (entry !== undefined) {
      const shown = this.#entryLine(entry)
      if (entry.object === undefined) this.#screen.say(shown)
      else this.#screen.about(entry.object, shown)
      return
    }
    const shown = this.#output.line(line)
    if (shown !== undefined) this.#screen.program(shown)
  }

  works({ kinds }: RunDescription, ms: number): void {
    const names = kinds.map(({ apiVersion, kind }) => `${kind} (${apiVersion})`)
    this.#screen.say({ text: `ready in ${Math.round(ms)} ms`, tone: 'good', aside: names.join(', ') })
  }

  installed({ name, written, definition, previous, differences }: InstalledDefinition): void {
    if (written === 'nothing') return
    const changes =
      previous === undefined ? [] : definitionChanges(previous as unknown as DefinitionSpec, definition as never)
    const lines = changes.map(({ sign, text }) => ({ text: `${sign} ${text}`, tone: SIGN_TONES[sign] }))
    const more = lines.length > 0 ? lines : differences.map((text) => ({ text: `~ ${text}`, tone: 'busy' as const }))
    this.#screen.say({ text: `the definition ${name} was ${written}`, more })
  }

  /** Rules that the operator's roles lack, as an author writes them. */
  undeclared(rules: readonly string[]): void {
    this.#screen.say({
      text: 'the operator asked for what its roles will not allow on a cluster',
      tone: 'busy',
      aside: 'add kinds of children to `children`, and the rest to `access`:',
      more: rules.map((text) => ({ text })),
    })
  }

  /** `hasRun`: whether the program has called `run()`. */
  failed({ code, signal }: ProcessEnd, hasRun: boolean): void {
    const how = signal !== null ? `was ended by ${signal}` : code ? `ended with code ${code}` : 'ended'
    const text = code === 0 && !hasRun ? `${this.#entry} ended, and did not call run()` : `the operator ${how}`
    this.#screen.say({ text, tone: 'bad', aside: 'the next save starts it again' })
  }

  #entryLine({ level, message, fields, stack }: LogEntry): ScreenLine {
    const { retryInMs, ...rest } = fields
    const retry = typeof retryInMs === 'number' ? [`again in ${durationText(retryInMs)}`] : []
    const others = Object.entries(rest).map(([name, value]) => `${name}=${inOneWord(value)}`)
    const frames = stack === undefined ? [] : projectFrames(stack, this.#folder)
    return {
      text: message,
      tone: TONES[level],
      aside: [...retry, ...others].join('  '),
      more: frames.map((text) => ({ text, tone: 'quiet' as const })),
    }
  }
}

function durationText(ms: number): string {
  return ms < 1000 ? `${ms}ms` : humanDuration(ms)
}

function inOneWord(value: unknown): string {
  return typeof value === 'string' && /^[^\s"=]+$/.test(value) ? value : writeJson(value)
}
