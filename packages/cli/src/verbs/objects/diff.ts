// `homeostat diff -f FILE`: what an apply would change, as a unified diff between the live object and the answer of a dry run.
// With --from and --to it compares generations of the history.

import type { ApiObject } from '@homeostat/client'
import { maskSecrets } from '@homeostat/meta/history'
import { readFiles } from '../../access/documents.ts'
import { withServer } from '../../access/session.ts'
import type { diffOptions } from '../../options/option-groups.ts'
import type { Values } from '../../options/option-table.ts'
import { draw, escapeControls } from '../../output/escape-controls.ts'
import { encoded, readable, sorted } from '../../output/objects.ts'
import { paintFor, type Tone } from '../../output/style.ts'
import { unifiedDiff } from '../../output/unified-diff.ts'
import type { Terminal } from '../../terminal.ts'
import { filesSaid } from './files-said.ts'
import { Problems } from './problems.ts'
import { type Applied, sendApply } from './send-apply.ts'

/** As kubectl diff exits. */
export const DIFF_EXIT = { same: 0, different: 1, failed: 2 } as const

export async function diff(
  values: Values<(typeof diffOptions)[number]>,
  operands: readonly string[],
  terminal: Terminal,
): Promise<number> {
  if (values.from !== undefined || values.to !== undefined) return diffHistory(values, operands, terminal)
  const files = filesSaid(values, operands)
  return withServer(values, terminal, async (session) => {
    const problems = new Problems(terminal, session.url)
    const { documents, faults } = await readFiles(files, terminal, values)
    for (const fault of faults) problems.report(fault)
    let exit: number = DIFF_EXIT.same
    for (const { object, where } of documents) {
      const text = await problems.attempt(
        async () => diffText(await sendApply(object, { session, terminal, values, dryRun: 'server' })),
        where,
      )
      if (text === undefined || text === '') continue
      exit = DIFF_EXIT.different
      show(terminal, text)
    }
    return problems.exitCode === 0 ? exit : DIFF_EXIT.failed
  })
}

async function diffHistory(
  values: Values<(typeof diffOptions)[number]>,
  operands: readonly string[],
  terminal: Terminal,
): Promise<number> {
  // A diff of files needs nothing of the history.
  const { generationSides } = await import('../history/diff-generations.ts')
  return withServer(values, terminal, async (session) => {
    const { names, ...sides } = await generationSides(operands, values, session)
    const [before, after] = maskSecrets(sides.before, sides.after)
    const text = unifiedDiff(await textOf(before), await textOf(after), names)
    if (text !== '') show(terminal, text)
    return text === '' ? DIFF_EXIT.same : DIFF_EXIT.different
  })
}

async function diffText({ kind, namespace, before, after }: Applied): Promise<string> {
  const [live, merged] = maskSecrets(before, after)
  const name = [kind.group, kind.version, kind.kind, namespace, after.metadata.name].filter(Boolean).join('.')
  const names = [`LIVE/${name}`, `MERGED/${name}`] as const
  const lines = unifiedDiff(await textOf(live), await textOf(merged), names)
  return lines === '' ? '' : `diff -u -N ${names.join(' ')}\n${lines}`
}

async function textOf(object: ApiObject | undefined): Promise<string> {
  return object === undefined ? '' : encoded('yaml', sorted(readable(object)))
}

const TONES: Readonly<Record<string, Tone>> = { '+': 'good', '-': 'bad', '@': 'busy' }

function show(terminal: Terminal, text: string): void {
  const paint = paintFor(terminal)
  const lines = (terminal.columns === undefined ? text : escapeControls(text)).split('\n')
  draw(terminal, lines.map((line) => paint(TONES[line.charAt(0)], line)).join('\n'))
}
