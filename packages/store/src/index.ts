export type {
  Change,
  ChangesOptions,
  DamagedRecord,
  Entry,
  Fence,
  HistoryOptions,
  Note,
  Range,
  Revision,
  Store,
  StoreChanges,
  StoreHealth,
  StoreMeasure,
  StoreReads,
  StoreStats,
  StoreUpkeep,
  StoreWrites,
  Value,
  WholeEntry,
  WriteOutcome,
} from './contract.ts'
export { CompactedError, compareKeys, FutureRevisionError, isCompactedError } from './contract.ts'
export type { EtcdStoreOptions } from './etcd/options.ts'
export { MemoryStore, type MemoryStoreOptions } from './memory/memory-store.ts'
export { INCOMPLETE } from './migrate/incomplete.ts'
export type { AttachedFile } from './sqlite/attached-files.ts'
export type { FaultRule, SqliteCall } from './sqlite/fault.ts'
export { openSqliteStore } from './sqlite/open.ts'
export type { SqliteStoreOptions } from './sqlite/options.ts'
