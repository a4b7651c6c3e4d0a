// `homeostat why TYPE NAME`: which change, by whom, made which controller run, and what it wrote.

import { systemClock } from '@homeostat/base'
import type { RunRef } from '@homeostat/meta/events'
import { changeText, type RunStep, type Step, shownObject, tellStory, writesText } from '@homeostat/meta/history'
import { ServedKinds } from '../../access/served-kinds.ts'
import { withServer } from '../../access/session.ts'
import type { whyOptions } from '../../options/option-groups.ts'
import type { Values } from '../../options/option-table.ts'
import { ageOf } from '../../output/cells.ts'
import { draw } from '../../output/escape-controls.ts'
import { encoded } from '../../output/objects.ts'
import { paintFor } from '../../output/style.ts'
import type { Terminal } from '../../terminal.ts'
import { namedObject } from '../history/named-object.ts'
import { readFacts } from './read-facts.ts'

/** The newest steps that people are shown; -o json has all. */
const SHOWN = 20

export async function why(
  values: Values<(typeof whyOptions)[number]>,
  operands: readonly string[],
  terminal: Terminal,
): Promise<number> {
  return withServer(values, terminal, async (session) => {
    const { kind, namespace, name } = await namedObject(operands, session, 'why')
    const { client } = session
    const apiVersion = kind.group === '' ? kind.version : `${kind.group}/${kind.version}`
    const ref: RunRef = { apiVersion, kind: kind.kind, ...(namespace !== undefined && { namespace }), name }
    const facts = await readFacts(client, await ServedKinds.read(client), ref)
    const steps = tellStory(ref, facts)
    const { 'why-output': output } = values
    if (output !== undefined) {
      const metadata = { name, ...(namespace !== undefined && { namespace }) }
      const head = { apiVersion: 'homeostat.dev/v1', kind: 'Explanation', metadata }
      terminal.out(await encoded(output, { ...head, object: ref, steps, missing: facts.missing }))
      return 0
    }
    const now = (terminal.clock ?? systemClock).now()
    const text = new StoryText(now)
    const paint = paintFor(terminal)
    const older = steps.length - SHOWN
    const lines = [
      shownObject(ref),
      ...steps.slice(0, SHOWN).flatMap((step) => text.step(step)),
      ...(older > 0 ? [`${older} older steps: -o yaml shows them`] : []),
      ...(steps.length === 0 ? ['  nothing is known of it'] : []),
      ...facts.missing.map((one) => paint('quiet', `Not known: ${one}.`)),
    ]
    draw(terminal, `${lines.join('\n')}\n`)
    return 0
  })
}

/** The lines of a story. A run that was explained above is named again, without its causes. */
class StoryText {
  readonly #now: number
  readonly #told = new Set<string>()

  constructor(now: number) {
    this.#now = now
  }

  step(step: Step): string[] {
    const { time } = step
    const ago = ageOf(time, this.#now)
    const when = time === undefined || ago === '' ? 'at an unknown time' : `${time.slice(0, 19)}Z (${ago} ago)`
    if (step.type === 'change') {
      return [`  ${when} ${changeText(step)}`, ...(step.because ? this.#cause(step.because, 2) : [])]
    }
    const times = step.count > 1 ? `, ${step.count} times` : ''
    const line = `  ${when} reconciled by ${step.controller}${times}: ${writesText(step)}`
    return [line, ...this.#triggers(step, 2)]
  }

  /** The run behind a change. */
  #cause(run: RunStep, depth: number): string[] {
    const line = `${'  '.repeat(depth)}because ${run.controller} reconciled ${shownObject(run.object)}`
    return this.#told.has(runKey(run)) ? [`${line} (see above)`] : [line, ...this.#triggers(run, depth + 1)]
  }

  #triggers(run: RunStep, depth: number): string[] {
    this.#told.add(runKey(run))
    const { triggers, object: reconciled } = run
    const more = triggers.length - SHOWN_TRIGGERS
    const lines = triggers.slice(-SHOWN_TRIGGERS).flatMap(({ text, object, manager, change }) => {
      const isOwn = object && shownObject(object) === shownObject(reconciled)
      const what = isOwn && !/^its? /.test(text) ? `${shownObject(object)} ${text}` : text
      const by = manager === undefined || change !== undefined ? '' : ` by ${manager}`
      const line = `${'  '.repeat(depth)}since ${what}${by}${change ? `: ${changeText(change)}` : ''}`
      return [line, ...(change?.because ? this.#cause(change.because, depth + 1) : [])]
    })
    return more > 0 ? [...lines, `${'  '.repeat(depth)}and since ${more} more`] : lines
  }
}

const SHOWN_TRIGGERS = 3

function runKey({ object, time, controller }: RunStep): string {
  return `${controller} ${shownObject(object)} ${time}`
}
