// Children of an object without an operator. A separate entry point, since it needs nothing else of the framework.

export {
  applyChildren,
  type ChildrenOptions,
  type ChildrenParts,
  type ChildrenResult,
  removeForeignChildren,
} from './functional/apply-children.ts'
export type { Settled } from './functional/child-set.ts'
export { notedClient } from './runtime/noted-client.ts'
