// What is being edited, kept in this tab so that a reload loses nothing. Secrets are never kept.

import { apiVersionOf, type Kind } from '../../../kinds/kind.ts'

export interface Draft {
  readonly text: string
  /** What the text began as, and the revision of that. */
  readonly base: object
  readonly revision: string
  readonly at: number
}

/** Of an object that does not exist yet. Undefined for what may not be kept. */
export function newDraftKey(kind: Kind): string | undefined {
  const isSecret = kind.group === '' && kind.kind === 'Secret'
  return isSecret ? undefined : `new ${apiVersionOf(kind)} ${kind.resource}`
}

const PREFIX = 'homeostat-draft '

export function readDraft(key: string): Draft | undefined {
  const text = sessionStorage.getItem(PREFIX + key)
  if (text === null) return undefined
  try {
    const draft = JSON.parse(text) as Partial<Draft>
    return typeof draft.text === 'string' && typeof draft.base === 'object' ? (draft as Draft) : undefined
  } catch {
    return undefined
  }
}

/** Whether there was room for it. */
export function keepDraft(key: string, draft: Draft): boolean {
  try {
    sessionStorage.setItem(PREFIX + key, JSON.stringify(draft))
    return true
  } catch {
    return false
  }
}

export function dropDraft(key: string): void {
  sessionStorage.removeItem(PREFIX + key)
}
