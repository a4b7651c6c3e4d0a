// Reads the body of a call that adds nodes. A node is checked like one of a submitted graph, since nothing checks it later.

import type { AddNodesRequest, GraphNode } from '@homeostat/executor/graphs'
import { badRequest } from '@homeostat/meta'
import { nodeList } from '../kinds/process-graph.ts'

interface Shape {
  readonly type?: string
  readonly enum?: readonly string[]
  readonly minimum?: number
  readonly maximum?: number
  readonly minLength?: number
  readonly properties?: Readonly<Record<string, Shape>>
  readonly required?: readonly string[]
  readonly items?: Shape
  readonly additionalProperties?: Shape
}

export function readAddNodes(body: unknown): AddNodesRequest {
  const { executor, attempt, nodes } = (body ?? {}) as Partial<AddNodesRequest>
  if (typeof executor !== 'string' || executor === '') throw badRequest('executor must be a name')
  if (!Number.isInteger(attempt) || (attempt ?? 0) < 1) throw badRequest('attempt must be a whole number from 1')
  if (!Array.isArray(nodes)) throw badRequest('nodes must be a list')
  for (const [index, node] of nodes.entries()) checkShape(node, (nodeList as Shape).items ?? {}, `nodes[${index}]`)
  return { executor, attempt: attempt as number, nodes: nodes as readonly GraphNode[] }
}

/** By the schema of the kind: the part of it that nodes use. */
function checkShape(value: unknown, shape: Shape, path: string): void {
  const { type } = shape
  if (type !== undefined && !isOf(type, value)) throw badRequest(`${path} must be of type ${type}`)
  if (shape.enum !== undefined && !shape.enum.includes(value as string)) {
    throw badRequest(`${path} must be one of ${shape.enum.join(', ')}`)
  }
  if (typeof value === 'string' && value.length < (shape.minLength ?? 0)) throw badRequest(`${path} must not be empty`)
  if (typeof value === 'number' && (value < (shape.minimum ?? -Infinity) || value > (shape.maximum ?? Infinity))) {
    throw badRequest(`${path} must be from ${shape.minimum} to ${shape.maximum}`)
  }
  if (Array.isArray(value) && shape.items) {
    for (const [index, item] of value.entries()) checkShape(item, shape.items, `${path}[${index}]`)
  }
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) checkFields(value, shape, path)
}

function checkFields(value: object, { properties, required = [], additionalProperties }: Shape, path: string): void {
  for (const name of required) if (!Object.hasOwn(value, name)) throw badRequest(`${path}.${name} is missing`)
  for (const [name, field] of Object.entries(value)) {
    const shape = properties?.[name] ?? additionalProperties
    if (shape !== undefined) checkShape(field, shape, `${path}.${name}`)
    else if (properties !== undefined) throw badRequest(`${path}.${name} is no field of a node`)
  }
}

function isOf(type: string, value: unknown): boolean {
  if (type === 'array') return Array.isArray(value)
  if (type === 'integer') return Number.isInteger(value)
  if (type === 'object') return typeof value === 'object' && value !== null && !Array.isArray(value)
  return typeof value === type
}
