// Zod schemas as structural schemas.

export {}
