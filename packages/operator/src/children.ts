// Children of an object without an operator: an entry of its own, since nothing else of the framework is needed for it.

export {
  applyChildren,
  type ChildrenOptions,
  type ChildrenParts,
  type ChildrenResult,
  removeForeignChildren,
} from './functional/apply-children.ts'
export type { Settled } from './functional/child-set.ts'
