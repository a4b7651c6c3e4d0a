// The names of a log's files in its folder: the one that is written, and the one before, which it pushed aside when it was full.

export const LOG_FILES = { current: 'log', older: 'log.1' } as const
