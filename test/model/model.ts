// What an object must look like after each operation, in as few words as possible. Pure: the state of one name and
// an operation in, the next state or a refusal out. It knows no versions; whoever uses it knows the order.

/** As far as the model cares. Absent: undefined. */
export interface State {
  readonly uid: string
  readonly generation: number
  readonly size: number
  readonly phase: string | undefined
  readonly label: string | undefined
  readonly finalizers: readonly string[]
  readonly deleting: boolean
}

export type Operation =
  | { readonly type: 'create'; readonly size: number; readonly held: boolean }
  /** A PUT of an older or newer copy, with its version, or with none. */
  | { readonly type: 'replace'; readonly size: number; readonly version: Version }
  | { readonly type: 'merge'; readonly size: number; readonly version: Version }
  | { readonly type: 'add'; readonly from: number; readonly size: number }
  | { readonly type: 'label'; readonly label: string | null }
  | { readonly type: 'status'; readonly phase: string; readonly size: number; readonly version: Version }
  | { readonly type: 'finalizers'; readonly held: boolean }
  | { readonly type: 'delete'; readonly version: Version }

/** Which resourceVersion is sent: the one last seen by the client, one that never fits, or none. */
export type Version = 'seen' | 'wrong' | 'none'

export type Outcome =
  | { readonly type: 'changed'; readonly next: State | undefined }
  | { readonly type: 'unchanged' }
  | { readonly type: 'refused'; readonly reason: Refusal }

export type Refusal = 'AlreadyExists' | 'NotFound' | 'Conflict' | 'Invalid'

export const FINALIZER = 'test.homeostat.dev/hold'

/** `current`: whether the version that was sent, if any, is that of the state. */
export function next(state: State | undefined, operation: Operation, current: boolean): Outcome {
  if (operation.type === 'create') return state === undefined ? changed(created(operation)) : refused('AlreadyExists')
  if (state === undefined) return refused('NotFound')
  if ('version' in operation && operation.version !== 'none' && !current) return refused('Conflict')
  switch (operation.type) {
    case 'replace':
      // A PUT says everything: the label and the finalizers that it does not repeat are gone.
      if (operation.version === 'none') return refused('Invalid')
      return write(state, { ...state, size: operation.size })
    case 'merge':
      return write(state, { ...state, size: operation.size })
    case 'add':
      return state.size === operation.from ? write(state, { ...state, size: operation.size }) : refused('Invalid')
    case 'label':
      return write(state, { ...state, label: operation.label ?? undefined })
    case 'status':
      if (operation.version === 'none') return refused('Invalid')
      return write(state, { ...state, phase: operation.phase })
    case 'finalizers':
      if (operation.held && state.deleting && state.finalizers.length === 0) return refused('Invalid')
      return write(state, { ...state, finalizers: operation.held ? [FINALIZER] : [] })
    case 'delete':
      return remove(state)
  }
}

function created({ size, held }: { size: number; held: boolean }): State {
  return {
    uid: '',
    generation: 1,
    size,
    phase: undefined,
    label: undefined,
    finalizers: held ? [FINALIZER] : [],
    deleting: false,
  }
}

/** What the spec says counts as a generation; an object being deleted goes with its last finalizer. */
function write(state: State, wanted: State): Outcome {
  const generation = wanted.size === state.size ? state.generation : state.generation + 1
  const after = { ...wanted, generation }
  if (JSON.stringify(after) === JSON.stringify(state)) return { type: 'unchanged' }
  return changed(after.deleting && after.finalizers.length === 0 ? undefined : after)
}

function remove(state: State): Outcome {
  if (state.finalizers.length === 0) return changed(undefined)
  if (state.deleting) return { type: 'unchanged' }
  return changed({ ...state, deleting: true, generation: state.generation + 1 })
}

function changed(after: State | undefined): Outcome {
  return { type: 'changed', next: after }
}

function refused(reason: Refusal): Outcome {
  return { type: 'refused', reason }
}
