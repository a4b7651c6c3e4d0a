// A Scale in the negotiated form. `kubectl get --subresource=scale` requests a table.

import type { KubeObject } from '@homeostat/meta'
import type { Written } from '../pipeline/write.ts'
import type { Column, ResourceType, ScalePaths } from '../registry/resource-type.ts'
import { readScale, type Scale } from '../registry/scale.ts'
import { withCopies } from '../registry/versions.ts'
import { ageColumn, nameColumn } from '../table/metadata-columns.ts'
import { type FormOptions, objectResponse, type ResponseBody } from './object-response.ts'

export function scaleResponse(
  scale: Scale,
  type: ResourceType,
  options: FormOptions,
): ResponseBody | Promise<ResponseBody> {
  const { form } = options.representation
  // ApiResponse converts the JSON to any other form.
  const asked: FormOptions =
    form === 'table' || form === 'partial' ? options : { ...options, representation: { form: 'json' } }
  return objectResponse(scale as unknown as KubeObject, { columns: columnsOf(type) }, asked)
}

/** The Scale of a written object. */
export function writtenScale(written: Written, type: ResourceType, paths: ScalePaths, options: FormOptions) {
  const read = () => scaleResponse(readScale(written, type, paths), type, options)
  return 'stored' in written ? withCopies(type, [written.stored], read) : read()
}

function columnsOf({ custom }: ResourceType): Column[] {
  return [
    nameColumn,
    replicas('Desired', 'How many replicas are wanted.', ({ spec }) => spec.replicas),
    replicas('Available', 'How many replicas there are.', ({ status }) => status.replicas),
    ageColumn(custom ? 'date' : 'string'),
  ]
}

function replicas(name: string, description: string, read: (scale: Scale) => number | undefined): Column {
  const cell = (object: KubeObject) => read(object as unknown as Scale) ?? 0
  return { name, type: 'integer', format: '', description, priority: 0, cell }
}
