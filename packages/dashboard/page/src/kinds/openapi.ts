// The OpenAPI v3 document of a group version, asked for when an editor opens, and kept: it changes with definitions, which the kinds
// that are served tell.

import { client } from '../connection/client.ts'
import { apiVersionOf, type Kind } from './kind.ts'
import { KindSchema, type OpenApiDocument } from './schema.ts'
import { type ServedKinds, servedKinds } from './served-kinds.ts'

const documents = new WeakMap<ServedKinds, Map<string, Promise<OpenApiDocument>>>()

/** Undefined when the server does not publish one. */
export async function schemaOf(kind: Kind): Promise<KindSchema | undefined> {
  const apiVersion = apiVersionOf(kind)
  const path = `/openapi/v3/${kind.group === '' ? 'api' : 'apis'}/${apiVersion}`
  const served = servedKinds.value
  const known = (served && documents.get(served)) ?? new Map<string, Promise<OpenApiDocument>>()
  if (served !== undefined) documents.set(served, known)
  const asked = known.get(path) ?? (client.requestJson({ method: 'GET', path }) as Promise<OpenApiDocument>)
  known.set(path, asked)
  try {
    return KindSchema.of(await asked, kind)
  } catch {
    known.delete(path)
    return undefined
  }
}
