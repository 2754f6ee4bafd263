/**
 * SQL for a parameter whose value the planner does not look at. Of an array it takes the length for the number of rows, and so
 * finds that a plan for that very value must be better than one for any, each time anew: for statements that are prepared
 * and short, making the plan was a fifth of what the database did for an event that is published by itself.
 */
export const opaque = (parameter: `$${number}`, type: string): string => `(select ${parameter}::${type})`;
