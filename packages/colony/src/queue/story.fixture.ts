// Reads and runs stories: text with a title after `==`, prose after `#`, and lines of the form `TIME what happens -> what
// comes of it`. stories/README.md has the language. A line that is not understood, or comes out otherwise, ends the story.

import { messageOf } from '@homeostat/base'
import type { Attempt, ProcessOutcome, ProcessSpec } from '@homeostat/executor/protocol'
import { amount } from './process-facts.ts'
import { nextTime } from './queued-process.fixture.ts'
import type { Puller } from './queued-process.ts'
import {
  clock,
  describeAttempts,
  describeDue,
  describeGroups,
  describeProcess,
  names,
  parseClock,
} from './story-words.fixture.ts'
import { StoryWorld } from './story-world.fixture.ts'
import { isRefusal } from './transitions.ts'

type Words = readonly string[]

export interface Story {
  readonly title: string
  readonly lines: readonly (readonly [number: number, line: string])[]
}

/** A file has stories about one thing, each after its `== Title`. */
export function readStories(text: string): Story[] {
  const stories: { title: string; lines: [number, string][] }[] = []
  for (const [index, line] of text.split('\n').entries()) {
    const title = /^== (.+)$/.exec(line)?.[1]
    if (title) stories.push({ title, lines: [] })
    if (title || line.trim() === '' || line.startsWith('#')) continue
    const story = stories.at(-1)
    if (!story) throw new Error(`line ${index + 1}: ${line}\na story begins with its title: == Title`)
    story.lines.push([index + 1, line])
  }
  return stories
}

export function runStory({ lines }: Story): void {
  const teller = new Teller()
  for (const [number, line] of lines) {
    const { time, action, expected } = parseLine(line, number)
    try {
      if (time !== undefined) teller.goTo(time)
      const actual = teller.tell(action)
      if (actual !== expected) throw new Error(`comes out as "${actual}", not "${expected}"`)
    } catch (error) {
      throw new Error(`line ${number}: ${line.trim()}\n${messageOf(error)}`)
    }
  }
}

function parseLine(line: string, number: number) {
  const match = /^ *(?:(\d\d:\d\d:\d\d(?:\.\d{3})?) +)?(\S.*?)(?: *-> *(.+?))? *$/.exec(line)
  if (!match?.[2]) throw new Error(`line ${number}: ${line}\nis not a line of a story`)
  return { time: match[1], action: match[2], expected: match[3] ?? 'done' }
}

/** Each pattern is one sentence of the language. */
class Teller {
  readonly #world = new StoryWorld()
  readonly #executors = new Map<string, Puller>()

