// What a request wants to do to which resource: the question that authorization answers.

/** Strings are empty where they do not apply. */
export interface ResourceAttributes {
  readonly verb: string
  readonly group: string
  readonly resource: string
  readonly subresource: string
  readonly namespace: string
  readonly name: string
}
