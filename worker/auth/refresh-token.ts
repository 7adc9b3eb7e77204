/**
 * Refresh tokens as clients have them: the token of the library, a dot, and the mark of the workspace.
 *
 * The library knows the last two tokens of a grant, and refuses any other text alike. The mark shows that an older
 * token was given as well: it has the number of the token in its grant and a secret of the grant, see
 * `single-use.ts`. A token without a mark was made up.
 * `test/platform/auth/revocation.test.ts` tests it.
 *
 * @module
 */

const MARKED = /^([^.]*)\.(\d{1,9}\.[\w-]+)$/

/** Returns a token without its mark. */
export const withoutMark = (token: string): string => MARKED.exec(token)?.[1] ?? token

/** Returns the mark of a token; null without one. */
export const markOf = (token: string | null): string | null => MARKED.exec(token ?? '')?.[2] ?? null
