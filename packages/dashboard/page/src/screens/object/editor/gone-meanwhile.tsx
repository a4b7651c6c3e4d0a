// The object was deleted while somebody wrote: what they wrote becomes the beginning of a new one.

import { useNavigate } from '@tanstack/react-router'
import { NONE } from '../../../app/none.ts'
import type { Kind, ObjectName } from '../../../kinds/kind.ts'
import { Banner } from '../../../parts/banner.tsx'
import { Button } from '../../../parts/button.tsx'
import { keepDraft, newDraftKey } from './draft.ts'

export interface GoneMeanwhileProps {
  readonly kind: Kind
  readonly of: ObjectName
  readonly text: string
}

export function GoneMeanwhile({ kind, of, text }: GoneMeanwhileProps) {
  const navigate = useNavigate()
  const key = newDraftKey(kind)
  const { group, version, resource, verbs } = kind
  const whyNot = !verbs.includes('create')
    ? `The server lets nobody create a ${kind.kind}.`
    : key === undefined
      ? 'What is in a Secret is not kept in the browser: copy it into a new one.'
      : undefined
  function make() {
    if (key === undefined) return
    keepDraft(key, { text, base: {}, revision: '', at: Date.now() })
    const search = of.namespace === undefined ? {} : { ns: of.namespace }
    const params = { group: group || NONE, version, resource }
    void navigate({ to: '/new/$group/$version/$resource', params, search })
  }
  return (
    <Banner tone="busy">
      {of.name} was deleted while you wrote. Your text stays here.
      <Button look="main" onPress={make} whyNot={whyNot}>
        Make a new one of it
      </Button>
    </Banner>
  )
}
