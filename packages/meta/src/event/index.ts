// Events of Kubernetes, and the runs of controllers that they tell of, for whoever writes or reads them.

export {
  cutBytes,
  type EventFacts,
  type EventInput,
  type EventSubject,
  eventKey,
  eventManifest,
  eventNamespace,
  namesOf,
  type Reporter,
  runMetadata,
  seriesOf,
} from './event-manifest.ts'
export {
  parseRun,
  RUN_ANNOTATION,
  type RunRecord,
  type RunRef,
  type RunTrigger,
  type RunWrite,
  runNote,
  WRITE_WORDS,
  type WriteWord,
} from './run-record.ts'
