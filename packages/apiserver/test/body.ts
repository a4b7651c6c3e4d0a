// The body of an answer, or the object in a watch event, as tests read it.

/** Typed for what tests look at: a wrong guess fails the test and not the compiler. */
export interface Body {
  kind: string
  apiVersion: string
  metadata: {
    name: string
    namespace?: string
    uid: string
    resourceVersion: string
    generation?: number
    creationTimestamp: string
    deletionTimestamp?: string
    labels?: Record<string, string>
    annotations?: Record<string, string>
    finalizers?: string[]
    managedFields?: { manager: string; operation: string }[]
    continue?: string
    remainingItemCount?: number
  }
  spec: Record<string, unknown>
  status: unknown
  items: Body[]
  message: string
  reason: string
  code: number
  details: { causes: { reason: string; field: string; message: string }[]; [field: string]: unknown }
  [field: string]: unknown
}
