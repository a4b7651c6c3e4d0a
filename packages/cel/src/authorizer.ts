// What an expression asks through the variable `authorizer`. The owner of the variable answers; this package decides nothing.

export interface AuthorizationQuestion {
  /** Somebody else than the user of the request. */
  readonly serviceAccount?: { readonly namespace: string; readonly name: string }
  readonly verb: string
  /** A path that is no resource. */
  readonly path?: string
  readonly group: string
  readonly resource: string
  readonly subresource: string
  readonly namespace: string
  readonly name: string
  readonly fieldSelector?: string
  readonly labelSelector?: string
}

export interface AuthorizationAnswer {
  readonly allowed: boolean
  readonly reason?: string
  readonly error?: string
}

/** Bind one to a variable of `authorizerType`. It answers at once, from memory. */
export type Authorize = (question: AuthorizationQuestion) => AuthorizationAnswer
