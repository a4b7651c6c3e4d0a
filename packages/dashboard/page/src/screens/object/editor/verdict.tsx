// How the text of an editor is, in a few words, for those who look and for those who listen; and what the server would refuse.

import { Banner } from '../../../parts/banner.tsx'
import type { Health } from '../../../parts/health.ts'
import type { DryRun } from './use-dry-run.ts'

export interface VerdictProps {
  readonly dryRun: DryRun
  readonly errors: number
  /** The first of them, with its line, for those who see no marks in the text. */
  readonly firstError: string | undefined
  /** What the text is about, e.g. `2 fields changed`. */
  readonly what: string
}

export function Verdict(props: VerdictProps) {
  const [health, words] = verdict(props)
  return (
    <span role="status" className={health === undefined ? 'quiet' : `state ${health}`}>
      {words}
    </span>
  )
}

function verdict({ dryRun, errors, firstError, what }: VerdictProps): [Health | undefined, string] {
  if (errors > 0) return ['bad', `${errors} ${errors === 1 ? 'error' : 'errors'}${firstError ? `: ${firstError}` : ''}`]
  if (dryRun.state === 'refused') return ['bad', 'the server would refuse it']
  if (dryRun.state === 'accepted') return ['good', `${what}; the server would accept it`]
  if (dryRun.state === 'asking') return ['busy', `${what}; asking the server …`]
  return [undefined, what === 'new' ? 'it has no name yet' : 'nothing is changed']
}

export function Refused({ dryRun }: { readonly dryRun: DryRun }) {
  return dryRun.state === 'refused' ? <Banner>The server would refuse it: {dryRun.refusal.message}</Banner> : null
}
