// Runs a Process once more with a spec that one has changed first. The old one stays as it is.

import { type RetryManifest, retryManifest } from '@homeostat/colony/views'
import type { Process } from '@homeostat/executor/protocol'
import { useState } from 'react'
import { Banner } from '../../parts/banner.tsx'
import { Button } from '../../parts/button.tsx'
import { Dialog } from '../../parts/dialog.tsx'
import { readSpec } from './read-spec.ts'

export interface EditRunProps {
  readonly process: Process
  readonly onSubmit: (manifest: RetryManifest) => Promise<void>
  readonly onClose: () => void
}

export function EditRun({ process, onSubmit, onClose }: EditRunProps) {
  const manifest = retryManifest(process)
  const [text, setText] = useState(() => JSON.stringify(manifest.spec, null, 2))
  const [refused, setRefused] = useState<string>()
  const [busy, setBusy] = useState(false)
  const { spec, problem } = readSpec(text)

  async function submit() {
    if (spec === undefined) return
    setBusy(true)
    try {
      await onSubmit({ ...manifest, spec })
      onClose()
    } catch (error) {
      // What was written stays: it can be mended.
      setRefused((error as Error).message)
      setBusy(false)
    }
  }

  return (
    <Dialog
      title={`Run ${process.metadata.name} again`}
      wide
      onClose={onClose}
      buttons={
        <>
          <Button onPress={onClose}>Not now</Button>
          <Button
            look="main"
            whyNot={problem ?? (busy ? 'It is being submitted …' : undefined)}
            onPress={() => void submit()}
          >
            Run
          </Button>
        </>
      }
    >
      <label className="stacked">
        The spec, as JSON
        <textarea
          className="spec"
          rows={18}
          spellCheck={false}
          value={text}
          aria-invalid={problem !== undefined}
          onChange={(event) => setText(event.target.value)}
        />
      </label>
      {problem !== undefined && <Banner>{problem}</Banner>}
      {refused !== undefined && <Banner>{refused}</Banner>}
    </Dialog>
  )
}
