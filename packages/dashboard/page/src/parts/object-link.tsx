// A link to an object's own screen.

import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { NONE } from '../app/none.ts'

export interface ObjectLinkProps {
  readonly group: string
  readonly version: string
  readonly resource: string
  readonly namespace?: string | undefined
  readonly name: string
  readonly children: ReactNode
}

export function ObjectLink({ group, version, resource, namespace, name, children }: ObjectLinkProps) {
  return (
    <Link
      to="/objects/$group/$version/$resource/$namespace/$name"
      params={{ group: group || NONE, version, resource, namespace: namespace ?? NONE, name }}
      search={({ ns }) => (ns === undefined ? {} : { ns })}
    >
      {children}
    </Link>
  )
}
