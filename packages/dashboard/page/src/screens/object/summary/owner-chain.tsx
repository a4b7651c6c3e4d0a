// Who owns the object, from the top down to it, each with how it is.

import { Fragment } from 'react'
import { servedKinds } from '../../../kinds/served-kinds.ts'
import type { LiveObject } from '../../../live/object.ts'
import type { GraphState } from '../../../live/owner-graph.ts'
import { useShown } from '../../../live/shown.ts'
import { ObjectLink } from '../../../parts/object-link.tsx'
import { type ChainLink, ownerChain } from './chain.ts'

export function OwnerChain({ object, graph }: { readonly object: LiveObject; readonly graph: GraphState }) {
  const chain = ownerChain(object, graph.nodes)
  if (chain.length === 0) return null
  return (
    <nav className="owner-chain" aria-label="Owners">
      {chain.map((link) => (
        <Fragment key={link.uid}>
          <Owner link={link} namespace={object.metadata.namespace} />
          <span aria-hidden="true">›</span>
        </Fragment>
      ))}
      <span aria-current="true">
        {object.kind} {object.metadata.name}
      </span>
    </nav>
  )
}

function Owner({ link, namespace }: { readonly link: ChainLink; readonly namespace: string | undefined }) {
  const kind = useShown(servedKinds)?.named(link.apiVersion, link.kind)
  const text = (
    <span className={link.health === undefined ? undefined : `state ${link.health}`}>
      {link.kind} {link.name}
    </span>
  )
  if (kind === undefined) return <span title="The server does not serve this kind">{text}</span>
  return (
    <ObjectLink {...kind} namespace={kind.namespaced ? namespace : undefined} name={link.name}>
      {text}
    </ObjectLink>
  )
}
