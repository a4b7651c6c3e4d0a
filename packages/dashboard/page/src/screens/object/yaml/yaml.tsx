// The object as YAML: neat, or whole, as the server has it. The values of a Secret are hidden until somebody asks for them.

import { useMemo, useState } from 'react'
import { stringify } from 'yaml'
import type { LiveObject } from '../../../live/object.ts'
import { Banner } from '../../../parts/banner.tsx'
import { Button } from '../../../parts/button.tsx'
import { useObjectSearch } from '../use-object-search.ts'
import { isSecret, neat, withoutSecrets } from './neat.ts'
import { ManagedYaml, YamlText } from './yaml-lines.tsx'

/** A browser lays out no more than this in a moment; the rest is copied or downloaded. */
const MOST = 300_000

export function Yaml({ object }: { readonly object: LiveObject }) {
  const [{ fields, who }, change] = useObjectSearch()
  const whole = fields === 'all'
  const [open, setOpen] = useState(false)
  const [said, setSaid] = useState('')
  const secret = isSecret(object)
  const text = useMemo(() => {
    const shown = secret && !open ? withoutSecrets(object) : object
    return stringify(whole ? shown : neat(shown), { lineWidth: 0, aliasDuplicateObjects: false })
  }, [object, whole, secret, open])
  async function copy() {
    await navigator.clipboard.writeText(text)
    setSaid('Copied')
  }
  return (
    <div className="object-part">
      <div className="toolbar">
        <label>
          <input
            type="checkbox"
            checked={whole}
            onChange={(event) => change({ fields: event.target.checked ? 'all' : undefined })}
          />{' '}
          as the server has it, with managed fields
        </label>
        <label>
          <input
            type="checkbox"
            checked={who === 'all'}
            onChange={(event) => change({ who: event.target.checked ? 'all' : undefined })}
          />{' '}
          who manages which field
        </label>
        {secret && <Button onPress={() => setOpen(!open)}>{open ? 'Hide the values' : 'Show the values'}</Button>}
        <span className="space" />
        <span role="status">{said}</span>
        <Button onPress={() => void copy()}>Copy</Button>
      </div>
      {text.length > MOST && (
        <Banner tone="plain">
          The first {MOST} of its {text.length} characters; Copy takes all of them.
        </Banner>
      )}
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a place that scrolls must be reachable by keyboard */}
      <section className="yaml" aria-label="YAML" tabIndex={0}>
        {who === 'all' ? (
          <ManagedYaml text={text.slice(0, MOST)} managedFields={object.metadata.managedFields} />
        ) : (
          <YamlText text={text.slice(0, MOST)} />
        )}
      </section>
    </div>
  )
}
