// What is wrong with the text of an expression, and where. Parser and checker add to one list; whoever wrote the expression reads it.

import { placeOf, type Source } from './source.ts'

export interface Issue {
  readonly offset: number
  readonly message: string
}

export interface CompileIssue {
  /** From 1. */
  readonly line: number
  /** From 1, in code points. */
  readonly column: number
  readonly message: string
}

/** Where Kubernetes finds them: its messages say `compilation failed: ` or `program instantiation failed: `. */
export type CompileStage = 'compilation' | 'program instantiation'

export interface CompileIssues {
  readonly stage: CompileStage
  readonly list: readonly CompileIssue[]
  /** All of them as Kubernetes writes them after the stage, with the line and a mark below the place. */
  readonly text: string
}

const mostIssues = 100

export function describeIssues(source: Source, issues: readonly Issue[]): CompileIssues {
  const ordered = [...issues].sort((a, b) => a.offset - b.offset).slice(0, mostIssues)
  const list = ordered.map(({ offset, message }) => ({ ...placeOf(source, offset), message }))
  return { stage: 'compilation', list, text: list.map((issue) => textOf(source, issue)).join('\n') }
}

function textOf(source: Source, { line, column, message }: CompileIssue): string {
  const heading = `ERROR: <input>:${line}:${column}: ${message}`
  const content = source.lines[line - 1]?.replaceAll('\t', ' ')
  if (content === undefined) return heading
  return `${heading}\n | ${content}\n | ${'.'.repeat(column - 1)}^`
}
