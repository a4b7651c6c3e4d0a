// Reads and runs the stories of graphs. Their language is described in stories/README.md.

import type { GraphNode, NodePhase, WhenCondition } from '@homeostat/executor/graphs'
import { GraphRun } from './graph-run.ts'

export interface Story {
  readonly title: string
  readonly lines: readonly { readonly number: number; readonly text: string }[]
}

export function readStories(text: string): Story[] {
  const stories: { title: string; lines: { number: number; text: string }[] }[] = []
  for (const [index, line] of text.split('\n').entries()) {
    if (line.startsWith('== ')) stories.push({ title: line.slice(3), lines: [] })
    else if (line.trim() !== '' && !line.startsWith('#')) {
      const story = stories.at(-1)
      if (story === undefined) throw new Error('a story begins with its title')
      story.lines.push({ number: index + 1, text: line })
    }
  }
  return stories
}

export function runStory({ lines }: Story): void {
  const world = new StoryWorld()
  for (const { number, text } of lines) {
    const [what = '', expected = ''] = text.split(' -> ')
    const outcome = world.tell(what.trim())
    if (outcome !== expected.trim()) throw new Error(`line ${number}: ${text}\ncomes out as "${outcome}"`)
  }
}

const PHASES: readonly NodePhase[] = ['Pending', 'Waiting', 'Running', 'Succeeded', 'Failed', 'Cancelled', 'Skipped']

class StoryWorld {
  #nodes: GraphNode[] = []
  #run = new GraphRun([], { output: () => undefined })
  /** What is committed: phases and outputs of Processes. */
  readonly #processes = new Map<string, NodePhase>()
  readonly #outputs = new Map<string, unknown>()
  #known = new Map<string, NodePhase | undefined>()

  tell(line: string): string {
    const [word = '', ...rest] = line.split(' ')
    const after = line.slice(word.length + 1)
    if (word === 'graph') return this.#begin(after.split(';').map(readNode))
    if (word === 'add') return this.#add(after.split(';').map(readNode))
    if (word === 'cancel') return this.#after(() => this.#run.cancel())
    if (word === 'restart') return this.#begin(this.#nodes)
    if (word === 'unwritten') {
      this.#processes.delete(rest[0] ?? '')
      return this.#after(() => this.#run.release(rest[0] ?? ''))
    }
    if (word === 'show') return this.#show()
    const phase = PHASES.find((one) => one === rest[0])
    if (phase === undefined || !this.#run.has(word)) throw new Error(`"${line}" is no sentence of a story`)
    if (rest.length > 1) this.#outputs.set(word, JSON.parse(rest.slice(1).join(' ')))
    this.#processes.set(word, phase)
    return this.#after(() => this.#run.changed(word, phase as 'Running'))
  }

  #begin(nodes: GraphNode[]): string {
    this.#nodes = nodes
    this.#known = new Map()
    this.#run = new GraphRun(nodes, { output: ({ name }) => this.#outputs.get(name) })
    for (const [name, phase] of this.#processes) this.#run.changed(name, phase as 'Running')
    return this.#after(() => {})
  }

  #add(nodes: GraphNode[]): string {
    this.#nodes = [...this.#nodes, ...nodes]
    return this.#after(() => this.#run.add(nodes))
  }

  /** Nodes that begin now, and those that have ended without a Process. */
  #after(act: () => void): string {
    act()
    const began = new Set(this.#run.take(Infinity).map(({ name }) => name))
    const news = [...this.#run.nodes()].flatMap(({ name }) => {
      const phase = this.#run.phaseOf(name)
      const isNew = this.#known.get(name) !== phase && !this.#processes.has(name) && phase !== 'Pending'
      this.#known.set(name, phase)
      return began.has(name) ? [name] : isNew ? [`${name} ${phase}`] : []
    })
    return news.join(', ')
  }

  #show(): string {
    const counts = PHASES.flatMap((phase) => (this.#run.count(phase) > 0 ? [`${phase} ${this.#run.count(phase)}`] : []))
    const { result } = this.#run
    return counts.join(', ') + (result === undefined ? '' : `: ${result}`)
  }
}

function readNode(text: string): GraphNode {
  const [name = '', ...words] = text.trim().split(' ')
  let dependencies: string[] = []
  const when: WhenCondition[] = []
  const more: { onFailure?: 'continue'; reuse?: string } = {}
  for (let index = 0; index < words.length; index++) {
    const word = words[index] ?? ''
    if (word === 'after') dependencies = (words[++index] ?? '').split(',')
    else if (word === 'on-failure=continue') more.onFailure = 'continue'
    else if (word.startsWith('reuse=')) more.reuse = word.slice(6)
    else if (word.startsWith('when=')) when.push(readWhen(word.slice(5)))
    else throw new Error(`a node has no ${word}`)
  }
  return {
    name,
    funcName: 'f',
    conditions: { executorType: 't' },
    dependencies,
    ...(when.length > 0 && { when }),
    ...more,
  }
}

const OPERATORS = { '!=': 'NotEquals', '=': 'Equals', '>': 'GreaterThan', '<': 'LessThan' } as const

function readWhen(text: string): WhenCondition {
  const [node = '', phase] = text.split(':')
  if (phase !== undefined) return { node, phase: phase as 'Failed' }
  const match = /^([^/=!<>]+)([^=!<>]*)(!=|=|<|>)(.*)$/.exec(text)
  if (match === null) throw new Error(`no condition: ${text}`)
  const [, parent = '', pointer = '', operator = '=', value = ''] = match
  return { node: parent, pointer, operator: OPERATORS[operator as '='], value: JSON.parse(value) }
}
