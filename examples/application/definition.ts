// The definition for the server: generated from the schemas, with two opt-ins of Homeostat that Kubernetes ignores.

import { application } from './application.ts'

const OPT_INS = {
  // A PUT may leave out metadata.resourceVersion.
  'homeostat.dev/unconditional-update': 'true',
  // A create makes the namespace it names.
  'homeostat.dev/create-namespaces': 'true',
}

export function applicationDefinition() {
  const { definition } = application
  const { spec } = definition
  const versions = spec.versions.map((version) => {
    const schema = version.schema?.openAPIV3Schema as { properties: Record<string, object> }
    // The status before the first reconcile.
    const status = { ...schema.properties.status, default: { phase: 'Pending' } }
    return { ...version, schema: { openAPIV3Schema: { ...schema, properties: { ...schema.properties, status } } } }
  })
  return {
    ...definition,
    metadata: { ...definition.metadata, annotations: OPT_INS },
    spec: { ...spec, versions },
  }
}