  readonly #sentences: readonly [RegExp, (words: Words) => string][] = [
    [
      /^submit (\S+)((?: \S+=\S+)*)$/,
      ([name, facts]) => this.#do(() => this.#world.submit(text(name), specOf(text(facts)))),
    ],
    [
      /^priority (\S+) (-?\d+)$/,
      ([name, to]) => this.#do(() => this.#world.change(text(name), { priority: Number(to) })),
    ],
    [/^cancel (\S+)$/, ([name]) => this.#do(() => this.#world.change(text(name), { cancel: true }))],
    [/^delete (\S+)$/, ([name]) => this.#do(() => this.#world.delete(text(name)))],
    [
      /^overwrite (\S+)((?: \S+=\S*)+)$/,
      ([name, facts]) => this.#do(() => this.#world.overwrite(text(name), factsOf(text(facts)))),
    ],
    [/^pause$/, () => this.#do(() => this.#world.pause(true))],
    [/^resume$/, () => this.#do(() => this.#world.pause(false))],
    [/^stopped until now$/, () => this.#do(() => this.#world.resumed())],
    [/^restart$/, () => this.#do(() => this.#world.restart(this.#executors.keys()))],
    [/^show (\S+)$/, ([name]) => describeProcess(this.#world.objects.get(text(name)))],
    [/^due$/, () => describeDue(this.#world.due(true))],
    [/^due, but no write succeeds$/, () => describeDue(this.#world.due(false))],
    [/^lost$/, () => describeGroups(this.#world.loseExecutors())],
    [/^wake$/, () => describeGroups(this.#world.wake())],
    [/^next$/, () => this.#next()],
    [/^release (\S+)$/, ([name]) => this.#do(() => this.#world.release(text(name)))],
    [
      /^(\S+)(?: \((.+)\))? takes (\d+)$/,
      ([name, facts, max]) => names(this.#world.take(this.#executor(name, facts), Number(max))),
    ],
    [
      /^(\S+)(?: \((.+)\))? reserves (\d+)$/,
      ([name, facts, max]) => names(this.#world.reserve(this.#executor(name, facts), Number(max))),
    ],
    [
      /^(\S+)(?: \((.+)\))? waits for (\d+)$/,
      ([name, facts, max]) => this.#do(() => this.#world.wait(this.#executor(name, facts), Number(max))),
    ],
    [/^(\S+) beats((?: \S+@\d+)*)$/, ([name, holding]) => this.#beat(text(name), text(holding))],
    [/^(\S+) closes (\S+)@(\d+) (Succeeded|Failed|Cancelled)((?: \S+=\S+)*)$/, (words) => this.#close(words)],
  ]

  goTo(time: string): void {
    const now = parseClock(time)
    if (now < this.#world.now) throw new Error('time does not go back')
    this.#world.now = now
  }

  tell(action: string): string {
    for (const [pattern, sentence] of this.#sentences) {
      const match = pattern.exec(action)
      if (match) return sentence(match.slice(1))
    }
    throw new Error('is no sentence of a story')
  }

  #do(action: () => void): string {
    action()
    return 'done'
  }

  #next(): string {
    // What can be taken at once has been offered by then.
    this.#world.queue.ripe(this.#world.now)
    const next = nextTime(this.#world.queue)
    return next === undefined ? 'never' : next <= this.#world.now ? 'at once' : clock(next)
  }

  /** What is said of an executor holds until something else is said. */
  #executor(name: string | undefined, facts: string | undefined): Puller {
    const known = this.#executors.get(text(name))
    const executor = facts === undefined ? known : pullerOf(text(name), facts)
    if (!executor) throw new Error(`say what executor ${name} is: ${name} (TYPE)`)
    this.#executors.set(text(name), executor)
    return executor
  }

  #beat(name: string, holding: string): string {
    const { cancelled, lost, requeued } = this.#world.heartbeat(name, attempts(holding))
    const parts = [
      cancelled.length > 0 ? `cancelled ${describeAttempts(cancelled)}` : '',
      lost.length > 0 ? `lost ${describeAttempts(lost)}` : '',
      requeued.length > 0 ? `requeued ${requeued.join(' ')}` : '',
    ]
    return parts.filter((part) => part !== '').join(', ') || 'nothing'
  }

  #close([executor, process, attempt, result, more]: Words): string {
    const { requeue, retryable, error, ...rest } = Object.fromEntries(pairs(text(more)))
    if (Object.keys(rest).length > 0)
      throw new Error(`closes knows requeue, retryable and error, not ${Object.keys(rest)}`)
    const end: ProcessOutcome = {
      process: text(process),
      attempt: Number(attempt),
      result: result as ProcessOutcome['result'],
      ...(requeue !== undefined && { requeueAfter: Number(requeue) }),
      ...(retryable !== undefined && { retryable: retryable === 'true' }),
      ...(error !== undefined && { errors: [error] }),
    }
    const status = this.#world.close(text(executor), end)
    if (!status) return 'nothing new'
    return isRefusal(status) ? `refused: ${status.message}` : status.phase
  }
}

const SPEC_WORDS: Readonly<Record<string, (value: string) => Partial<ProcessSpec>>> = {
  func: (funcName) => ({ funcName }),
  priority: (value) => ({ priority: Number(value) }),
  wait: (value) => ({ maxWaitSeconds: Number(value) }),
  exec: (value) => ({ maxExecSeconds: Number(value) }),
  retries: (value) => ({ maxRetries: Number(value) }),
  key: (concurrencyKey) => ({ concurrencyKey }),
  ttl: (value) => ({ ttlSecondsAfterFinished: Number(value) }),
}

function specOf(facts: string): ProcessSpec {
  let spec: ProcessSpec = { funcName: 'run', conditions: { executorType: 'ml' } }
  for (const [word, value] of pairs(facts)) {
    const fields = SPEC_WORDS[word]
    const conditions = conditionOf(word, value)
    if (!fields && !conditions) throw new Error(`a Process has no ${word}`)
    spec = { ...spec, ...fields?.(value), conditions: { ...spec.conditions, ...conditions } }
  }
  return spec
}

function conditionOf(word: string, value: string): Partial<ProcessSpec['conditions']> | undefined {
  if (word === 'type') return { executorType: value }
  if (word === 'names') return { executorNames: value.split(',') }
  if (word === 'software') return { software: value.split(',') }
  return word === 'location' || word === 'cpu' || word === 'memory' ? { [word]: value } : undefined
}

function pullerOf(name: string, facts: string): Puller {
  const [type, ...rest] = facts.split(' ')
  const { functions, location = '', software, cpu, memory, ...unknown } = Object.fromEntries(pairs(rest.join(' ')))
  if (Object.keys(unknown).length > 0) throw new Error(`an executor has no ${Object.keys(unknown)}`)
  return {
    namespace: 'lab',
    name,
    type: text(type),
    functions: functions?.split(',') ?? [],
    location,
    software: software?.toLowerCase().split(','),
    cpu: amount(cpu) ?? Infinity,
    memory: amount(memory) ?? Infinity,
  }
}

/** `a=b c=d`; an underscore stands for a space. */
function pairs(facts: string): [string, string][] {
  return facts
    .trim()
    .split(' ')
    .filter((fact) => fact !== '')
    .map((fact) => {
      const [word = '', ...value] = fact.split('=')
      return [word, value.join('=').replaceAll('_', ' ')]
    })
}

/** Whole numbers are numbers. */
function factsOf(facts: string): Record<string, unknown> {
  return Object.fromEntries(pairs(facts).map(([word, value]) => [word, /^\d+$/.test(value) ? Number(value) : value]))
}

function attempts(holding: string): Attempt[] {
  return holding
    .trim()
    .split(' ')
    .filter((held) => held !== '')
    .map((held) => {
      const [process, attempt] = held.split('@')
      return { process: text(process), attempt: Number(attempt) }
    })
}

function text(word: string | undefined): string {
  return word ?? ''
}
