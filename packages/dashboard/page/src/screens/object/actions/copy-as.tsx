// The object for elsewhere: as a command of kubectl, as one of curl, as YAML.

import { useState } from 'react'
import { stringify } from 'yaml'
import { hasSession } from '../../../connection/session.ts'
import type { Kind, ObjectName } from '../../../kinds/kind.ts'
import type { LiveObject } from '../../../live/object.ts'
import { Button } from '../../../parts/button.tsx'
import { CopyText } from '../../../parts/copy-text.tsx'
import { Dialog } from '../../../parts/dialog.tsx'
import { editable, isSecret } from '../yaml/neat.ts'
import { type ApiPlace, curlCommand, kubectlCommand } from './as-command.ts'

export interface CopyAsProps {
  readonly kind: Kind
  readonly of: ObjectName
  readonly object: LiveObject
  readonly onClose: () => void
}

export function CopyAs({ kind, of, object, onClose }: CopyAsProps) {
  const [said, setSaid] = useState('')
  async function copyYaml() {
    await navigator.clipboard.writeText(stringify(editable(object), { lineWidth: 0 }))
    setSaid('Copied')
  }
  return (
    <Dialog title={`Copy ${kind.kind} ${of.name}`} onClose={onClose} buttons={<Button onPress={onClose}>Close</Button>}>
      <p className="quiet">kubectl</p>
      <CopyText text={kubectlCommand(kind, of)} />
      <p className="quiet">curl</p>
      <CopyText text={curlCommand(kind, of, apiPlace())} />
      <p className="quiet">
        YAML, as one would apply it elsewhere{isSecret(object) && ', with the values of the Secret'}
      </p>
      <p className="toolbar">
        <Button onPress={() => void copyYaml()}>Copy YAML</Button>
        <span role="status">{said}</span>
      </p>
    </Dialog>
  )
}

/** The site says where the API's paths are, when it is not the API's own server. */
function apiPlace(): ApiPlace {
  const below = document.querySelector<HTMLMetaElement>('meta[name="api-root"]')?.content ?? ''
  return { root: location.origin + below, wantsToken: hasSession() }
}
