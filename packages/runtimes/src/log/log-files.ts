// The names of a log's files in its folder: the current one, and the previous one after a rotation.

export const LOG_FILES = { current: 'log', older: 'log.1' } as const
