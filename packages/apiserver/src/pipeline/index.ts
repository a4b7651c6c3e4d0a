// The write pipeline, for those who load it with their first write.

export { apply, change, create, replace, status } from './lists.ts'
export { runWrite } from './run-write.ts'
