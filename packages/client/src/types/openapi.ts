// The parts of OpenAPI v3 documents that the generator reads. API servers serve one per group version at /openapi/v3.

export interface OpenApiDocument {
  readonly paths?: Readonly<Record<string, PathItem>>
  readonly components?: { readonly schemas?: Readonly<Record<string, Schema>> }
}

/** Operations by method, among other fields. */
export type PathItem = Readonly<Record<string, unknown>>

export interface Schema {
  readonly $ref?: string
  readonly type?: string
  readonly format?: string
  readonly description?: string
  readonly default?: unknown
  readonly enum?: readonly unknown[]
  readonly nullable?: boolean
  readonly properties?: Readonly<Record<string, Schema>>
  readonly required?: readonly string[]
  readonly items?: Schema
  readonly additionalProperties?: Schema | boolean
  readonly allOf?: readonly Schema[]
  readonly anyOf?: readonly Schema[]
  readonly oneOf?: readonly Schema[]
  readonly 'x-kubernetes-int-or-string'?: boolean
  readonly 'x-kubernetes-preserve-unknown-fields'?: boolean
  readonly 'x-kubernetes-embedded-resource'?: boolean
  readonly 'x-kubernetes-group-version-kind'?: readonly GroupVersionKind[]
}

export interface GroupVersionKind {
  readonly group: string
  readonly version: string
  readonly kind: string
}

/** The component that a schema refers to, directly or wrapped in `allOf` to add a description or a default. */
export function referenceOf({ $ref, allOf }: Schema): string | undefined {
  const reference = $ref ?? (allOf?.length === 1 ? allOf[0]?.$ref : undefined)
  return reference?.replace(/^#\/components\/schemas\//, '')
}
