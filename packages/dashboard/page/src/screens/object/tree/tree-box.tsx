// One box of a tree: a link to its object, or a group that opens.

import { Handle, type Node, type NodeProps, Position } from '@xyflow/react'
import { memo } from 'react'
import { servedKinds } from '../../../kinds/served-kinds.ts'
import { useShown } from '../../../live/shown.ts'
import { ObjectLink } from '../../../parts/object-link.tsx'
import type { TreeBox } from './plan.ts'

export type BoxNode = Node<
  {
    readonly box: TreeBox
    readonly namespace: string | undefined
    readonly isFocus: boolean
    readonly isOpen: boolean
    readonly onToggle: (id: string) => void
  },
  'box'
>

const Box = memo(({ data: { box, namespace, isFocus, isOpen, onToggle } }: NodeProps<BoxNode>) => (
  <div className={`tree-box ${box.health ?? 'plain'}${isFocus ? ' focus' : ''}${box.is === 'group' ? ' group' : ''}`}>
    <Handle type="target" position={Position.Left} isConnectable={false} />
    {box.is === 'group' ? (
      <button type="button" aria-expanded={isOpen} onClick={() => onToggle(box.id)}>
        <span className="tree-box-name">
          {isOpen ? '−' : '+'} {box.title}
        </span>
        <Note box={box} />
      </button>
    ) : (
      <BoxLink box={box} namespace={namespace} />
    )}
    <Handle type="source" position={Position.Right} isConnectable={false} />
  </div>
))

function BoxLink({ box, namespace }: { readonly box: TreeBox; readonly namespace: string | undefined }) {
  const { node, owner } = box
  const kinds = useShown(servedKinds)
  const kind = node?.kind ?? (owner && kinds?.named(owner.apiVersion, owner.kind))
  const text = (
    <>
      <span className="tree-box-name">{box.title}</span>
      <Note box={box} />
    </>
  )
  if (kind === undefined) return <div>{text}</div>
  const place = node === undefined ? (kind.namespaced ? namespace : undefined) : node.namespace
  return (
    <ObjectLink {...kind} namespace={place} name={box.title}>
      {text}
    </ObjectLink>
  )
}

function Note({ box: { is, kind, word, health } }: { readonly box: TreeBox }) {
  return (
    <span className="tree-box-note">
      {is === 'object' ? kind : is === 'reference' ? `${kind}, not among what is listed here` : ''}
      {word !== undefined && <span className={`state ${health ?? ''}`}>{word}</span>}
    </span>
  )
}

export const boxTypes = { box: Box }
