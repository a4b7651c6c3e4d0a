// The Node objects that a server needs at its start, without the code of the controllers.

export { type NodeRuntime, runtimeNode } from './runtime-node.ts'
export { thisMachine } from './this-machine.ts'
