/**
 * The header of requests of the console. The service worker sends it as well, so it is apart from the code of pages.
 *
 * @module
 */

/** Marks a request as the console's own: a page of another site cannot send this header without CORS. */
export const CONSOLE_HEADER = { 'x-edgewise-console': '1' } as const
