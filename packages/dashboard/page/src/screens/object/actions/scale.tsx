// Changes how many there shall be, by the scale subresource, which every kind that can be scaled has alike.

import { useEffect, useState } from 'react'
import { client } from '../../../connection/client.ts'
import { apiVersionOf, type Kind, type ObjectName } from '../../../kinds/kind.ts'
import { Banner } from '../../../parts/banner.tsx'
import { Button } from '../../../parts/button.tsx'
import { Dialog } from '../../../parts/dialog.tsx'

export interface ScaleProps {
  readonly kind: Kind
  readonly of: ObjectName
  readonly onClose: () => void
}

export function Scale({ kind, of: { namespace, name }, onClose }: ScaleProps) {
  const [now, setNow] = useState<{ wanted: number; running: number | undefined }>()
  const [wanted, setWanted] = useState('')
  const [problem, setProblem] = useState<string>()
  const part = client.resourceOf(apiVersionOf(kind), kind.kind).scale
  const target = { name, ...(namespace && { namespace }) }
  // biome-ignore lint/correctness/useExhaustiveDependencies: read once, when the dialog opens
  useEffect(() => {
    part.get(target).then(
      ({ spec, status }) => {
        const replicas = spec?.replicas ?? 0
        setNow({ wanted: replicas, running: status?.replicas })
        setWanted(String(replicas))
      },
      (error: Error) => setProblem(error.message),
    )
  }, [])

  async function scale() {
    try {
      await part.patch(target, { spec: { replicas: Number(wanted) } }, { fieldManager: 'homeostat-dashboard' })
      onClose()
    } catch (error) {
      setProblem((error as Error).message)
    }
  }

  const isNumber = /^\d{1,9}$/.test(wanted)
  return (
    <Dialog
      title={`Scale ${kind.kind} ${name}`}
      onClose={onClose}
      buttons={
        <>
          <Button onPress={onClose}>Cancel</Button>
          <Button
            look="main"
            onPress={() => void scale()}
            whyNot={isNumber ? undefined : 'Replicas are a number from 0'}
          >
            Scale{isNumber ? ` to ${wanted}` : ''}
          </Button>
        </>
      }
    >
      <label>
        Replicas{' '}
        <input
          type="number"
          min={0}
          value={wanted}
          disabled={now === undefined}
          onChange={(event) => setWanted(event.target.value)}
        />
      </label>
      {now !== undefined && (
        <p className="quiet">
          Wanted are {now.wanted}
          {now.running === undefined ? '' : `, there are ${now.running}`}.
        </p>
      )}
      {problem !== undefined && <Banner>{problem}</Banner>}
    </Dialog>
  )
}
