/**
 * A value that may have to be waited for. Most calls need nothing that is not in memory or in SQLite, and a promise for
 * each step would cost them more than the step: a search of many small texts, the path of a request, a small read.
 *
 * @module
 */

/** A value, or a promise of it. Test it with `instanceof Promise` where the value is mostly there at once. */
export type MaybePromise<T> = T | Promise<T>
