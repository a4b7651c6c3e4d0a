// The etcd driver. It is an entry of its own, so that a server on SQLite loads none of it.

export { openEtcdStore, raiseRevisions } from './open.ts'
