// A plugin of the bundler that takes the indentation out of a library's code: it is 3 % of our part of an operator's install, and nobody
// reads it there. Lines stay as they are, so that a stack trace names them.

import type { Plugin } from 'rolldown'
import { parseAst } from 'rolldown/parseAst'

export function withoutIndentation(): Plugin {
  return {
    name: 'without-indentation',
    // Not earlier: the bundler's own printer puts the indentation back.
    generateBundle(_options, bundle) {
      for (const one of Object.values(bundle)) if (one.type === 'chunk') one.code = flushLeft(one.code)
    },
  }
}

/** The same program: what stands inside of a template is text. */
export function flushLeft(code: string): string {
  const templates = rangesOf(parseAst(code), 'TemplateElement')
  return code.replace(/(?<=\n)\t+/g, (tabs, at: number) =>
    templates.some(({ start, end }) => at > start && at <= end) ? tabs : '',
  )
}

interface Range {
  readonly start: number
  readonly end: number
}

/** Of all nodes of a type, however deep. */
function rangesOf(node: unknown, type: string): Range[] {
  if (typeof node !== 'object' || node === null) return []
  if ((node as { type?: unknown }).type === type) return [node as Range]
  return Object.values(node).flatMap((child) => rangesOf(child, type))
}
