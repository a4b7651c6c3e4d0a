// What a start needs of nodes, without the controllers.

export { type NodeRuntime, runtimeNode } from './runtime-node.ts'
export { thisMachine } from './this-machine.ts'
